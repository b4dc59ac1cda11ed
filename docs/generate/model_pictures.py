"""Pictures of the model: the two doors, and the two lists with the threshold."""

from drawing import Drawing

from privtopk.spec import StoredList, private_threshold
from privtopk.spec.model.access import sorted_entries

SCORES = (9, 8, 6, 5, 3, 2, 1, 1)
NOISES = (1, 4, 0, 6, 2, 5, 3, -1)
K = 2


def two_doors() -> Drawing:
    """Return the database with its two doors, and what may leave."""
    drawing = Drawing("A database is read through two doors, and counted", 236)
    drawing.text(20, 28, "the data holder", "quiet small")
    drawing.box(20, 36, 120, 180)
    drawing.text(80, 60, "m items", "strong", "middle")
    drawing.text(80, 78, "with their scores", "quiet small", "middle")
    for place, width in enumerate((84, 70, 52, 36, 24, 12, 8)):
        drawing.box(38, 92 + 16 * place, width, 11, "score")
    for y, name, meaning in (
        (80, "sorted access", "the next best item"),
        (190, "random access", "the score of an item"),
    ):
        drawing.arrow((140, y), (318, y))
        drawing.text(229, y - 20, name, "strong", "middle")
        drawing.text(229, y - 6, meaning, "quiet small", "middle")
    drawing.text(229, 118, "every read is counted:", "small", "middle")
    drawing.text(229, 134, "that is the access cost", "small", "middle")
    drawing.box(320, 36, 140, 168)
    drawing.text(390, 62, "selection", "strong", "middle")
    for y, words in ((88, "reads a few scores,"), (106, "adds noise,"), (124, "keeps the k best")):
        drawing.text(390, y, words, "small", "middle")
    drawing.box(336, 142, 108, 30, "hit")
    drawing.text(390, 162, "k items", "strong", "middle")
    drawing.text(390, 222, "publish these, nothing else", "small", "middle")
    return drawing


def threshold() -> Drawing:
    """Return both lists of a run of Algorithm 3, as far as it read them."""
    run = private_threshold(StoredList(SCORES), StoredList(NOISES), K)
    drawing = Drawing(f"The threshold algorithm stops after {run.rounds} rounds", 330)
    lists = (("scores", SCORES, "score", 20), ("noise", NOISES, "noise", 170))
    lowest = []
    for name, values, kind, x in lists:
        drawing.text(x, 28, f"{name}, best first", "strong")
        for place, entry in enumerate(sorted_entries(values)):
            y = 40 + 30 * place
            is_read = place < run.rounds
            shape = "hit" if is_read and entry.item in run.items else kind if is_read else "box"
            drawing.box(x, y, 130, 24, shape)
            drawing.text(
                x + 10,
                y + 17,
                f"item {entry.item}" if is_read else "not read",
                "" if is_read else "quiet",
            )
            drawing.text(x + 120, y + 17, f"{entry.value}" if is_read else "?", "", "end")
        lowest.append(sorted_entries(values)[run.rounds - 1].value)
    y = 40 + 30 * run.rounds - 3
    drawing.line([(12, y), (308, y)], "bar")
    drawing.text(322, y - 34, f"after round {run.rounds}", "strong")
    drawing.text(322, y - 17, f"threshold {lowest[0]} + {lowest[1]} = {run.threshold}", "small")
    drawing.text(322, y + 2, "an item below the", "small")
    drawing.text(322, y + 18, "line has no more", "small")
    for place, entry in enumerate(run.selected):
        score, noise = SCORES[entry.item - 1], NOISES[entry.item - 1]
        drawing.text(
            322, 50 + 18 * place, f"item {entry.item}: {score} + {noise} = {entry.value}", "small"
        )
    drawing.text(
        20, 306, f"Both kept items have at least {run.threshold}: nothing unread can win.", "quiet"
    )
    return drawing
