"""The picture of the architecture: the layers of the three packages, and who imports whom."""

from drawing import Drawing
from layers import package_layers

ROW = 22
HEAD = 44
WIDTH = 222
MARGIN = 14


def architecture() -> Drawing:
    """Return the three packages with their layers; import-linter holds the same list."""
    layers = package_layers()
    engines, oracle = layers["privtopk.impl"], layers["privtopk.conformance"]
    specification = layers["privtopk.spec"]
    upper = HEAD + ROW * max(len(engines), len(oracle))
    lower = HEAD + ROW * len(specification)
    drawing = Drawing("The layers of the specification, the engines and the oracle", 1)
    draw_package(drawing, MARGIN, MARGIN, WIDTH, upper, "impl/: the engines", engines, "noise")
    right = 480 - MARGIN - WIDTH
    title = "conformance/: the oracle"
    draw_package(drawing, right, MARGIN, WIDTH, upper, title, oracle, "hit")
    below = MARGIN + upper + 54
    for x in (MARGIN + 30, 480 - MARGIN - 30):
        drawing.arrow((x, MARGIN + upper + 2), (x, below - 2))
    for line, words in enumerate(
        (
            "both import the specification, and never each other:",
            "the oracle calls an engine by its address, as it calls yours",
        )
    ):
        drawing.text(240, MARGIN + upper + 24 + 16 * line, words, "quiet small", "middle")
    title = "spec/: the specification (below proofs: standard library only)"
    draw_package(drawing, MARGIN, below, 480 - 2 * MARGIN, lower, title, specification, "score")
    drawing.height = below + lower + MARGIN
    return drawing


def draw_package(
    drawing: Drawing,
    x: float,
    y: float,
    width: float,
    height: float,
    title: str,
    layers: list[list[str]],
    kind: str,
) -> None:
    """Draw a package as a box with one row per layer; rows import the rows below them."""
    drawing.box(x, y, width, height, kind)
    drawing.text(x + 12, y + 22, title, "strong")
    for number, layer in enumerate(layers):
        top = y + HEAD - 10 + ROW * number
        drawing.box(x + 8, top, width - 16, ROW - 3)
        drawing.text(x + width / 2, top + 14, "  ·  ".join(layer), "small", "middle")
