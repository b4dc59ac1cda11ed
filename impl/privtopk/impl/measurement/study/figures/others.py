"""Figures of time, accuracy, prices, exactness, sources, plans and certificates."""

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from privtopk.impl.measurement.rows import (
    Row,
    Table,
    column,
    number,
    rows_grouped_by,
    rows_sorted_by,
)
from privtopk.impl.measurement.study.figures.style import (
    COLOURS,
    ENGINE_LOOKS,
    ERRORS_95,
    draw_engines,
    empty_figure,
    legend_below,
    logarithmic,
    name_lines,
)

MARKERS = "oDvPs^"


def times(rows: Table) -> Figure:
    """Draw how many times faster than the block scan each engine is, one panel per family."""
    families = rows_grouped_by(rows, "family")
    figure, panels = empty_figure(len(families))
    for panel, (family, found) in zip(panels, families.items(), strict=True):
        draw_engines(panel, found, "m", "times_faster", engine="contender")
        panel.axhline(1, color="black", label="block scan")
        logarithmic(panel, "x", "y")
        panel.set(title=family, xlabel="m, items of the domain")
    panels[0].set_ylabel("time of the block scan / time of the engine")
    legend_below(figure, panels[:1], 7)
    return figure


def accuracy(rows: Table) -> Figure:
    """Draw the share of selections that fail, over the expected share."""
    ordered = sorted(rows, key=lambda row: (str(row["noise"]), number(row, "beta"), -int(row["m"])))
    figure, (panel,) = empty_figure(height=max(3.0, 0.21 * len(ordered) + 1.2))
    for place, row in enumerate(ordered):
        beta = number(row, "beta")
        share, low, high = (number(row, name) / beta for name in ("share", "low", "high"))
        look = ENGINE_LOOKS[str(row["engine"])]
        panel.errorbar(share, place, xerr=[[share - low], [high - share]], **look)
    panel.axvline(1, color="black")
    labels = [
        f"{row['noise']}, m={row['m']:,}, k={row['k']}, beta={row['beta']}, {row['engine']}"
        for row in ordered
    ]
    name_lines(panel, labels, fontsize=7)
    panel.set_xlabel("share of failures / beta (with exact 95 % intervals)")
    return figure


def prices(rows: Table) -> Figure:
    """Draw the mean price against the ratio of the prices, with the optimum and the lower bound."""
    figure, (panel,) = empty_figure(height=4.2)

    def ratio(row: Row) -> float:
        return number(row, "random_cost") / number(row, "sorted_cost")

    def cheapest(row: Row) -> float:
        return min(number(row, "random_cost"), number(row, "sorted_cost"))

    for place, (family, found) in enumerate(rows_grouped_by(rows, "family").items()):
        ordered = sorted(found, key=ratio)
        panel.errorbar(
            [ratio(row) for row in ordered],
            [number(row, "mean") / cheapest(row) for row in ordered],
            yerr=[ERRORS_95 * number(row, "standard_error") / cheapest(row) for row in ordered],
            color=COLOURS[place],
            marker=MARKERS[place],
            linestyle="",
            label=f"batched on {family}",
        )
    ordered = sorted(next(iter(rows_grouped_by(rows, "family").values())), key=ratio)
    for name, label, colour, line in (
        ("optimum", "optimum of the two-phase algorithm", "black", "--"),
        ("lower_bound", "lower bound", "#8B0000", "-"),
    ):
        panel.plot(
            [ratio(row) for row in ordered],
            [number(row, name) / cheapest(row) for row in ordered],
            color=colour,
            linestyle=line,
            label=label,
        )
    logarithmic(panel, "x", "y")
    panel.set(
        xlabel="price of a random access / price of a sorted access",
        ylabel="mean price, in prices of the cheaper door",
    )
    legend_below(figure, [panel], 3)
    return figure


def exactness(rows: Table) -> Figure:
    """Draw the cost of the exact engine over that of the default one."""
    figure, (panel,) = empty_figure(height=3.0)
    names = [str(row["family"]) for row in rows]
    for shift, (label, values) in enumerate(
        {
            "time": column(rows, "times_slower"),
            "accesses": _ratios(rows, "exact_accesses", "default_accesses"),
            "noise draws": _ratios(rows, "exact_draws", "default_draws"),
        }.items()
    ):
        places = [place + 0.25 * (shift - 1) for place in range(len(names))]
        panel.barh(places, values, height=0.22, color=COLOURS[shift], label=label)
    panel.axvline(1, color="black")
    name_lines(panel, names)
    panel.set_xlabel("exact engine / default engine")
    legend_below(figure, [panel], 3)
    return figure


def sources(rows: Table) -> Figure:
    """Draw the speed of a selection over fetching everything, and the share of rows it moves."""
    there = [row for row in rows if "times_faster" in row]
    figure, (speed, moved) = empty_figure(2, height=3.4)
    names = list(rows_grouped_by(there, "database"))
    for shift, (family, found) in enumerate(rows_grouped_by(there, "family").items()):
        places = [names.index(str(row["database"])) + 0.36 * (shift - 0.5) for row in found]
        colour = COLOURS[shift]
        speed.barh(places, column(found, "times_faster"), height=0.32, color=colour, label=family)
        moved.barh(places, _ratios(found, "rows_moved", "m"), height=0.32, color=colour)
    speed.axvline(1, color="black")
    for panel in (speed, moved):
        logarithmic(panel, "x")
        name_lines(panel, names)
    speed.set_xlabel("time to fetch everything / time of a selection")
    moved.set_xlabel("rows moved / rows of the table")
    legend_below(figure, [speed], 2)
    return figure


def plans(rows: Table) -> Figure:
    """Draw the measured price over the planned one."""
    figure, (panel,) = empty_figure(height=max(2.6, 0.26 * len(rows) + 1.0))
    labels = []
    for place, row in enumerate(rows):
        is_worst = row["family"] == "worst"
        panel.plot(
            100 * number(row, "price_error"),
            place,
            color=COLOURS[0 if is_worst else 1],
            marker="o" if is_worst else "D",
        )
        price = f"{row['sorted_cost']}:{row['random_cost']}"
        labels.append(f"{row['family']}, m={row['m']:,}, k={row['k']}, prices {price}")
    panel.axvline(0, color="black")
    panel.set_xscale("symlog", linthresh=2)
    panel.set_xlim(-150, 20)
    panel.set_xticks([-100, -20, -5, -2, -1, 0, 1, 2, 5], minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:+.0f}"))
    name_lines(panel, labels, fontsize=8)
    panel.set_xlabel("error of the planned price: measured / planned - 1, in percent")
    return figure


def certificates(rows: Table) -> Figure:
    """Draw the gap between the certificate and 2 sqrt(mk) against k."""
    figure, (panel,) = empty_figure(height=3.4)
    for place, (epsilon, found) in enumerate(rows_grouped_by(rows, "epsilon").items()):
        ordered = rows_sorted_by(found, "k")
        panel.plot(
            column(ordered, "k"),
            column(ordered, "gap"),
            color=COLOURS[place],
            marker=MARKERS[place],
            markersize=3,
            label=f"epsilon = {float(epsilon):g}",
        )
    logarithmic(panel, "x")
    panel.set(xlabel="k, items to select", ylabel="2 sqrt(mk) / certificate")
    panel.set_ylim(bottom=0)
    legend_below(figure, [panel], 3)
    return figure


def _ratios(rows: Table, upper: str, lower: str) -> list[float]:
    return [number(row, upper) / number(row, lower) for row in rows]
