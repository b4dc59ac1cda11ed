"""All figures of the study: the table that each is drawn from, and how to read it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure

from privtopk.impl.measurement.rows import Table
from privtopk.impl.measurement.study.figures import access, others
from privtopk.impl.measurement.study.figures.style import house_style, save
from privtopk.impl.measurement.study.tables import digest, read_csv


@dataclass(frozen=True, slots=True)
class FigureOfStudy:
    """One figure: its name, table and heading, and how to read it."""

    name: str
    topic: str
    title: str
    reading: str
    draw: Callable[[Table], Figure]


FIGURES: Final = (
    FigureOfStudy(
        "accesses-m",
        "accesses",
        "Accesses against the size of the domain",
        "Every engine on its worst input, k = 10. On the right the same, divided by sqrt(mk): a "
        "flat row of points means growth like the square root. Points are at or below the law of "
        "their engine. The law of the threshold algorithm is below Theorem U, which is below the "
        "paper's bound. The certificate holds for some input: no algorithm is below it on all "
        "inputs.",
        access.against_m,
    ),
    FigureOfStudy(
        "accesses-k",
        "accesses",
        "Accesses against the number of selected items",
        "The same at m = 100,000. The paper's bound is loose for k = 1 and becomes tight. The "
        "threshold algorithm stops earlier than its law at small k; the stages do not.",
        access.against_k,
    ),
    FigureOfStudy(
        "accesses-epsilon",
        "accesses",
        "Accesses against the budget",
        "The upper bounds do not depend on epsilon; the cost does. With much noise all items are "
        "almost tied, and with little noise the leaders stand out, if there are any. In between, "
        "and where scores decrease evenly, more is read. The certificate holds for the worst "
        "input, so on these inputs the cost may be below it.",
        access.against_epsilon,
    ),
    FigureOfStudy(
        "accesses-family",
        "accesses",
        "Accesses by kind of data",
        "m = 100,000, k = 10, epsilon = 1. Six synthetic families and six shapes of votes; "
        "`worst` is the input on which the bounds are reached. The scan always reads everything. "
        "On most votes the leaders stand out, and 2k accesses are enough.",
        access.by_family,
    ),
    FigureOfStudy(
        "times",
        "times",
        "Time",
        "Ratios of times taken in turns in one run: above 1 an engine is faster than the best "
        "linear scan in numpy. Engines that make one access at a time are slower on hard inputs "
        "in memory; they are for sources where an access is expensive. A point off its curve was "
        "disturbed by other work on the machine; `make bench` takes more turns.",
        others.times,
    ),
    FigureOfStudy(
        "noise-draws",
        "accesses",
        "Noise draws",
        "Random numbers per selection. The one-shot mechanism and Algorithm 3 draw m, the others "
        "about as many as they read.",
        access.noise_draws,
    ),
    FigureOfStudy(
        "round-trips",
        "accesses",
        "Round trips",
        "Requests to the source per selection. Engines with stages make a handful, for all m, k.",
        access.round_trips,
    ),
    FigureOfStudy(
        "accuracy",
        "accuracy",
        "Accuracy against its exact quantile",
        "There are two levels of scores, and their difference is the exact quantile of the error "
        "at beta. A selection must fail with probability beta: points scatter around 1.",
        others.accuracy,
    ),
    FigureOfStudy(
        "prices",
        "prices",
        "Unequal costs",
        "From a sorted access at 1000 times the price of a random one (left) to the reverse. On "
        "the worst input the engine pays the optimum of the two-phase algorithm, "
        "2 sqrt(mk c_s c_r), and up to k random accesses more, for delivered items that it reads "
        "again: see the right end. The lower bound is the certificate for the prices of both "
        "doors. On votes with clear leaders the first 2k items are enough.",
        others.prices,
    ),
    FigureOfStudy(
        "exactness",
        "exactness",
        "The price of exactness",
        "The cost of the exact engine over that of the default engine, m = 1,000,000, k = 10. "
        "Both read the same on average; single selections vary.",
        others.exactness,
    ),
    FigureOfStudy(
        "sources",
        "sources",
        "Databases",
        "A selection against the fastest way found to fetch everything and add noise, "
        "m = 1,000,000, k = 10. Right of the line a selection is faster. DuckDB and Parquet scan, "
        "so a selection saves little except rows.",
        others.sources,
    ),
    FigureOfStudy(
        "plans",
        "plans",
        "The planner against what happens",
        "The mean price over the upper bound of `privtopk plan`, minus 1. On the worst inputs "
        "(circles) the plan is close, and the rest is chance; for k = 1 the engine gains by "
        "stopping early. On other inputs (diamonds) it is only a bound, and the engine pays far "
        "less.",
        others.plans,
    ),
    FigureOfStudy(
        "certificates",
        "certificates",
        "The gap between the bounds",
        "m = 1,000,000: 2 sqrt(mk), which is enough on every input, over what is proven to be "
        "necessary on some input, at a failure probability of 0.05 and delta = 0.",
        others.certificates,
    ),
)


def draw_all(folder: Path) -> Iterator[FigureOfStudy]:
    """Draw every figure whose table is in a folder, and yield it."""
    with house_style():
        for figure in FIGURES:
            path = folder / f"{figure.topic}.csv"
            if path.exists():
                save(figure.draw(read_csv(path)), folder, figure.name, source_of(path))
                yield figure


def source_of(path: Path) -> str:
    """Return the text by which a figure names its data."""
    return f"drawn from {path.name}, sha256 {digest(path)}"
