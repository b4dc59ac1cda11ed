"""All figures of the study: from which table each is drawn, and how it is to be read."""

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
    """One figure: its name, its table, its heading and how to read it."""

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
        "Every engine on its worst input, k = 10. On the right the same over sqrt(mk): a flat "
        "row of points is growth like the square root. Points lie at or below the law of their "
        "engine. That of the threshold algorithm lies below Theorem U, which lies below the "
        "paper's bound. The certificate is for some input: no algorithm lies below it on all of"
        " them.",
        access.against_m,
    ),
    FigureOfStudy(
        "accesses-k",
        "accesses",
        "Accesses against the number of selected items",
        "The same at m = 100,000. The paper's bound is loose for k = 1 and becomes tight. The "
        "threshold algorithm stops before its law says at small k, the stages do not.",
        access.against_k,
    ),
    FigureOfStudy(
        "accesses-epsilon",
        "accesses",
        "Accesses against the budget",
        "The upper bounds do not depend on epsilon, the cost does: with much noise all items "
        "are as good as tied, and with little noise the leaders stand out, where there are any."
        " In between, and where scores fall evenly, more is read. The certificate is for the "
        "worst input, so on these it may be undercut.",
        access.against_epsilon,
    ),
    FigureOfStudy(
        "accesses-family",
        "accesses",
        "Accesses by kind of data",
        "m = 100,000, k = 10, epsilon = 1. Six synthetic families and six shapes of votes; "
        "`worst` is the input on which the bounds are met. The scan reads all, always. On most "
        "votes the leaders stand out, and 2k accesses are enough.",
        access.by_family,
    ),
    FigureOfStudy(
        "times",
        "times",
        "Time",
        "Ratios of times taken in turns in one run: above 1 an engine is faster than the best "
        "linear scan in numpy. Engines that take one access at a time lose on hard inputs in "
        "memory; they are for sources where an access is dear. A point that breaks its curve "
        "was disturbed by other work on the machine; `make bench` takes more care.",
        others.times,
    ),
    FigureOfStudy(
        "noise-draws",
        "accesses",
        "Noise draws",
        "Random numbers that a selection takes. The one-shot mechanism and Algorithm 3 draw m, "
        "the others about as many as they read.",
        access.noise_draws,
    ),
    FigureOfStudy(
        "round-trips",
        "accesses",
        "Round trips",
        "Questions to the source. Engines with stages ask a handful, whatever m and k.",
        access.round_trips,
    ),
    FigureOfStudy(
        "accuracy",
        "accuracy",
        "Accuracy against its exact quantile",
        "On two levels of scores exactly as far apart as the exact quantile of the error at "
        "beta, a selection must fail with probability beta: points scatter around 1.",
        others.accuracy,
    ),
    FigureOfStudy(
        "prices",
        "prices",
        "Unequal costs",
        "From a sorted access at 1000 times the price of a random one (left) to the reverse. On"
        " the worst input the engine pays the optimum of the two-phase algorithm, 2 sqrt(mk c_s"
        " c_r), and up to k random accesses more, for delivered items that it reads again: that"
        " shows at the right end. The lower bound is the certificate for the prices of both "
        "doors. On votes whose leaders stand out the first 2k items are enough.",
        others.prices,
    ),
    FigureOfStudy(
        "exactness",
        "exactness",
        "The price of exactness",
        "What the exact engine takes, over what the default engine takes, m = 1,000,000, k = "
        "10. Both read the same on average; single selections vary.",
        others.exactness,
    ),
    FigureOfStudy(
        "sources",
        "sources",
        "Databases",
        "A selection against the fastest way found to fetch everything and add noise, m = "
        "1,000,000, k = 10. Right of the line a selection is faster. DuckDB and Parquet scan, "
        "so there is little to save but rows.",
        others.sources,
    ),
    FigureOfStudy(
        "plans",
        "plans",
        "The planner against what happens",
        "The mean price over what `privtopk plan` says it is at most, less 1. On the worst "
        "inputs (circles) the plan is close, and what it misses is chance; for k = 1 the engine"
        " profits from stopping early. On other inputs (diamonds) it is a bound, and the engine"
        " pays far less.",
        others.plans,
    ),
    FigureOfStudy(
        "certificates",
        "certificates",
        "The gap between the bounds",
        "m = 1,000,000: how many times 2 sqrt(mk), which is enough on every input, exceeds what"
        " is proven to be needed on some input, at a failure probability of 0.05 and delta = 0.",
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
    """Return by what a figure names the data that it shows."""
    return f"drawn from {path.name}, sha256 {digest(path)}"
