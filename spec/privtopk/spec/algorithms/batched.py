"""The batched two-phase algorithm: a prefix of the score list, then the noise that can still win.

Phase one reads the first r items by sorted access and adds their noise. The k-th best of
them, M_k, is a bar: an unseen item has a score of at most s, the last one read, so it can
enter only with a noise above B = M_k - s. Phase two asks which unseen items have such a
noise, about (m - r) k / (r + 1) of them, and reads their scores by random access.

With stages the same is done for growing prefixes, so that an easy input is finished after
O(k) accesses; the last stage is the two-phase algorithm itself.

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
    """What is known after some sorted accesses; a stopping rule may look at this and no more."""

    length: int
    """How many items were read by sorted access."""

    chance: float
    """The probability that an unseen item has a noise above the bar; 1 before there is a bar."""


StoppingRule: TypeAlias = Callable[[Prefix], bool]
"""Says when phase one ends. It may use what is revealed, never a noise that is hidden."""


@dataclass(frozen=True, slots=True)
class BatchedRun:
    """What a run found and what it read."""

    selected: tuple[Entry, ...]
    """The k best items with their noisy scores, best first, ties to the smaller item."""

    prefix: int
    """How many sorted accesses were made."""

    candidates: int
    """How many random accesses were made."""

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

    def bar(self) -> Number:
        """Return the noise that an unseen item needs in order to enter."""
        return self.best[-1].value - self.last if len(self.best) == self.k else -math.inf

    def open_to(self, level: Number) -> None:
        """Read the score of every unseen item whose noise exceeds a level."""
        for entry in self.field.above(level):
            self.candidates += 1
            self._admit(entry.item, self.source.random_access(entry.item), entry.value)

    def finish(self) -> BatchedRun:
        """Let in everything that can still win: the second phase."""
        if self.prefix < self.m:
            self.open_to(self.bar())
        return BatchedRun(self.best, self.prefix, self.candidates)

    def _admit(self, item: Item, score: Number, noise: Number) -> None:
        self.best = keep_best(self.best, Entry(item, exact_sum((score, noise))), self.k)


def two_phase(source: DualAccess, field: NoiseField, k: int, is_enough: StoppingRule) -> BatchedRun:
    """Return the k items with the largest noisy scores; phase one ends as the rule says."""
    run = _Run(source, field, k)
    while run.prefix < run.m and not is_enough(
        Prefix(run.prefix, run.field.chance_above(run.bar()))
    ):
        run.advance()
    return run.finish()


def fixed_prefix(r: int) -> StoppingRule:
    """Return the rule that ends phase one after r items, 0 <= r."""
    length = require_between("r", r, 0, 2**60)
    return lambda prefix: prefix.length >= length


def adaptive_prefix(
    m: int, k: int, latest: int, sorted_cost: Number = 1, random_cost: Number = 1
) -> StoppingRule:
    """Return the rule that ends phase one as soon as going on cannot pay.

    With q the chance of an unseen item, reading its candidates now costs random_cost *
    (m - r) * q on average; going on to the latest prefix costs sorted_cost * (latest - r)
    at least.
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
    """Return the same k items by stages of growing prefixes, the last at `latest`.

    A stage that expects more candidates than it has read sorted items does not let them all
    in: it lowers the frontier of the noise by about as many items as the prefix is long,
    and goes on to the next prefix. It stops early if the bar has risen to that frontier.
    """
    run = _Run(source, field, k)
    require_between("latest", latest, k, run.m)
    require_between("growth", growth, 2, 2**20)
    length = min(latest, 2 * k if first is None else require_between("first", first, k, run.m))
    while True:
        while run.prefix < length:
            run.advance()
        hidden = run.m - run.prefix
        expected = hidden * field.chance_above(run.bar())
        if length == latest or expected <= length:
            return run.finish()
        frontier = noise.upper_quantile(length / run.m)
        run.open_to(frontier)
        if run.bar() >= frontier:
            return BatchedRun(run.best, run.prefix, run.candidates)
        length = min(latest, growth * length)
