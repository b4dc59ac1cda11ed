"""How far the best certificate is below 2 sqrt(mk), the bound of the two-phase algorithm.

`python -m privtopk.spec.lower_bounds.certificate_gap` prints the table of the documentation;
with `--csv` it prints one row per k, for plots.

Paper: thm:lower-both.
Ours:  ours:hit-certificate, ours:batched-cost.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Final

from privtopk.spec.lower_bounds.certificate_search import best_certificate
from privtopk.spec.model.values import Number

BETA: Final = 0.05
"""The table is for algorithms that are accurate with probability 0.95 and have delta = 0."""

TABLE_SIZES: Final = (10**6, 10**9)
TABLE_LOSSES: Final = (0, 0.1, 1)
TABLE_COUNTS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Gap:
    """The best certificate for one choice of m, k and epsilon, against the upper bound."""

    m: int
    k: int
    epsilon: Number
    delta: Number
    beta: Number

    certificate: float
    """The least cost of every private and accurate algorithm, at least k."""

    upper: float
    """2 sqrt(mk), which the mean cost of the two-phase algorithm never exceeds."""

    share: float
    """The certificate as a multiple of sqrt(mk)."""

    factor: float
    """The upper bound as a multiple of the certificate."""


def certificate_gap(m: int, k: int, epsilon: Number, delta: Number = 0, beta: Number = BETA) -> Gap:
    """Return the best certificate, compared with 2 sqrt(mk)."""
    bound = max(float(k), best_certificate(m, k, epsilon, delta, beta).bound)
    root = math.sqrt(m * k)
    return Gap(m, k, epsilon, delta, beta, bound, 2 * root, bound / root, 2 * root / bound)


def certificate_gaps(
    m: int, counts: Iterable[int], epsilon: Number, delta: Number = 0, beta: Number = BETA
) -> Iterator[Gap]:
    """Yield the gap for each k."""
    return (certificate_gap(m, k, epsilon, delta, beta) for k in counts)


def as_csv(gaps: Iterable[Gap]) -> Iterator[str]:
    """Yield the lines of a table of comma-separated values, starting with a header."""
    yield ",".join(field.name for field in fields(Gap))
    for gap in gaps:
        yield ",".join(str(value) for value in astuple(gap))


def as_markdown() -> Iterator[str]:
    """Yield the lines of the table of the documentation."""
    columns = [(m, epsilon) for m in TABLE_SIZES for epsilon in TABLE_LOSSES]
    titles = [f"m = 10^{round(math.log10(m))}, eps = {epsilon}" for m, epsilon in columns]
    yield "| k | " + " | ".join(titles) + " |"
    yield "|--:|" + "--:|" * len(columns)
    for k in TABLE_COUNTS:
        gaps = [certificate_gap(m, k, epsilon) for m, epsilon in columns]
        yield f"| {k} | " + " | ".join(f"{x.share:.3f} ({x.factor:.1f})" for x in gaps) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of the documentation or, for one m and epsilon, one row per k."""
    parser = argparse.ArgumentParser(
        prog="python -m privtopk.spec.lower_bounds.certificate_gap",
        description="Compare the lower bounds with 2 sqrt(mk).",
    )
    parser.add_argument("--csv", action="store_true", help="print one row per k")
    parser.add_argument(
        "--items", type=int, default=10**6, metavar="M", help="number of items (1000000)"
    )
    parser.add_argument("--epsilon", type=float, default=1.0, help="privacy loss (1)")
    parser.add_argument("--largest", type=int, default=1000, metavar="K", help="largest k (1000)")
    options = parser.parse_args(arguments)
    counts = range(1, options.largest + 1)
    rows = certificate_gaps(options.items, counts, options.epsilon)
    for line in as_csv(rows) if options.csv else as_markdown():
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
