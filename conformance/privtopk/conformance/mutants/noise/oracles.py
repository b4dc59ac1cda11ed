"""Noise lists with a wrong joint law of items and noises."""

import math
from typing import ClassVar, Final

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.lists import RankFreeList
from privtopk.spec.model.parameters import require_item


class RedrawnAtEveryLook(RankFreeList):
    """Random access draws a fresh noise each time and forgets the first answer."""

    def random_access(self, item: int) -> float:
        """Return a noise that is not kept, unless the item was delivered."""
        known = require_item(item, self.size)
        return self.value(self.levels[known] if known in self.levels else self.unseen_level())


class RedrawnAfterDelivery(RankFreeList):
    """Random access to an item that sorted access has delivered draws a fresh noise."""

    def random_access(self, item: int) -> float:
        """Return the noise of an item, unless it was delivered."""
        is_pending = any(pending == item for _, pending in self.pending)
        if item in self.levels and not is_pending:
            return self.value(self.unseen_level())
        return super().random_access(item)


class CollisionsMoveOn(RankFreeList):
    """If the drawn item is taken, the next free number gets the noise."""

    def unseen_item(self) -> int:
        """Return a number from all, moved on by 1 while it is taken."""
        item = self.generator.randrange(self.size) + 1
        while item in self.levels:
            item = item % self.size + 1
        return item


class SmallNumbersLouder(RankFreeList):
    """Sorted access delivers the smaller of two drawn items."""

    def unseen_item(self) -> int:
        """Return the smaller of two unseen items."""
        return min(super().unseen_item(), super().unseen_item())


class NumbersOf53Bits(RankFreeList):
    """Items are drawn as int(random() m), which cannot reach every number beyond 2^53."""

    def unseen_item(self) -> int:
        """Return an item whose last bits are always the same in a huge domain."""
        while (item := int(self.generator.random() * self.size) + 1) in self.levels:
            pass
        return item


class PendingItemsForgotten(RankFreeList):
    """Sorted access delivers items known from random access only at the very end."""

    def sorted_access(self) -> tuple[int, float]:
        """Return the next of the unseen, and the pending ones at the very end."""
        kept, self.pending = self.pending, []
        if not self.unseen_count():
            kept, self.pending = [], kept
        entry = super().sorted_access()
        self.pending += kept
        return entry


class PendingItemsRedrawn(RankFreeList):
    """An item known from random access gets another noise when sorted access delivers it."""

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item, pending ones with a fresh noise."""
        known = dict(self.levels)
        item, noise = super().sorted_access()
        if item not in known:
            return item, noise
        self.levels[item] += self.exponential()
        return item, self.value(self.levels[item])


class FrontierIgnored(RankFreeList):
    """Random access draws as if no large noises had been delivered."""

    def unseen_level(self) -> float:
        """Return an unconditioned level."""
        return self.exponential()


class FrontierStuckAtPending(RankFreeList):
    """The frontier does not move when an item known from random access is delivered."""

    def pass_pending(self, level: float) -> None:
        """Stay."""


class FrontierStuck(RankFreeList):
    """The frontier never moves, so sorted access is not sorted."""

    def pass_pending(self, level: float) -> None:
        """Stay."""

    def pass_unseen(self, level: float) -> None:
        """Stay."""


class CountNotReduced(RankFreeList):
    """The largest unseen noise is drawn as the largest of all m."""

    def unseen_count(self) -> int:
        """Return m."""
        return self.size if super().unseen_count() else 0


class CountNotReducedByRandomAccess(RankFreeList):
    """Items known from random access are still counted as unseen."""

    def unseen_count(self) -> int:
        """Return how many items were not delivered."""
        unseen = super().unseen_count()
        return unseen + len(self.pending) if unseen else 0


class CountOffByOne(RankFreeList):
    """One unseen item too many is counted."""

    def unseen_count(self) -> int:
        """Return one more than there are."""
        unseen = super().unseen_count()
        return unseen + 1 if unseen else 0


class MinimumKeptTooLong(RankFreeList):
    """A smallest unseen level that was not delivered is kept, though later draws may be smaller."""

    kept: float | None = None

    def smallest_unseen(self) -> float:
        """Return the kept minimum, or a fresh one."""
        if self.kept is None or not self.unseen_count():
            self.kept = super().smallest_unseen()
        return self.kept

    def pass_unseen(self, level: float) -> None:
        """Forget the minimum that was delivered."""
        super().pass_unseen(level)
        self.kept = None


class UnseenTooEager(RankFreeList):
    """While an item is pending, the unseen items are drawn as if there were twice as many."""

    def smallest_unseen(self) -> float:
        """Return a minimum that lies half as far beyond the frontier."""
        level = super().smallest_unseen()
        return (level + self.frontier) / 2 if self.pending and level < math.inf else level


class LevelsShared(RankFreeList):
    """All lists share their noises: what one list has drawn, the next one returns."""

    shared: ClassVar[dict[int, float]] = {}

    def unseen_level(self) -> float:
        """Return a level that may have been drawn for another list."""
        place = len(self.levels)
        return self.frontier + self.shared.setdefault(place, self.exponential())


class TopKeptAsUniform(RankFreeList):
    """Noises are stored as uniforms in double precision, which has no digits left near 1."""

    def value(self, level: float) -> float:
        """Return the noise of a rounded uniform."""
        u = min(math.exp(-level), 1 - 2**-53)
        return super().value(-math.log(max(u, 2**-1022)))


class ScaleDoubledBehindTheSecondDoor(RankFreeList):
    """Random access returns twice the noise."""

    def random_access(self, item: int) -> float:
        """Return a noise of the wrong scale."""
        return 2 * super().random_access(item)


class ScaleOffByFivePercent(RankFreeList):
    """The scale of the list is five per cent too large."""

    def value(self, level: float) -> float:
        """Return a noise that is a little too large."""
        return 1.05 * super().value(level)


class EndOfTheListRepeats(RankFreeList):
    """When all items are delivered, the list starts again from its top."""

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item, and the first after the last."""
        if self.delivered == self.size:
            self.pending = sorted((level, item) for item, level in self.levels.items())
            self.delivered = 0
        return super().sorted_access()


class UnknownItemsWelcome(RankFreeList):
    """Random access to an item outside the domain returns a noise instead of an error."""

    def random_access(self, item: int) -> float:
        """Return a noise for whatever is asked."""
        is_known = isinstance(item, int) and 1 <= item <= self.size
        return super().random_access(item) if is_known else self.value(self.exponential())


class NegativeScalesWelcome(RankFreeList):
    """A negative scale is accepted, as printed, and its sign is dropped."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Start with the absolute rate."""
        super().__init__(m, abs(rate), noise)


MUTANTS: Final = (
    mutant(RedrawnAtEveryLook, USUAL_SLIP, "noise-oracle.doors"),
    mutant(RedrawnAfterDelivery, USUAL_SLIP, "noise-oracle.doors"),
    mutant(CollisionsMoveOn, USUAL_SLIP, "noise-oracle.items"),
    mutant(SmallNumbersLouder, USUAL_SLIP, "noise-oracle.items"),
    mutant(NumbersOf53Bits, USUAL_SLIP, "noise-oracle.items"),
    mutant(PendingItemsForgotten, USUAL_SLIP, "noise-oracle.doors"),
    mutant(PendingItemsRedrawn, USUAL_SLIP, "noise-oracle.doors"),
    mutant(FrontierIgnored, USUAL_SLIP, "noise-oracle.doors"),
    mutant(FrontierStuckAtPending, USUAL_SLIP, "noise-oracle.doors"),
    mutant(FrontierStuck, USUAL_SLIP, "noise-oracle.doors"),
    mutant(CountNotReduced, USUAL_SLIP, "noise-oracle.joint-law"),
    mutant(CountNotReducedByRandomAccess, USUAL_SLIP, "noise-oracle.joint-law"),
    mutant(CountOffByOne, USUAL_SLIP, "noise-oracle.joint-law"),
    mutant(MinimumKeptTooLong, USUAL_SLIP, "noise-oracle.known-items"),
    mutant(UnseenTooEager, USUAL_SLIP, "noise-oracle.joint-law"),
    mutant(LevelsShared, PRIVACY_BUG, "noise-oracle.freshness"),
    mutant(TopKeptAsUniform, USUAL_SLIP, "noise-oracle.joint-law"),
    mutant(ScaleDoubledBehindTheSecondDoor, USUAL_SLIP, "noise-oracle.doors"),
    mutant(ScaleOffByFivePercent, USUAL_SLIP, "noise-oracle.joint-law"),
    mutant(EndOfTheListRepeats, USUAL_SLIP, "noise-oracle.doors"),
    mutant(UnknownItemsWelcome, USUAL_SLIP, "noise-oracle.doors"),
    mutant(NegativeScalesWelcome, erratum(9), "noise-oracle.doors"),
)
