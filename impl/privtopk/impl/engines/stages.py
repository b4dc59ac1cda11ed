"""What the staged engine knows between its stages: both lists as far as they were read.

Noise is drawn only where it could clear the bar.
"""

from typing import Final, Generic

import numpy as np

from privtopk.impl.engines.contest import Contest
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.noise.hidden_noise import HiddenNoise, Level, Levels
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.both_lists import BothLists, join_pages, page_without
from privtopk.impl.scores.membership import Booleans
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader

FEW: Final = 512
"""Below 512 draws, another comparison with the bar costs more than it saves."""

GROWTH: Final = 32
"""Each chunk of a page is at most 32 times as long as what was read before it."""


class Stages(Generic[Level]):
    """Both lists as far as they were read, and the contest of the items that were met."""

    def __init__(
        self,
        reader: Reader,
        k: int,
        contest: Contest[Level],
        noise: HiddenNoise[Level],
    ) -> None:
        """Start with nothing read."""
        self._reader = reader
        self._k = k
        self._contest = contest
        self._noise = noise
        self._lists = BothLists(reader)
        self._draws = 0

    def extend(self, length: int) -> None:
        """Read on by sorted access, and admit what comes for the first time.

        A long page is taken in chunks. Each chunk may raise the bar, and items of the next ones
        are given a noise only where it could clear that bar.
        """
        known = self._reader.sorted_accesses
        page, is_opened = self._lists.next_page(length - known)
        start = 0
        while start < len(page.items):
            stop = start + max(2 * self._k, FEW, GROWTH * (known + start))
            self._admit_delivered(page.at(slice(start, stop)), is_opened[start:stop])
            start = stop

    def level(self) -> Level:
        """Return the level below which an unseen item could still enter."""
        if self._lists.is_over:
            return self._noise.frontier
        return self._contest.level(self._lists.last)

    @property
    def is_done(self) -> bool:
        """Whether no unseen item can enter: all have levels beyond the frontier."""
        return self.level() <= self._noise.frontier

    def open_to(self, level: Level) -> None:
        """Read every unseen item with a level between the frontier and this one."""
        if level <= self._noise.frontier:
            return
        unseen, doubtful = [], []
        for candidates in self._noise.below(level):
            self._draws += len(candidates)
            below, reached = self._lists.read(candidates)
            self._admit_opened(below, level)
            unseen.append(below)
            doubtful.append(reached)
        undelivered = self._lists.undelivered_entries(join_pages(doubtful))
        self._admit_opened(undelivered, level)
        self._lists.note_opened(join_pages(unseen), undelivered)
        self._noise.frontier = level

    def finish(self) -> EngineRun:
        """Return the best of what was met."""
        winners = self._contest.ranking()
        self._lists.require_consistent(winners)
        return EngineRun(winners, self._draws)

    def _admit_opened(self, found: Page, level: Level) -> None:
        """Admit items that were opened down to a level.

        Those with the largest noise go first and raise the bar, so that few of the others
        need be looked at. An item that cannot enter is not given a noise.
        """
        lower = self._noise.frontier
        least = self._contest.least_score(lower)
        if least > 0:
            found = found.at(found.scores >= least)
        count = len(found.items)
        if count == 0:
            return
        ceiling, steps = int(found.scores.max()), [level]
        if count > 2 * self._k:
            steps.insert(0, self._noise.level_between(lower, level, 2 * self._k / count))
        for step in steps:
            needed = self._contest.level(ceiling)
            if needed <= lower:
                return
            upper = min(step, needed)
            places, levels = self._noise.part(found.items, lower, upper, level)
            self._admit(found, places, levels, ceiling)
            found, lower = page_without(found, places), upper

    def _admit_delivered(self, page: Page, is_opened: Booleans) -> None:
        """Admit the items of a page that could enter; the others are not given a noise.

        Items that were opened have their noise already: what is drawn for them here is dropped.
        """
        ceiling, frontier = int(page.scores[0]), self._noise.frontier
        level = self._contest.level(ceiling)
        if level == self._noise.farthest:
            page = page_without(page, is_opened.nonzero()[0])
            everything = np.arange(len(page.items))
            self._admit(page, everything, self._noise.levels_of(page.items), ceiling)
        elif level > frontier:
            places, levels = self._noise.part(page.items, frontier, level, self._noise.farthest)
            is_new = ~is_opened[places]
            self._admit(page, places[is_new], levels[is_new], ceiling)

    def _admit(self, page: Page, places: Integers, levels: Levels, ceiling: int) -> None:
        """Admit the entries at some places of a page."""
        self._draws += len(places)
        if len(places):
            self._contest.admit(page.items[places], page.scores[places], levels, ceiling)
