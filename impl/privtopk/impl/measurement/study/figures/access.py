"""Figures of accesses, noise draws and round trips."""

import math

from matplotlib.figure import Figure

from privtopk.impl.measurement.rows import (
    Row,
    Table,
    column,
    number,
    rows_grouped_by,
    rows_sorted_by,
    rows_where,
)
from privtopk.impl.measurement.study.figures.style import (
    BOUND_LOOKS,
    ENGINE_LOOKS,
    ERRORS_95,
    draw_engines,
    empty_figure,
    legend_below,
    logarithmic,
    name_lines,
)

DODGE = 1.05
"""The factor in size between the points of two engines, so that they do not overlap."""

UNITS = {"m": "m, items of the domain", "k": "k, items to select"}


def against_m(rows: Table) -> Figure:
    """Draw the mean accesses on the worst input against m, and over sqrt(mk)."""
    return _growth(rows_where(rows, sweep="m"), "m")


def against_k(rows: Table) -> Figure:
    """Draw the same against k."""
    return _growth(rows_where(rows, sweep="k"), "k")


def against_epsilon(rows: Table) -> Figure:
    """Draw the mean accesses against the budget, one panel per family."""
    families = rows_grouped_by(rows_where(rows, sweep="epsilon"), "family")
    figure, panels = empty_figure(len(families), height=3.6, width=10.0)
    for panel, (family, found) in zip(panels, families.items(), strict=True):
        draw_engines(panel, found, "epsilon", "mean")
        ordered = rows_sorted_by(found, "epsilon")
        x = column(ordered, "epsilon")
        for name in ("paper", "theorem_u", "two_roots", "certificate"):
            panel.plot(x, column(ordered, name), zorder=1, **BOUND_LOOKS[name])
        logarithmic(panel, "x", "y")
        panel.set(title=family, xlabel="epsilon, total budget")
    panels[0].set_ylabel("accesses, mean")
    legend_below(figure, panels[:1], 6)
    return figure


def by_family(rows: Table) -> Figure:
    """Draw the mean accesses of every engine on every input, with all bounds."""
    found = rows_where(rows, sweep="family")
    names = list(rows_grouped_by(found, "family"))
    figure, (panel,) = empty_figure(height=5.2)
    for shift, (engine, mine) in enumerate(rows_grouped_by(found, "engine").items()):
        places = [names.index(str(row["family"])) + 0.1 * (shift - 2.5) for row in mine]
        panel.errorbar(
            column(mine, "mean"),
            places,
            xerr=[ERRORS_95 * error for error in column(mine, "standard_error")],
            linestyle="",
            label=engine,
            **ENGINE_LOOKS[engine],
        )
    for name in ("paper", "theorem_u", "two_roots", "law", "certificate"):
        panel.axvline(number(_threshold_row(found), name), **BOUND_LOOKS[name])
    logarithmic(panel, "x")
    panel.set_xlabel("accesses, mean (with 95 % intervals)")
    name_lines(panel, names)
    legend_below(figure, [panel], 4)
    return figure


def noise_draws(rows: Table) -> Figure:
    """Draw the number of random numbers per selection."""
    return _two_sweeps(rows, "noise_draws", "noise draws, mean")


def round_trips(rows: Table) -> Figure:
    """Draw the number of round trips per selection."""
    return _two_sweeps(rows, "round_trips", "round trips, mean")


def _growth(rows: Table, letter: str) -> Figure:
    figure, (plain, scaled) = empty_figure(2, height=4.2, width=9.0)
    draw_engines(plain, rows, letter, "mean")
    for place, (engine, mine) in enumerate(rows_grouped_by(rows, "engine").items()):
        if engine != "one-shot":
            ordered = rows_sorted_by(mine, letter)
            scaled.errorbar(
                [size * DODGE ** (place - 2) for size in column(ordered, letter)],
                [number(row, "mean") / _root(row) for row in ordered],
                yerr=[ERRORS_95 * number(row, "standard_error") / _root(row) for row in ordered],
                linestyle="",
                capsize=2,
                **ENGINE_LOOKS[engine],
            )
    ordered = rows_sorted_by(rows_where(rows, engine=_threshold_row(rows)["engine"]), letter)
    sizes = column(ordered, letter)
    for name, look in BOUND_LOOKS.items():
        plain.plot(sizes, column(ordered, name), zorder=1, **look)
        scaled.plot(sizes, [number(row, name) / _root(row) for row in ordered], zorder=1, **look)
    staged = rows_sorted_by(rows_where(rows, engine="batched"), letter)
    scaled.plot(
        column(staged, letter),
        [number(row, "law") / _root(row) for row in staged],
        color=ENGINE_LOOKS["batched"]["color"],
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
    figure, panels = empty_figure(2)
    for panel, letter in zip(panels, "mk", strict=True):
        draw_engines(panel, rows_where(rows, sweep=letter), letter, name)
        logarithmic(panel, "x", "y")
        panel.set_xlabel(UNITS[letter])
    panels[0].set_ylabel(label)
    legend_below(figure, panels[:1], 6)
    return figure


def _threshold_row(rows: Table) -> Row:
    """Return a row of an engine whose law is that of the threshold algorithm."""
    return next(row for row in rows if row["engine"] in ("rank-free", "online", "threshold"))


def _root(row: Row) -> float:
    return math.sqrt(number(row, "m") * number(row, "k"))
