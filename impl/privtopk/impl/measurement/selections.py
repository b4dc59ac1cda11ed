"""The cost of many selections: means, their errors, and prices."""

import math
import statistics
from collections.abc import Iterable, Sequence

from privtopk.impl.measurement.rows import Row
from privtopk.impl.selection import Audit, Selection


def price_of(audit: Audit, prices: tuple[int, int]) -> int:
    """Return the price of all accesses of a selection."""
    return prices[0] * audit.sorted_accesses + prices[1] * audit.random_accesses


def mean_of(numbers: Iterable[int]) -> float:
    """Return the mean of whole numbers."""
    return statistics.fmean(numbers)


def mean_counts(found: Sequence[Selection], **columns: str) -> Row:
    """Return columns with the means of what the audits of selections count."""
    return {
        column: mean_of(getattr(one.audit, count) for one in found)
        for column, count in columns.items()
    }


def spread_of(costs: Sequence[int]) -> Row:
    """Return the mean with its standard error, and the largest cost."""
    deviation = statistics.stdev(costs) if len(costs) > 1 else 0.0
    return {
        "mean": mean_of(costs),
        "standard_error": deviation / math.sqrt(len(costs)),
        "largest": max(costs),
    }
