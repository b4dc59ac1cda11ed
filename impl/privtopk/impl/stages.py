"""What the default engine knows between its stages: both lists as far as they were read.

An item that was opened before it came by sorted access is recognised by its score, and so is
one that comes the other way round: only ties with the last score read must be looked up.
Noise is drawn only where it could clear the bar.
"""

import math
from typing import Final

import numpy as np

from privtopk.impl.best import Best
from privtopk.impl.hidden_noise import HiddenNoise
from privtopk.impl.randomness import Floats, Integers
from privtopk.impl.run import EngineRun
from privtopk.impl.source import NOTHING, Booleans, Page, Reader, faulty, is_among

FEW: Final = 512
"""So many noises are drawn in the time of one more comparison with a bar."""

PARTS: Final = 32
"""Of a page so many times as many items are compared with a bar as have set it."""


class Stages:
    """Both lists as far as they were read, and the best of what was met."""

    def __init__(self, reader: Reader, k: int, best: Best, hidden: HiddenNoise) -> None:
        """Start with nothing read."""
        self._reader = reader
        self._k = k
        self._best = best
        self._hidden = hidden
        self._last = 0
        self._draws = 0
        # What was opened by its noise and not delivered since; each page by ascending item.
        self._opened: list[Page] = []

    def extend(self, length: int) -> None:
        """Read on by sorted access and add the noise of what comes for the first time.

        A long page is taken in parts: each sets a bar, and what follows is given a noise only
        where it could clear that.
        """
        known = self._reader.sorted_accesses
        page = self._reader.top(length - known)
        self._last = int(page.scores[-1])
        is_opened = self._were_opened(page)
        start = 0
        while start < len(page.items):
            stop = start + max(2 * self._k, FEW, PARTS * (known + start))
            part = Page(page.items[start:stop], page.scores[start:stop])
            self._admit_page(part, is_opened[start:stop])
            start = stop

    def level(self) -> float:
        """Return the E-level below which an unseen item could still enter."""
        is_over = self._reader.sorted_accesses == self._reader.size
        return 0.0 if is_over else self._best.level(self._last)

    @property
    def is_done(self) -> bool:
        """Whether no unseen item can enter: all have E-levels beyond the frontier."""
        return self.level() <= self._hidden.frontier

    def open_to(self, level: float) -> None:
        """Read every unseen item with an E-level between the frontier and this one."""
        if level <= self._hidden.frontier:
            return
        unseen, doubtful = [], []
        for candidates in self._hidden.below(level):
            page = self._read(candidates)
            below, reached = parted(page, page.scores >= self._last)
            self._let_in(below, level)
            unseen.append(below)
            doubtful.append(reached)
        undelivered = self._undelivered(joined(doubtful))
        self._let_in(undelivered, level)
        self._opened += [page for page in (joined(unseen), undelivered) if len(page.items)]
        self._hidden.frontier = level

    def _read(self, candidates: Integers) -> Page:
        """Read those of a block of candidates that were not opened before."""
        self._draws += len(candidates)
        for page in self._opened:
            candidates = without(candidates, page.items)
        return Page(candidates, self._reader.scores(candidates))

    def finish(self) -> EngineRun:
        """Return the best of what was met.

        An item that a faulty source both delivered and let be opened has two noises. It does
        harm only if it wins: k others above the bar are above it whatever else is there.
        """
        self._reader.require_distinct()
        winners = self._best.ranked()
        for page in self._opened:
            items = np.array(winners)
            if bool(self._reader.is_on_page(items[is_among(items, page.items)]).any()):
                raise faulty("the source contradicts itself about an item that it delivered")
        return EngineRun(winners, self._draws)

    def _let_in(self, found: Page, level: float) -> None:
        """Let in items that were opened down to a level.

        Those with the largest noise go first and raise the bar, so that few of the others
        need be looked at. What cannot enter is not given a noise.
        """
        lower = self._hidden.frontier
        least = self._best.least_score(lower)
        if least > 0:
            could = found.scores >= least
            found = Page(found.items[could], found.scores[could])
        count = len(found.items)
        ceiling = int(found.scores.max()) if count else 0
        places = np.empty(0, dtype=np.int64)
        for share in (2 * self._k / count, 1.0) if count > 2 * self._k else (1.0,):
            upper = min(level, lower + (level - lower) * share, self._best.level(ceiling))
            if upper <= lower or count == 0:
                return
            found = omitting(found, places)
            places, levels = self._hidden.part(found.items, lower, upper, level)
            self._admit(found, places, levels, ceiling)
            lower = upper

    def _admit_page(self, page: Page, is_opened: Booleans) -> None:
        """Admit what could enter; whoever lies beyond the level for that is not drawn.

        Items that were opened have their noise: if they are chosen here, that is dropped.
        """
        ceiling, frontier = int(page.scores[0]), self._hidden.frontier
        level = self._best.level(ceiling)
        if level == math.inf:
            self._draws += len(page.items)
            self._best.admit(page.items, page.scores, self._hidden.levels_of(page.items), ceiling)
        elif level > frontier:
            places, levels = self._hidden.part(page.items, frontier, level, math.inf)
            is_new = ~is_opened[places]
            self._admit(page, places[is_new], levels[is_new], ceiling)

    def _admit(self, page: Page, places: Integers, levels: Floats, ceiling: int) -> None:
        """Admit the entries at some places of a page."""
        self._draws += len(places)
        if len(places):
            self._best.admit(page.items[places], page.scores[places], levels, ceiling)

    def _undelivered(self, page: Page) -> Page:
        """Return what sorted access has not delivered of entries whose scores it has reached."""
        if len(page.items) == 0:
            return page
        undelivered, _ = parted(page, self._reader.was_delivered(page.items))
        self._require_passed(undelivered.scores)
        return undelivered

    def _were_opened(self, page: Page) -> Booleans:
        """Return which entries of a page were opened before, and forget that they were."""
        were_opened = np.zeros(len(page.items), dtype=np.bool_)
        for number, opened in enumerate(self._opened):
            (reached,) = (opened.scores >= self._last).nonzero()
            if len(reached) == 0:
                continue
            due = opened.items[reached]
            (known,) = is_among(page.items, due).nonzero()
            places = reached[np.searchsorted(due, page.items[known])]
            if not np.array_equal(opened.scores[places], page.scores[known]):
                raise faulty("the two doors of the source disagree on a score")
            left = omitting(opened, places)
            self._require_passed(left.scores)
            self._opened[number] = left
            were_opened[known] = True
        return were_opened

    def _require_passed(self, scores: Integers) -> None:
        if bool((scores > self._last).any()):
            raise faulty("an item that was not delivered scores above those that were")


def without(items: Integers, others: Integers) -> Integers:
    """Return items that are not among others; both ascend."""
    if len(items) == 0:
        return items
    first, last = np.searchsorted(others, (items[0], items[-1] + 1))
    nearby = others[first:last]
    places = np.searchsorted(items, nearby)
    is_there = np.equal(items.take(places, mode="clip"), nearby)
    return np.delete(items, places[is_there]) if is_there.any() else items


def joined(pages: list[Page]) -> Page:
    """Return pages as one."""
    if len(pages) <= 1:
        return pages[0] if pages else NOTHING
    return Page(
        np.concatenate([page.items for page in pages]),
        np.concatenate([page.scores for page in pages]),
    )


def parted(page: Page, is_chosen: Booleans) -> tuple[Page, Page]:
    """Return a page without its chosen entries, and these."""
    (places,) = is_chosen.nonzero()
    return omitting(page, places), Page(page.items[places], page.scores[places])


def omitting(page: Page, places: Integers) -> Page:
    """Return a page without the entries at some places."""
    if len(places) == 0:
        return page
    is_left = np.ones(len(page.items), dtype=np.bool_)
    is_left[places] = False
    return Page(page.items[is_left], page.scores[is_left])
