"""The noise of all items, of which an algorithm reveals only what it needs.

The batched algorithms ask two questions: what is the noise of this item, and which hidden
items (those not yet revealed) have a noise above z? `ServedNoise` answers from a table that
was drawn beforehand, so an algorithm becomes a deterministic function of scores and noise.
`LazyNoise` answers from a tape, with the same joint law, by the invariant of the rank-free
oracle.

Ours: ours:adaptive-stages, ours:batched-exact.
"""

import math
from collections.abc import Sequence
from typing import Protocol

from privtopk.spec.model.access import Entry
from privtopk.spec.model.parameters import require_item, require_number, require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Item, Number, items_of
from privtopk.spec.noise.distributions import Noise, exponential


class NoiseField(Protocol):
    """One noise per item, revealed on demand."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def noise_of(self, item: Item) -> Number:
        """Return the noise of an item; it is revealed from now on."""

    def above(self, z: Number) -> tuple[Entry, ...]:
        """Reveal every hidden item whose noise exceeds z."""

    def chance_above(self, z: Number) -> float:
        """Return the probability that a hidden noise exceeds z."""


class ServedNoise:
    """Noise from a given table; records what has been revealed."""

    def __init__(self, noises: Sequence[Number], noise: Noise) -> None:
        """Take one noise per item, in the order of items 1, ..., m, and the law of the noise."""
        require_size(len(noises))
        self._noises = tuple(require_number("a noise", value) for value in noises)
        self._noise = noise
        self._hidden = set(items_of(len(noises)))
        self._bounds: list[Number] = []

    @property
    def size(self) -> int:
        """The number m of items."""
        return len(self._noises)

    def noise_of(self, item: Item) -> Number:
        """Return the noise of an item."""
        known = require_item(item, self.size)
        self._hidden.discard(known)
        return self._noises[known - 1]

    def above(self, z: Number) -> tuple[Entry, ...]:
        """Reveal every hidden item whose noise exceeds z."""
        found = sorted(item for item in self._hidden if self._noises[item - 1] > z)
        self._hidden.difference_update(found)
        self._bounds.append(z)
        return tuple(Entry(item, self._noises[item - 1]) for item in found)

    def chance_above(self, z: Number) -> float:
        """Return P(Z > z) for a noise that is known to lie at or below all earlier bounds."""
        frontier = min(self._bounds, default=math.inf)
        return _chance_between(self._noise, _nearest(z), _nearest(frontier))


class LazyNoise:
    """Noise drawn from a tape only when it is revealed.

    Invariant: given everything revealed, the hidden noises are i.i.d. with the law of the
    noise conditioned to lie at or below the frontier.
    """

    def __init__(self, m: int, noise: Noise, tape: Tape) -> None:
        """Start with every noise hidden and no frontier."""
        self._noise = noise
        self._tape = tape
        self._revealed: dict[Item, float] = {}
        self._size = require_size(m)
        self._frontier = math.inf

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._size

    def noise_of(self, item: Item) -> float:
        """Return the noise of an item, drawn below the frontier if it is new."""
        known = require_item(item, self._size)
        if known not in self._revealed:
            level = self._frontier_level() + exponential(self._tape)
            self._revealed[known] = self._noise.from_exponential(level)
        return self._revealed[known]

    def above(self, z: Number) -> tuple[Entry, ...]:
        """Reveal every hidden item whose noise exceeds z: a Bernoulli subset of them."""
        hidden = [item for item in items_of(self._size) if item not in self._revealed]
        chance = self.chance_above(z)
        start = self._frontier_level()
        for index in self._tape.subset(len(hidden), chance):
            # The level is exponential, cut off between the old frontier and the new one.
            step = -math.log1p(-chance * float(self._tape.uniform()))
            self._revealed[hidden[index]] = self._noise.from_exponential(start + step)
        self._frontier = min(self._frontier, _nearest(z))
        return tuple(Entry(item, self._revealed[item]) for item in hidden if item in self._revealed)

    def chance_above(self, z: Number) -> float:
        """Return the probability that a hidden noise exceeds z."""
        return _chance_between(self._noise, _nearest(z), self._frontier)

    def _frontier_level(self) -> float:
        return 0.0 if self._frontier == math.inf else self._noise.to_exponential(self._frontier)


def _nearest(z: Number) -> float:
    """Return a number as a float, infinite where no double is that large."""
    try:
        return float(z)
    except OverflowError:
        return math.inf if z > 0 else -math.inf


def _chance_between(noise: Noise, z: float, frontier: float) -> float:
    """Return P(Z > z | Z <= frontier), without cancellation in the upper tail."""
    if z >= frontier:
        return 0.0
    if frontier == math.inf:
        return noise.survival(z)
    return -math.expm1(noise.to_exponential(frontier) - noise.to_exponential(z))
