"""The batched two-phase algorithm: a prefix of the score list, then the noise that can still win.

Phase one reads the first r items by sorted access and adds their noise. The k-th best noisy
score among them, M_k, is the bar. An unseen item has a score of at most s, the last one read,
so it can enter only with a noise above B = M_k - s. Phase two reveals the unseen items with
such a noise, about (m - r) k / (r + 1) of them, and reads their scores by random access.

With stages, the same is done for growing prefixes, so that an easy input needs only O(k)
accesses; the last stage is the two-phase algorithm itself.

Deviates: erratum:access-pattern (the number of candidates depends on the scores).
Ours:     ours:batched-exact, ours:batched-candidates, ours:batched-cost,
          ours:adaptive-prefix, ours:adaptive-stages, ours:unequal-costs.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from privtopk.spec.algorithms.threshold import keep_best
from privtopk.spec.model.access import DualAccess, Entry
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_cost, require_k, require_size
from privtopk.spec.model.values import Item, Number, exact_sum
from privtopk.spec.noise.distributions import Noise
from privtopk.spec.noise.field import NoiseField


@dataclass(frozen=True, slots=True)
class Prefix:
    """What is known after some sorted accesses, and all that a stopping rule may use."""

    length: int
    """The number of items read by sorted access."""

    chance: float
    """The probability that an unseen item has a noise above B; 1 before there is a bar."""


StoppingRule: TypeAlias = Callable[[Prefix], bool]
"""Returns whether phase one ends here. It may use what is revealed, never a hidden noise."""


@dataclass(frozen=True, slots=True)
class BatchedRun:
    """The items that a run selected, and the number of accesses it made."""

    selected: tuple[Entry, ...]
    """The k best items with their noisy scores, best first, ties to the smaller item."""

    prefix: int
    """The number of sorted accesses."""

    candidates: int
    """The number of random accesses."""

    @property
    def items(self) -> frozenset[Item]:
        """The selected set."""
        return frozenset(entry.item for entry in self.selected)


class _Run:
    """The state of one run: the doors, the noise, the best so far and the last score read."""

    def __init__(self, source: DualAccess, field: NoiseField, k: int) -> None:
        if source.size != field.size:
            raise SelectionError(
                Reason.DIFFERENT_DOMAINS,
                "scores and noise must have one common domain, "
                f"got sizes {source.size} and {field.size}",
            )
        self.m = source.size
        self.k = require_k(k, self.m)
        self.source = source
        self.field = field
        self.best: tuple[Entry, ...] = ()
        self.prefix = 0
        self.candidates = 0
        self.last: Number = math.inf

    def advance(self) -> None:
        """Read one more item by sorted access and add its noise."""
        delivered = self.source.sorted_access()
        self.prefix += 1
        self.last = delivered.value
        self._admit(delivered.item, delivered.value, self.field.noise_of(delivered.item))

    def needed_noise(self) -> Number:
        """Return B: an unseen item can enter only with a larger noise."""
        return self.best[-1].value - self.last if len(self.best) == self.k else -math.inf

    def open_above(self, z: Number) -> None:
        """Read the score of every unseen item whose noise exceeds z."""
        for entry in self.field.above(z):
            self.candidates += 1
            self._admit(entry.item, self.source.random_access(entry.item), entry.value)

    def finish(self) -> BatchedRun:
        """Read every item that can still win, which is phase two, and return the run."""
        if self.prefix < self.m:
            self.open_above(self.needed_noise())
        return BatchedRun(self.best, self.prefix, self.candidates)

    def _admit(self, item: Item, score: Number, noise: Number) -> None:
        self.best = keep_best(self.best, Entry(item, exact_sum((score, noise))), self.k)


def two_phase(source: DualAccess, field: NoiseField, k: int, is_enough: StoppingRule) -> BatchedRun:
    """Return the k items with the largest noisy scores; the rule ends phase one.

    Ours: ours:batched-exact, ours:adaptive-prefix.
    """
    run = _Run(source, field, k)
    while run.prefix < run.m and not is_enough(
        Prefix(run.prefix, run.field.chance_above(run.needed_noise()))
    ):
        run.advance()
    return run.finish()


def fixed_prefix(r: int) -> StoppingRule:
    """Return the rule that ends phase one after r >= 0 items."""
    length = require_between("r", r, 0, 2**60)
    return lambda prefix: prefix.length >= length


def adaptive_prefix(
    m: int, k: int, latest: int, sorted_cost: Number = 1, random_cost: Number = 1
) -> StoppingRule:
    """Return the rule that ends phase one as soon as going on cannot pay.

    If each unseen item is a candidate with probability q, reading the candidates now costs
    random_cost * (m - r) * q on average. Going on to the latest prefix costs at least
    sorted_cost * (latest - r).
    """
    require_k(k, require_size(m))
    require_between("latest", latest, k, m)
    require_cost("sorted_cost", sorted_cost)
    require_cost("random_cost", random_cost)

    def is_enough(prefix: Prefix) -> bool:
        r = prefix.length
        return r >= latest or (
            r >= k and random_cost * (m - r) * prefix.chance <= sorted_cost * (latest - r)
        )

    return is_enough


def multi_stage(
    source: DualAccess,
    field: NoiseField,
    k: int,
    noise: Noise,
    latest: int,
    first: int | None = None,
    growth: int = 4,
) -> BatchedRun:
    """Return the same k items in stages: prefixes of growing length, the last at `latest`.

    A stage that expects more candidates than its prefix is long does not read them all. It
    opens about as many items as the prefix is long, those with the largest noise, and goes on
    to the next prefix. The run ends early if no unseen item can pass the bar any more.

    Ours: ours:adaptive-stages.
    """
    run = _Run(source, field, k)
    require_between("latest", latest, k, run.m)
    require_between("growth", growth, 2, 2**20)
    length = min(latest, 2 * k if first is None else require_between("first", first, k, run.m))
    while True:
        while run.prefix < length:
            run.advance()
        hidden = run.m - run.prefix
        expected = hidden * field.chance_above(run.needed_noise())
        if length == latest or expected <= length:
            return run.finish()
        frontier = noise.upper_quantile(length / run.m)
        run.open_above(frontier)
        if run.needed_noise() >= frontier:
            return BatchedRun(run.best, run.prefix, run.candidates)
        length = min(latest, growth * length)
