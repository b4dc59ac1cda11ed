"""How good a selection is: (alpha, k)-accuracy and exact top-k sets.

Paper: def:accuracy.
"""

from collections.abc import Collection, Sequence

from privtopk.spec.model.access import sorted_entries
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_distinct_items, require_k, require_number
from privtopk.spec.model.values import Histogram, Item, Number


def kth_largest(values: Sequence[Number], k: int) -> Number:
    """Return the k-th largest value, h[pi(k)] in the paper."""
    count = require_k(k, len(values))
    return sorted(values, reverse=True)[count - 1]


def is_accurate(histogram: Histogram, items: Collection[Item], alpha: Number, k: int) -> bool:
    """Return whether k items were selected and each scores at least h[pi(k)] - alpha.

    Paper: def:accuracy.
    """
    limit = kth_largest(histogram, k) - require_number("alpha", alpha)
    selected = require_distinct_items(items, len(histogram))
    return len(selected) == k and all(histogram[item - 1] >= limit for item in selected)


def error_of(histogram: Histogram, items: Collection[Item], k: int) -> int:
    """Return the smallest alpha >= 0 for which the selection is (alpha, k)-accurate."""
    selected = require_distinct_items(items, len(histogram))
    if len(selected) != require_k(k, len(histogram)):
        raise SelectionError(
            Reason.K_OUT_OF_RANGE, f"k={k} items must be selected, got {len(selected)}"
        )
    limit = sorted(histogram, reverse=True)[k - 1]
    return max(0, limit - min(histogram[item - 1] for item in selected))


def top_items(values: Sequence[Number], k: int) -> tuple[Item, ...]:
    """Return the k items with the largest values, best first, ties to the smaller item."""
    count = require_k(k, len(values))
    return tuple(entry.item for entry in sorted_entries(values)[:count])


def is_top_set(values: Sequence[Number], items: Collection[Item], k: int) -> bool:
    """Return whether no unselected item beats a selected one; ties may fall either way."""
    selected = require_distinct_items(items, len(values))
    if len(selected) != require_k(k, len(values)):
        return False
    worst = min(values[item - 1] for item in selected)
    return all(value <= worst for item, value in enumerate(values, start=1) if item not in selected)
