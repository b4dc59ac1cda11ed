"""Lower-bound games: an adversary draws an input, closes at most one door, and a bound holds.

The adversary draws a new input for every play. A theorem says: if a selector keeps certain
promises (privacy, accuracy) on every input, its mean cost over these inputs and its own
randomness is at least a bound. So a selector that costs less has broken a promise.

Every bound here is a sum over t of lower bounds of P(cost > t), for t below a horizon. So it
also bounds the mean of the cost *counted up to the horizon*. That cost lies between 0 and the
horizon, which makes the bound testable with few plays.

The theorems are about selectors that return only items they have read. If an item was returned
but not read, the cost of reading it through the open doors is added. Reading it would change no
answer, so the theorem holds for the sum.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from privtopk.spec.model.access import Door
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item


class Promise(StrEnum):
    """A promise that a selector may break."""

    PRIVACY = "privacy"
    ACCURACY = "accuracy"

    COST = "cost"
    """Its cost is at most what it promises."""

    RULES = "rules"
    """It answers, with k different items."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The size of a game, and the promises of the selector in it."""

    m: int
    k: int

    epsilon: float = 0.1
    """The budget of the whole selection."""

    delta: float = 0.0

    beta: float = 0.01
    """The probability with which an answer may be inaccurate."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The lower bound on the cost of a selector that keeps its promises."""

    bound: float
    """The mean cost, counted up to the horizon, is at least this."""

    horizon: int


@dataclass(frozen=True, slots=True)
class Instance:
    """The input that the adversary has drawn."""

    hard: Histogram
    """The input that the bound is about."""

    base: Histogram | None = None
    """Its neighbour with one client less, if the bound follows from privacy."""

    low: frozenset[Item] = frozenset()
    """The items that a private selector must sometimes return."""


class Game(ABC):
    """A family of inputs with its bound; the stakes set its size."""

    name: ClassVar[str]

    title: ClassVar[str]
    """The game in a few words."""

    closed: ClassVar[Door | None]
    """The closed door, or None."""

    promises: ClassVar[tuple[Promise, ...]]
    """The promises from which the bound follows."""

    claims: ClassVar[tuple[str, ...]]
    """Keys of the claims that state the bound."""

    defaults: ClassVar[Stakes]

    spare: ClassVar[int]
    """Difference of n and the allowed error: alpha = n - spare."""

    @property
    def doors(self) -> tuple[Door, ...]:
        """The doors that are open."""
        return tuple(door for door in Door if door is not self.closed)

    @abstractmethod
    def floor(self, stakes: Stakes) -> Floor:
        """Return the lower bound on the cost; raise for stakes that the theorem does not cover."""

    @abstractmethod
    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw an input in which no item has more than n votes."""
