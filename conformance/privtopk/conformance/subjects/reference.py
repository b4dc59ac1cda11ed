"""The specification's own objects as subjects; the oracle must accept every one.

They are slow and simple. They test the requirements themselves, and show how to present an
implementation to the oracle.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from privtopk.conformance.subjects.checked_doors import CheckedDoors
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Cost, Extra, Kind
from privtopk.conformance.subjects.question import Question, largest_allowed_rate
from privtopk.spec.algorithms.private_threshold import noise_list, private_threshold
from privtopk.spec.model.access import DualAccess, Entry, Ledger, sorted_entries
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import (
    require_at_least,
    require_histogram,
    require_item,
    require_k,
    require_size,
)
from privtopk.spec.model.tape import Tape, UniformTape
from privtopk.spec.model.values import Item, Number, Position
from privtopk.spec.noise.distributions import Noise, NoiseKind, noise_of
from privtopk.spec.noise.online_oracle import OnlineOracle, OrderStatistics
from privtopk.spec.noise.predecessor import NaiveIndex
from privtopk.spec.noise.rank_free import RankFreeOracle

BITS: Final = 52
"""A served uniform is (2n + 1) / 2^53 for a whole n below 2^52: never 0, never 1."""


def secure_uniform() -> float:
    """Return a uniform from the operating system's coins."""
    return (2 * secrets.randbits(BITS) + 1) / 2**53


def tape_from(uniform: Callable[[], Number]) -> UniformTape:
    """Return a tape that takes its coins from a function."""

    def uniforms() -> Iterator[Number]:
        while True:
            yield uniform()

    return UniformTape(uniforms())


class SecureTape(UniformTape):
    """A tape of the operating system's coins; whole numbers are exactly uniform."""

    def __init__(self) -> None:
        """Take fresh coins."""
        super().__init__(tape_from(secure_uniform).uniforms)

    def below(self, n: int) -> int:
        """Return a uniform integer in 0, ..., n - 1, also where n exceeds 2^52."""
        return secrets.randbelow(n)


class HarnessList:
    """A list of the harness as the specification reads it."""

    def __init__(self, doors: Doors) -> None:
        """Take the doors for one call."""
        self._doors = doors

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._doors.size

    @property
    def ledger(self) -> Ledger:
        """Empty: the harness counts."""
        return Ledger()

    def sorted_access(self) -> Entry:
        """Return the next entry by descending value."""
        item, value = self._doors.sorted_access()
        return Entry(Item(item), value)

    def random_access(self, item: Item) -> float:
        """Return the value of an item."""
        return self._doors.random_access(item)


@dataclass(frozen=True, slots=True)
class SpecSelector:
    """Algorithm 3 with the full noise list, in all three profiles."""

    kind: Kind = Kind.SELECTOR
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)
    ranked: bool = True
    cost: Cost = Cost.THRESHOLD
    largest: int = 2000

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with the operating system's coins."""
        return self.select_with_uniforms(scores, secure_uniform, question)

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], Number], question: Question
    ) -> Sequence[int]:
        """Select with served coins: one uniform per item."""
        rate = largest_allowed_rate(require_question(question), scores.size)
        noise = noise_of(question.noise, rate)
        noises = noise_list(noise, scores.size, tape_from(uniform))
        return answer_of(HarnessList(CheckedDoors(scores)), noises, question)

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select with a served noise list."""
        require_k(require_question(question).k, scores.size)
        return answer_of(HarnessList(CheckedDoors(scores)), HarnessList(noises), question)


def require_question(question: Question) -> Question:
    """Refuse a ranked list under Laplace noise; `calibrate` checks the numbers."""
    if question.is_ranked and question.noise is NoiseKind.LAPLACE:
        raise SelectionError(
            Reason.RANKED_LAPLACE, "a ranked list needs Gumbel noise, got noise=laplace"
        )
    return question


def answer_of(scores: DualAccess, noises: DualAccess, question: Question) -> Sequence[int]:
    """Return the items best first if the question asks for a ranking, and by number if not."""
    run = private_threshold(scores, noises, question.k)
    best_first = [int(entry.item) for entry in run.selected]
    return best_first if question.is_ranked else sorted(best_first)


class SpecNoiseList:
    """A noise oracle of the specification as a subject."""

    def __init__(self, oracle: DualAccess) -> None:
        """Take a fresh oracle."""
        self._oracle = oracle

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""
        entry = self._oracle.sorted_access()
        return int(entry.item), float(entry.value)

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        return float(self._oracle.random_access(Item(item)))


@dataclass(frozen=True, slots=True)
class SpecNoiseOracle:
    """A noise oracle of the specification with the operating system's coins."""

    oracle: Callable[[int, Noise, Tape], DualAccess]
    largest: int
    kind: Kind = Kind.NOISE_ORACLE
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)

    def __call__(self, m: int, rate: float, noise: str) -> SpecNoiseList:
        """Return a fresh list."""
        return SpecNoiseList(self.oracle(m, noise_of(NoiseKind(noise), rate), SecureTape()))


class SpecOrderedNoise:
    """The order statistics of the specification as noises instead of levels."""

    def __init__(self, m: int, noise: Noise) -> None:
        """Start with nothing revealed."""
        self._levels = OrderStatistics(m, SecureTape())
        self._noise = noise

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        return self._noise.from_exponential(self._levels.at(Position(position)))


@dataclass(frozen=True, slots=True)
class SpecOrderStatistics:
    """The order statistics of the specification as a subject."""

    kind: Kind = Kind.ORDER_STATISTICS
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)
    largest: int = 2**50

    def __call__(self, m: int, rate: float, noise: str) -> SpecOrderedNoise:
        """Return a fresh list."""
        return SpecOrderedNoise(m, noise_of(NoiseKind(noise), rate))


@dataclass(frozen=True, slots=True)
class SpecIndex:
    """The naive index of the specification as a subject; it needs no universe."""

    kind: Kind = Kind.PREDECESSOR_INDEX

    def __call__(self, universe: int) -> NaiveIndex:
        """Return an empty index."""
        require_at_least("universe", universe, 1)
        return NaiveIndex()


class StoredScores:
    """A copy of a histogram, with pages and names; later writes of the owner do not change it."""

    def __init__(
        self, histogram: Sequence[int], names: Sequence[int] | Sequence[str] | None = None
    ) -> None:
        """Copy and sort once, ties to the smaller item."""
        self._owned = list(histogram)
        self._names = names
        self._histogram = require_histogram(histogram)
        self._sorted = sorted_entries(self._histogram)
        self.size = require_size(len(self._histogram))

    def top(self, start: int, count: int) -> list[tuple[int, int]]:
        """Return the entries at the ranks from start on, fewer at the end."""
        first = require_at_least("start", start, 1) - 1
        wanted = self._sorted[first : first + require_at_least("count", count, 0)]
        return [(entry.item, self._histogram[entry.item - 1]) for entry in wanted]

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return the scores of the items, in their order."""
        return [self._histogram[require_item(item, self.size) - 1] for item in items]

    def name(self, item: int) -> int | str:
        """Return the owner's name of an item."""
        number = require_item(item, self.size)
        return number if self._names is None else self._names[number - 1]

    def rewrite(self, histogram: Sequence[int]) -> None:
        """Write to the owner's list."""
        self._owned[:] = histogram


@dataclass(frozen=True, slots=True)
class SpecSource:
    """Stored lists as a subject."""

    kind: Kind = Kind.SOURCE
    extras: tuple[Extra, ...] = (Extra.NAME, Extra.NAMED, Extra.REWRITE)

    def __call__(self, histogram: Sequence[int]) -> StoredScores:
        """Return a fresh source."""
        return StoredScores(histogram)

    def named(self, names: Sequence[int] | Sequence[str], histogram: Sequence[int]) -> StoredScores:
        """Return a fresh source whose items have names."""
        return StoredScores(histogram, names)


spec_selector: Final = SpecSelector()
spec_rank_free_oracle: Final = SpecNoiseOracle(RankFreeOracle, 2**60)
spec_online_oracle: Final = SpecNoiseOracle(OnlineOracle, 2**50)
spec_order_statistics: Final = SpecOrderStatistics()
naive_index: Final = SpecIndex()
stored_source: Final = SpecSource()
