"""What the default engine knows between its stages: both lists as far as they were read.

Noise is drawn only where it could clear the bar.
"""

import math
from typing import Final

import numpy as np

from privtopk.impl.engines.best import Best
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.noise.hidden_noise import HiddenNoise
from privtopk.impl.randomness.generators import Floats, Integers
from privtopk.impl.scores.both_lists import BothLists, joined, omitting
from privtopk.impl.scores.membership import Booleans
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader

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
        self._lists = BothLists(reader)
        self._draws = 0

    def extend(self, length: int) -> None:
        """Read on by sorted access and add the noise of what comes for the first time.

        A long page is taken in parts: each sets a bar, and what follows is given a noise only
        where it could clear that.
        """
        known = self._reader.sorted_accesses
        page, is_opened = self._lists.next_page(length - known)
        start = 0
        while start < len(page.items):
            stop = start + max(2 * self._k, FEW, PARTS * (known + start))
            part = page.at(slice(start, stop))
            self._admit_page(part, is_opened[start:stop])
            start = stop

    def level(self) -> float:
        """Return the E-level below which an unseen item could still enter."""
        return 0.0 if self._lists.is_over else self._best.level(self._lists.last)

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
            self._draws += len(candidates)
            below, reached = self._lists.read(candidates)
            self._let_in(below, level)
            unseen.append(below)
            doubtful.append(reached)
        undelivered = self._lists.undelivered(joined(doubtful))
        self._let_in(undelivered, level)
        self._lists.note_opened(joined(unseen), undelivered)
        self._hidden.frontier = level

    def finish(self) -> EngineRun:
        """Return the best of what was met."""
        winners = self._best.ranked()
        self._lists.require_consistent(winners)
        return EngineRun(winners, self._draws)

    def _let_in(self, found: Page, level: float) -> None:
        """Let in items that were opened down to a level.

        Those with the largest noise go first and raise the bar, so that few of the others
        need be looked at. What cannot enter is not given a noise.
        """
        lower = self._hidden.frontier
        least = self._best.least_score(lower)
        if least > 0:
            found = found.at(found.scores >= least)
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
