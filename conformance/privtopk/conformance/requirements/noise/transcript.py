"""A noise list under test, with all that its answers have revealed so far.

Let z be the noise delivered last, R the number of unseen items, and a the largest noise below z
that random access has returned and sorted access has not delivered. Given all earlier answers,
the noises of the unseen items are i.i.d. with law F(x)/F(z) below z. Therefore:

- the noise Z of an unseen item has F(Z)/F(z) uniform;
- the largest W of the unseen noises has (F(W)/F(z))^R uniform. If W exceeds a, sorted access
  returns W. If not, it returns a, which reveals only that W <= a; then the residual is drawn
  uniformly from [0, (F(a)/F(z))^R]. It is uniform in both cases together;
- the item that has W is uniform among the R unseen items, and independent of W.

Each number is uniform given all that came before, for every implementation with the law of
an i.i.d. list and for every choice of queries. A residual may therefore be assigned to a stream
only by what is known before the query: by the case, never by the outcome.
"""

import math
from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import Final

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.requirements.noise.list_under_test import ListUnderTest
from privtopk.conformance.requirements.noise.residuals import finite_float, require_refusal
from privtopk.conformance.subjects.answers import plain_item
from privtopk.conformance.subjects.calls import AnswerError
from privtopk.spec.noise.distributions import NoiseKind

FIRST_SORTED: Final = "first sorted access"
SORTED: Final = "sorted access, nothing pending"
PAST_PENDING: Final = "sorted access, some pending"
AFTER_KNOWN: Final = "sorted access after a known item and a look-up"
RANDOM_AT_START: Final = "random access at the start"
RANDOM_LATER: Final = "random access after a prefix"
CASES: Final = (
    FIRST_SORTED,
    SORTED,
    PAST_PENDING,
    AFTER_KNOWN,
    RANDOM_AT_START,
    RANDOM_LATER,
)
"""What is known before a query.

Is there a prefix? Is a noise below it pending, that is, looked up but not yet delivered? Was a
pending one delivered last, and another item looked up since? Then a maximum of the unseen noises
that was drawn at the delivery is stale.
"""

DIGITS: Final = 2**10
MANY: Final = 2**40
"""Among 2^40 items the last ten binary digits of a rank are uniform up to 2^-30."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one query revealed that was not known before."""

    case: str
    unseen: int
    """Number of unseen items before the query."""

    residual: float
    """The uniform of the noise."""

    item: float | None = None
    """The uniform of the item's rank among the unseen, if sorted access delivered a new item."""

    item_after_latest: float | None = None
    """The same, with ranks counted cyclically from the item seen last."""

    digits: float | None = None
    """The uniform of the rank's last ten binary digits, if at least about 2^40 are unseen."""


class Transcript(ListUnderTest):
    """A fresh noise list and what is known about it; every answer is checked against that."""

    place = "item"

    def __init__(self, trial: Trial, m: int, rate: float, kind: NoiseKind) -> None:
        """Ask the subject for a list."""
        super().__init__(trial, m, rate, kind)
        self._pending: dict[int, float] = {}
        self._seen: list[int] = []
        self._latest = 0
        self._frontier = math.inf
        self._was_known = False
        self._is_stale = False
        self.delivered = 0

    @property
    def unseen(self) -> int:
        """The number R of unseen items."""
        return self.m - len(self.values)

    def fresh_item(self) -> int:
        """Return an unseen item, more often the first or the last; there must be one."""
        coins = self._trial.coins
        while True:
            item = coins.choice((1, self.m, coins.randint(1, self.m), coins.randint(1, self.m)))
            if item not in self.values:
                return item

    def seen_item(self) -> int:
        """Return an item seen before; there must be one."""
        return self._trial.coins.choice(self._seen)

    def random_access(self, item: int) -> Step | None:
        """Ask for an item's noise; return None if the item was seen before."""
        value = self._answer("random access to item", self._list.random_access, item)
        if item in self.values:
            self._require_same_value(item, value)
            return None
        if value > self._frontier:
            raise ViolationError(
                f"{self._where}: random access gave item {item} the noise {value}, but sorted "
                f"access had come down to {self._frontier} without it"
            )
        case = RANDOM_LATER if self.delivered else RANDOM_AT_START
        step = Step(case, self.unseen, self._below(value, 1))
        self._learn(item, value)
        self._pending[item] = value
        self._is_stale = self._was_known
        return step

    def sorted_access(self) -> Step | None:
        """Ask for the next item; return None if all items were seen before."""
        item, value = self._next_entry()
        self._was_known = item in self._pending
        if self._was_known:
            step = self._known_item(item, value)
        else:
            step = self._new_item(item, value)
            self._learn(item, value)
        self._is_stale = False
        self._frontier = value
        self.delivered += 1
        return step

    def require_end(self) -> None:
        """Raise `ViolationError` unless a list refuses sorted access after its last item."""
        what = f"{self._where}: sorted access after all items were delivered"
        require_refusal(self._trial, what, self._list.sorted_access)

    def require_domain(self) -> None:
        """Raise `ViolationError` unless random access to items outside the domain is refused."""
        self._require_bounds("random access to item", self._list.random_access)

    def _next_entry(self) -> tuple[int, float]:
        """Return the answer of a sorted access; raise if it contradicts an earlier answer."""
        entry = self._trial.call(self._list.sorted_access)
        if not isinstance(entry, tuple) or len(entry) != 2:
            raise ViolationError(f"{self._where}: sorted access must return an item and its noise")
        item, value = self._item(entry[0]), finite_float(entry[1], f"{self._where}, sorted access")
        if item in self.values and item not in self._pending:
            raise ViolationError(f"{self._where}: sorted access delivered item {item} twice")
        highest = max(self._pending.values(), default=-math.inf)
        if value > self._frontier:
            raise ViolationError(
                f"{self._where}: sorted access gave the noise {value} after {self._frontier}"
            )
        if value < highest:
            raise ViolationError(
                f"{self._where}: sorted access gave the noise {value} before {highest}, which "
                "random access had given for an item not yet delivered"
            )
        return item, value

    def _item(self, entry: object) -> int:
        try:
            item = plain_item(entry)
        except AnswerError as fault:
            raise ViolationError(f"{self._where}: {fault}") from fault
        if not 1 <= item <= self.m:
            raise ViolationError(
                f"{self._where}: items must lie between 1 and m={self.m}, sorted access delivered "
                f"{item}"
            )
        return item

    def _known_item(self, item: int, value: float) -> Step | None:
        """Return the residual of the unseen noises, none of which exceeded a known one."""
        self._require_same_value(item, value)
        del self._pending[item]
        if not self.unseen:
            return None
        ceiling = self._below(value, self.unseen)
        case = AFTER_KNOWN if self._is_stale else PAST_PENDING
        return Step(case, self.unseen, ceiling * (1 - self._trial.coins.random()))

    def _new_item(self, item: int, value: float) -> Step:
        """Return the residuals of the largest unseen noise and of its item."""
        waiting = AFTER_KNOWN if self._is_stale else PAST_PENDING
        case = waiting if self._pending else SORTED if self.delivered else FIRST_SORTED
        rank = self._rank(item)
        turned = (rank - self._rank(self._latest)) % self.unseen
        coin = self._trial.coins.random()
        return Step(
            case,
            self.unseen,
            self._below(value, self.unseen),
            (rank + coin) / self.unseen,
            (turned + coin) / self.unseen,
            (rank % DIGITS + coin) / DIGITS if self.unseen >= MANY - DIGITS else None,
        )

    def _rank(self, item: int) -> int:
        """Return how many unseen items are below an item."""
        return item - 1 - bisect_left(self._seen, item) if item else 0

    def _below(self, value: float, unseen: int) -> float:
        """Return (F(value)/F(z))^R, the probability that R unseen noises are at most a value."""
        if value == self._frontier:
            return 1.0
        start = self._noise.to_exponential(self._frontier)
        return math.exp(min(0.0, -unseen * (self._noise.to_exponential(value) - start)))

    def _learn(self, item: int, value: float) -> None:
        self.values[item] = value
        insort(self._seen, item)
        self._latest = item
