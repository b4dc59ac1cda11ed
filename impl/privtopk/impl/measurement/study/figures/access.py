"""Figures of what is read, drawn and asked: accesses, noise draws and round trips."""

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from privtopk.impl.measurement.study.figures.style import (
    BOUND_LOOKS,
    ENGINE_LOOKS,
    ERRORS_95,
    by,
    card,
    column,
    draw_engine,
    groups,
    legend_below,
    logarithmic,
)
from privtopk.impl.measurement.study.tables import Table, chosen, number

DODGE = 1.05
"""Points of different engines stand beside each other, by so much in size."""

UNITS = {"m": "m, items of the domain", "k": "k, items to select"}


def against_m(rows: Table) -> Figure:
    """Draw the mean accesses on the worst input against m, and over sqrt(mk)."""
    return _growth(chosen(rows, sweep="m"), "m")


def against_k(rows: Table) -> Figure:
    """Draw the same against k."""
    return _growth(chosen(rows, sweep="k"), "k")


def against_epsilon(rows: Table) -> Figure:
    """Draw the mean accesses against the budget, a panel a family."""
    families = groups(chosen(rows, sweep="epsilon"), "family")
    figure, panels = card(len(families), height=3.6, width=10.0)
    for panel, (family, found) in zip(panels, families.items(), strict=True):
        for engine, mine in groups(found, "engine").items():
            ordered = by(mine, "epsilon")
            draw_engine(panel, engine, column(ordered, "epsilon"), column(ordered, "mean"))
        ordered = by(found, "epsilon")
        for name in ("paper", "theorem_u", "two_roots", "certificate"):
            _bound(panel, name, column(ordered, "epsilon"), column(ordered, name))
        logarithmic(panel, "x", "y")
        panel.set(title=family, xlabel="epsilon, total budget")
    panels[0].set_ylabel("accesses, mean")
    legend_below(figure, panels[:1], 6)
    return figure


def by_family(rows: Table) -> Figure:
    """Draw the mean accesses of every engine on every input, with all bounds."""
    found = chosen(rows, sweep="family")
    names = list(groups(found, "family"))
    figure, (panel,) = card(height=5.2)
    for shift, (engine, mine) in enumerate(groups(found, "engine").items()):
        colour, marker = ENGINE_LOOKS[engine]
        places = [names.index(str(row["family"])) + 0.1 * (shift - 2.5) for row in mine]
        panel.errorbar(
            column(mine, "mean"),
            places,
            xerr=[ERRORS_95 * error for error in column(mine, "standard_error")],
            color=colour,
            marker=marker,
            linestyle="",
            label=engine,
        )
    for name in ("paper", "theorem_u", "two_roots", "law", "certificate"):
        label, colour, line = BOUND_LOOKS[name]
        value = number(_threshold_row(found), name)
        panel.axvline(value, color=colour, linestyle=line, label=label)
    logarithmic(panel, "x")
    panel.set_xlabel("accesses, mean (with 95 % intervals)")
    panel.set_yticks(range(len(names)), names)
    panel.invert_yaxis()
    legend_below(figure, [panel], 4)
    return figure


def noise_draws(rows: Table) -> Figure:
    """Draw the random numbers that a selection takes."""
    return _two_sweeps(rows, "noise_draws", "noise draws, mean")


def round_trips(rows: Table) -> Figure:
    """Draw the questions that a source is asked."""
    return _two_sweeps(rows, "round_trips", "round trips, mean")


def _growth(rows: Table, letter: str) -> Figure:
    figure, (plain, scaled) = card(2, height=4.2, width=9.0)
    for place, (engine, mine) in enumerate(groups(rows, "engine").items()):
        ordered = by(mine, letter)
        sizes, means = column(ordered, letter), column(ordered, "mean")
        draw_engine(plain, engine, sizes, means)
        if engine != "one-shot":
            roots = [_root(row) for row in ordered]
            colour, marker = ENGINE_LOOKS[engine]
            scaled.errorbar(
                [size * DODGE ** (place - 2) for size in sizes],
                [mean / root for mean, root in zip(means, roots, strict=True)],
                yerr=[
                    ERRORS_95 * error / root
                    for error, root in zip(column(ordered, "standard_error"), roots, strict=True)
                ],
                color=colour,
                marker=marker,
                linestyle="",
                capsize=2,
            )
    ordered = by(chosen(rows, engine=_threshold_row(rows)["engine"]), letter)
    sizes = column(ordered, letter)
    for name in BOUND_LOOKS:
        _bound(plain, name, sizes, column(ordered, name))
        _bound(scaled, name, sizes, [number(row, name) / _root(row) for row in ordered])
    staged = by(chosen(rows, engine="batched"), letter)
    scaled.plot(
        column(staged, letter),
        [number(row, "law") / _root(row) for row in staged],
        color=ENGINE_LOOKS["batched"][0],
        linewidth=1,
        label="law of the engines with stages",
    )
    logarithmic(plain, "x", "y")
    logarithmic(scaled, "x")
    plain.set(xlabel=UNITS[letter], ylabel="accesses, mean")
    scaled.set(xlabel=UNITS[letter], ylabel="accesses, mean, over sqrt(mk)")
    scaled.set_ylim(0, 3.6)
    legend_below(figure, [plain, scaled], 4)
    return figure


def _two_sweeps(rows: Table, name: str, label: str) -> Figure:
    figure, panels = card(2)
    for panel, letter in zip(panels, "mk", strict=True):
        for engine, mine in groups(chosen(rows, sweep=letter), "engine").items():
            ordered = by(mine, letter)
            draw_engine(panel, engine, column(ordered, letter), column(ordered, name))
        logarithmic(panel, "x", "y")
        panel.set_xlabel(UNITS[letter])
    panels[0].set_ylabel(label)
    legend_below(figure, panels[:1], 6)
    return figure


def _bound(panel: Axes, name: str, x: list[float], y: list[float]) -> None:
    label, colour, line = BOUND_LOOKS[name]
    panel.plot(x, y, color=colour, linestyle=line, label=label, zorder=1)


def _threshold_row(rows: Table) -> dict[str, str | int | float]:
    """Return a row of an engine whose law is that of the threshold algorithm."""
    return next(row for row in rows if row["engine"] in ("rank-free", "online", "threshold"))


def _root(row: dict[str, str | int | float]) -> float:
    return math.sqrt(number(row, "m") * number(row, "k"))
