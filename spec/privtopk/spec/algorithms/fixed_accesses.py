"""Fixed accesses: a selection whose cost says nothing about the scores.

Read exactly t items by sorted access, and by random access exactly the t items with the largest
noise, also those already delivered. If at least k items are in both, the k best noisy scores are
among the items read. Otherwise read everything. That happens with probability
P(Hyp(m, t, t) <= k - 1), whatever the scores are.

If that probability is at most delta', and the items alone are (eps, delta)-private, the pair of
items and cost is (eps, delta + (1 + e^eps) delta')-private.

Ours:     ours:fixed-accesses.
Deviates: erratum:access-pattern (here the cost may be published).
"""

from dataclasses import dataclass
from fractions import Fraction

from privtopk.spec.algorithms.threshold import keep_best
from privtopk.spec.laws.hypergeometric import hypergeometric_cdf
from privtopk.spec.model.access import DualAccess, Entry
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_k, require_size
from privtopk.spec.model.values import Item, Number, exact_sum


@dataclass(frozen=True, slots=True)
class FixedRun:
    """The items that a run selected, and whether its accesses were enough."""

    selected: tuple[Entry, ...]
    """The k best items with their noisy scores, best first, ties to the smaller item."""

    is_enough: bool
    """Whether k items were read through both doors; if not, everything was read."""

    @property
    def items(self) -> tuple[Item, ...]:
        """The ranked list."""
        return tuple(entry.item for entry in self.selected)


def fixed_accesses(scores: DualAccess, noises: DualAccess, k: int, t: int) -> FixedRun:
    """Return the k items with the largest noisy scores after t accesses through each door.

    Ours: ours:fixed-accesses.
    """
    if scores.size != noises.size:
        raise SelectionError(
            Reason.DIFFERENT_DOMAINS,
            "scores and noise must have one common domain, "
            f"got sizes {scores.size} and {noises.size}",
        )
    require_k(k, scores.size)
    require_between("t", t, 0, scores.size)
    by_score = [scores.sorted_access() for _ in range(t)]
    by_noise = [noises.sorted_access() for _ in range(t)]
    values = {
        entry.item: exact_sum((scores.random_access(entry.item), entry.value)) for entry in by_noise
    }
    common = sum(1 for entry in by_score if entry.item in values)
    if common < k:
        by_score += [scores.sorted_access() for _ in range(scores.size - t)]
    for entry in by_score:
        values[entry.item] = _noisy_score(entry, noises)
    best: tuple[Entry, ...] = ()
    for item, value in values.items():
        best = keep_best(best, Entry(item, value), k)
    return FixedRun(best, common >= k)


def _noisy_score(entry: Entry, noises: DualAccess) -> Number:
    return exact_sum((entry.value, noises.random_access(entry.item)))


def chance_to_read_everything(m: int, k: int, t: int) -> Fraction:
    """Return the probability that fewer than k items are read through both doors.

    Ours: ours:fixed-accesses.
    """
    require_k(k, require_size(m))
    return hypergeometric_cdf(m, t, t, k - 1)
