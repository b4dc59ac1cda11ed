"""Our engines as subjects of the test oracle.

Nothing here imports the oracle. The oracle passes a list with `size`, `top(count)` and
`values(items)`, and a question with k, epsilon, delta, noise, relation and is_ranked. It numbers
items from 1, the engines number them from 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.engines.threshold import select_by_threshold
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader
from privtopk.impl.top_k import top_k
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind

HUGE: Final = 2**60
"""The size of the largest domain that the oracle tries."""


class ServedList(Protocol):
    """A list with two doors, in batches; items are numbered from 1."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def top(self, count: int) -> list[tuple[int, float]]:
        """Return the next entries by descending value."""

    def values(self, items: Sequence[int]) -> list[float]:
        """Return the values of items."""


class SelectionQuestion(Protocol):
    """The parameters of one selection."""

    @property
    def k(self) -> int:
        """The number of items to select."""

    @property
    def epsilon(self) -> float:
        """The total budget."""

    @property
    def delta(self) -> float:
        """The delta of the total budget."""

    @property
    def noise(self) -> NoiseKind:
        """The kind of noise."""

    @property
    def relation(self) -> Relation:
        """The neighbour relation."""

    @property
    def is_ranked(self) -> bool:
        """Whether the items are to be ranked, best first."""


class ServedSource:
    """A served list as a source for the engines."""

    def __init__(self, served: ServedList) -> None:
        """Start at the top."""
        self._served = served
        self.size = served.size

    def top(self, start: int, count: int) -> Page:
        """Return the next entries; engines read a list once and in order."""
        entries = self._served.top(count)
        items = np.array([item - 1 for item, _ in entries], dtype=np.int64)
        return Page(items, np.array([score for _, score in entries]))

    def scores(self, items: Integers) -> Integers:
        """Return the scores of the items."""
        return np.array(self._served.values([item + 1 for item in items.tolist()]))

    def name(self, item: int) -> object:
        """Return the oracle's number of an item."""
        return item + 1


@dataclass(frozen=True, slots=True)
class EngineSubject:
    """The public function with one engine."""

    engine: Engine
    cost: str
    largest: int
    kind: str = "selector"
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)
    ranked: bool = True

    def select(self, scores: ServedList, question: SelectionQuestion) -> Sequence[object]:
        """Return the selected items; the randomness is secure."""
        return top_k(
            ServedSource(scores),
            question.k,
            epsilon=question.epsilon,
            delta=question.delta,
            noise=question.noise,
            neighbours=question.relation,
            engine=self.engine,
            ranked=question.is_ranked,
        ).items


class ServedLevels:
    """A served noise list as a noise oracle; the level of a noise is its negative."""

    def __init__(self, served: ServedList) -> None:
        """Start at the top."""
        self._served = served
        self.size = served.size

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise."""
        ((item, noise),) = self._served.top(1)
        return item - 1, -noise

    def random_access(self, item: int) -> float:
        """Return the level of an item."""
        (noise,) = self._served.values([item + 1])
        return -noise


class NegatedLevels:
    """The noise law whose levels are those of `ServedLevels`."""

    kind = NoiseKind.GUMBEL

    def values(self, levels: np.ndarray) -> np.ndarray:
        """Return the noises of levels."""
        return -levels

    def value(self, level: float) -> float:
        """Return the noise of one level."""
        return -level

    def level(self, value: float) -> float:
        """Return the level of a noise."""
        return -value


class ThresholdSubject(EngineSubject):
    """An engine that can also run on served noise."""

    def select_with_noise(
        self, scores: ServedList, noises: ServedList, question: SelectionQuestion
    ) -> Sequence[int]:
        """Return the items that the threshold algorithm selects from two served lists."""
        reader = Reader(ServedSource(scores))
        run = select_by_threshold(reader, ServedLevels(noises), question.k, 1.0, NegatedLevels())
        return [item + 1 for item in run.items]


batched: Final = EngineSubject(Engine.BATCHED, "batched", HUGE)
one_shot: Final = EngineSubject(Engine.ONE_SHOT, "scan", 10_000)
exact: Final = EngineSubject(Engine.EXACT, "batched", HUGE)
automatic: Final = EngineSubject(Engine.AUTO, "batched", HUGE)
threshold: Final = ThresholdSubject(Engine.THRESHOLD, "threshold", 10_000)
online: Final = ThresholdSubject(Engine.ONLINE, "threshold", HUGE)
rank_free: Final = ThresholdSubject(Engine.RANK_FREE, "threshold", HUGE)
