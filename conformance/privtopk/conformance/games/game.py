"""What a lower-bound game is: an adversary's draw, the doors it leaves open, and a bound.

The adversary draws an input afresh for every play, and closes a door or none. A theorem says:
a selector that keeps certain promises (privacy, accuracy) on every input pays at least so much
in the mean over these inputs and its own coins. So one that pays less has broken a promise.

Every bound here is a sum over t of lower bounds of P(cost > t), for t below a horizon. So it
also bounds the mean of the cost *counted up to the horizon*, which lies between 0 and the
horizon: that is what makes it testable with few plays.

The theorems speak of selectors that return only items they have read. Whoever returns another
one is charged what it would have taken to read it through the doors that are open; reading it
changes no answer, so the theorem holds for what is charged.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from privtopk.spec.model.access import Door
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item


class Promise(StrEnum):
    """What a selector may be found to have broken."""

    PRIVACY = "privacy"
    ACCURACY = "accuracy"

    COST = "cost"
    """It pays more than it says of itself."""

    RULES = "rules"
    """It does not answer, or not with k different items."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The size of a game, and what the selector promises in it."""

    m: int
    k: int

    epsilon: float = 0.1
    """What the whole selection may spend."""

    delta: float = 0.0

    beta: float = 0.01
    """How often the answer may be inaccurate."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What keeping the promises costs at least."""

    bound: float
    """The mean cost, counted up to the horizon, is not smaller."""

    horizon: int


@dataclass(frozen=True, slots=True)
class Instance:
    """What the adversary has drawn."""

    hard: Histogram
    """The input that the bound is about."""

    base: Histogram | None = None
    """Its neighbour with one client less, where privacy takes part."""

    low: frozenset[Item] = frozenset()
    """The items that privacy forces a selector to return now and then."""


class Game(ABC):
    """A family of inputs with its bound; how large it is played is said by the stakes."""

    name: ClassVar[str]

    title: ClassVar[str]
    """The game in a few words."""

    closed: ClassVar[Door | None]
    """The door that nobody may use."""

    promises: ClassVar[tuple[Promise, ...]]
    """What the bound follows from."""

    claims: ClassVar[tuple[str, ...]]
    """Keys of the claims that say so."""

    defaults: ClassVar[Stakes]

    spare: ClassVar[int]
    """How many votes of the n are not part of the allowed error: alpha = n - spare."""

    @property
    def doors(self) -> tuple[Door, ...]:
        """The doors that are open."""
        return tuple(door for door in Door if door is not self.closed)

    @abstractmethod
    def floor(self, stakes: Stakes) -> Floor:
        """Return what keeping the promises costs; refuse stakes beyond the theorem."""

    @abstractmethod
    def draw(self, stakes: Stakes, n: int, tape: Tape) -> Instance:
        """Draw an input in which no item has more than n votes."""
