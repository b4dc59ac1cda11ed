"""The look of all figures: a white card that is legible on light and on dark pages.

The colours are those of Okabe and Ito, which colour-blind readers can distinguish. Each engine has
its own marker too. The same data give the same file: no date, and identifiers from a fixed salt.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from privtopk.impl.measurement.rows import Table, column, rows_grouped_by, rows_sorted_by
from privtopk.spec.console.whole_files import whole_file

SETTINGS: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.facecolor": "white",
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.4,
    "lines.markersize": 5,
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "privtopk",
}

ENGINE_LOOKS: Final[dict[str, dict[str, Any]]] = {
    "one-shot": {"color": "#777777", "marker": "s"},
    "threshold": {"color": "#E69F00", "marker": "v"},
    "online": {"color": "#D55E00", "marker": "^"},
    "rank-free": {"color": "#0072B2", "marker": "D"},
    "batched": {"color": "#009E73", "marker": "o"},
    "exact": {"color": "#CC79A7", "marker": "P"},
}
"""The colour and the marker of each engine."""

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

BOUND_LOOKS: Final[dict[str, dict[str, Any]]] = {
    "paper": {"label": "the paper's bound", "color": "#000000", "linestyle": ":"},
    "theorem_u": {"label": "Theorem U", "color": "#000000", "linestyle": "--"},
    "two_roots": {"label": "2 sqrt(mk)", "color": "#56B4E9", "linestyle": "-."},
    "law": {"label": "exact law of the threshold algorithm", "color": "#000000", "linestyle": "-"},
    "certificate": {"label": "lower bound (certificate)", "color": "#8B0000", "linestyle": "-"},
}
"""The label, the colour and the line of each bound."""

ERRORS_95: Final = 1.96
"""Standard errors to each side of a mean in the pictures; the checks do not use them."""


@contextmanager
def house_style() -> Iterator[None]:
    """Set the style of all figures while they are drawn."""
    with matplotlib.rc_context(SETTINGS):
        yield


def empty_figure(
    columns: int = 1, height: float = 3.8, width: float = 8.0
) -> tuple[Figure, list[Axes]]:
    """Return an empty figure, and its panels from left to right."""
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(1, columns, squeeze=False)
    return figure, list(panels[0])


def save(figure: Figure, folder: Path, name: str, source: str) -> None:
    """Write a figure as SVG and PNG; both name their data."""
    svg = {"Date": None, "Creator": None, "Title": name, "Description": source}
    with whole_file(folder / f"{name}.svg") as unfinished:
        figure.savefig(unfinished, format="svg", metadata=svg)
    png = {"Software": None, "Title": name, "Description": source}
    with whole_file(folder / f"{name}.png") as unfinished:
        figure.savefig(unfinished, format="png", dpi=110, metadata=png)


def name_lines(panel: Axes, names: list[str], fontsize: float | None = None) -> None:
    """Name the places 0, 1, ... of the vertical axis, from the top down."""
    panel.set_yticks(range(len(names)), names, fontsize=fontsize)
    panel.invert_yaxis()


def draw_engines(panel: Axes, rows: Table, x: str, y: str, engine: str = "engine") -> None:
    """Draw one line per engine in its own look; other names in that column are left out."""
    for name, found in rows_grouped_by(rows, engine).items():
        if name in ENGINE_LOOKS:
            ordered = rows_sorted_by(found, x)
            panel.plot(column(ordered, x), column(ordered, y), label=name, **ENGINE_LOOKS[name])


def logarithmic(panel: Axes, *letters: str) -> None:
    """Make axes logarithmic, with plain numbers at the powers of ten."""
    for letter in letters:
        panel.set(**{f"{letter}scale": "log"})
        axis = panel.xaxis if letter == "x" else panel.yaxis
        axis.set_major_formatter(FuncFormatter(lambda value, place: power(value)))
        axis.set_minor_formatter(NullFormatter())


def power(value: float) -> str:
    """Return a power of ten as a short text."""
    if value >= 10**6:
        return f"{value:.0e}".replace("e+0", "e")
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def legend_below(figure: Figure, panels: list[Axes], columns: int) -> None:
    """Put one legend of all panels below the figure."""
    named: dict[str, Artist] = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    figure.legend(list(named.values()), list(named), loc="outside lower center", ncols=columns)
