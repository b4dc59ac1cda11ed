"""Pictures of the engines: order statistics being revealed, and the stages of the default."""

from fractions import Fraction

from drawing import Drawing

from privtopk.spec import Position
from privtopk.spec.noise.order_statistic import conditional_density, neighbouring_positions
from privtopk.spec.upper_bounds.batched import default_prefix, expected_candidates_bound

M = 9
VALUES = {
    Position(6): Fraction(37, 100),
    Position(2): Fraction(83, 100),
    Position(4): Fraction(3, 5),
}
"""In the order in which they are asked for."""

LEFT, WIDTH = 30, 420


def across(u: Fraction) -> float:
    """Return the place of a level, the largest on the left."""
    return LEFT + WIDTH * float(1 - u)


def order_statistics() -> Drawing:
    """Return three questions: each answer is drawn between its two nearest neighbours."""
    drawing = Drawing("Order statistics revealed one by one, in any order", 392)
    ends = {Position(0): Fraction(1), Position(M + 1): Fraction(0)}
    known: dict[Position, Fraction] = {}
    for step, (j, value) in enumerate(VALUES.items()):
        ground = 108 + 116 * step
        left, right = neighbouring_positions(known, j, M)
        placed = ends | known
        a, b = right - j, j - left
        drawing.text(
            LEFT,
            ground - 78,
            f"Number {j} of {M}: Beta({a}, {b}) between {name_of(left)} and {name_of(right)}",
            "small strong",
        )
        drawing.line(curve(j, (left, placed[left]), (right, placed[right]), ground), "curve")
        drawing.line([(LEFT, ground), (LEFT + WIDTH, ground)])
        for position, u in placed.items():
            drawing.line([(across(u), ground - 5), (across(u), ground + 5)])
            if position in known:
                drawing.text(across(u), ground + 18, f"{position}", "quiet small", "middle")
        drawing.line([(across(value), ground - 12), (across(value), ground + 6)], "bar")
        drawing.text(across(value), ground + 18, f"{j}", "strong small", "middle")
        known[j] = value
    drawing.text(LEFT, 380, "largest noise", "quiet small")
    drawing.text(LEFT + WIDTH, 380, "smallest noise", "quiet small", "end")
    return drawing


def name_of(position: Position) -> str:
    """Return how the picture calls a neighbour: its number, or the end of the list."""
    return {0: "the top", M + 1: "the end"}.get(position, f"number {position}")


def curve(
    j: Position, left: tuple[Position, Fraction], right: tuple[Position, Fraction], ground: float
) -> list[tuple[float, float]]:
    """Return the outline of a conditional density, scaled to one height."""
    (_, high), (_, low) = left, right
    places = [high - (high - low) * Fraction(n, 40) for n in range(41)]
    heights = [float(conditional_density(u, j, left, right)) for u in places]
    outline = [
        (across(u), ground - 62 * h / max(heights)) for u, h in zip(places, heights, strict=True)
    ]
    return [(across(high), ground), *outline, (across(low), ground)]


def stages() -> Drawing:
    """Return what the default engine reads of each list, stage by stage."""
    m, k = 1_000_000, 10
    last = default_prefix(m, k)
    candidates = float(expected_candidates_bound(m, k, last))
    drawing = Drawing("The stages of the batched engine", 340)
    drawing.text(20, 28, "1. A short prefix", "strong")
    drawing.text(20, 120, "2. The bar is out of reach: open a little noise, read on", "strong")
    drawing.text(20, 226, "3. The last stage: all noise that clears the bar", "strong")
    for y, prefix, opened in ((40, 24, 0), (132, 76, 24), (238, 190, 150)):
        drawing.text(20, y + 18, "scores", "quiet small")
        drawing.text(20, y + 44, "noise", "quiet small")
        drawing.box(70, y + 4, 390, 18)
        drawing.box(70, y + 30, 390, 18)
        drawing.box(70, y + 4, prefix, 18, "score")
        if opened:
            drawing.box(70, y + 30, opened, 18, "noise")
    drawing.text(102, 58, "read by sorted access, with their noise", "small")
    drawing.text(80, 84, "not one noise of the others is drawn", "quiet small")
    drawing.text(154, 176, "those items are read by random access", "small")
    drawing.text(270, 256, f"at most {last:,} items", "small")
    drawing.text(230, 282, f"at most {candidates:,.0f} more, on average", "small")
    drawing.text(
        20,
        312,
        "It ends after any stage in which no hidden noise can clear the bar.",
        "quiet small",
    )
    drawing.text(20, 328, f"Numbers are for k = {k} of m = {m:,}, the worst input.", "quiet small")
    return drawing
