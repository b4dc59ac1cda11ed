"""What the exact engine knows between its stages: both lists as far as they were read.

It goes as the default engine does, with words of bits in the place of levels. An item whose
first word shows that it cannot enter is given no more bits.
"""

from typing import Final

import numpy as np

from privtopk.impl.engines.exact.contest import Contest
from privtopk.impl.engines.exact.field import Field, Revealed
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.both_lists import BothLists, joined
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader

FEW: Final = 1024
"""So many intervals are computed in the time of one more comparison with a bar."""

PARTS: Final = 32
"""Of a page so many times as many items are compared with a bar as have set it."""


class ExactStages:
    """Both lists as far as they were read, and the contest of what was met."""

    def __init__(self, reader: Reader, k: int, contest: Contest, field: Field) -> None:
        """Start with nothing read."""
        self._reader = reader
        self._k = k
        self._contest = contest
        self._field = field
        self._lists = BothLists(reader)
        self._draws = 0

    def extend(self, length: int) -> None:
        """Read on by sorted access, and let in what comes for the first time.

        A long page is taken in parts: each sets a bar for those that follow.
        """
        known = self._reader.sorted_accesses
        page, is_opened = self._lists.next_page(length - known)
        fresh = page if not is_opened.any() else page.at(~is_opened)
        words = self._field.words_of(fresh.items)
        self._draws += len(words)
        start = 0
        while start < len(words):
            stop = start + max(2 * self._k, FEW, PARTS * (known + start))
            part = fresh.at(slice(start, stop))
            self._admit(part, words[start:stop], int(part.scores[0]))
            start = stop

    def threshold(self) -> int:
        """Return a word from which on no unseen item can enter."""
        return 0 if self._lists.is_over else self._contest.threshold(self._lists.last)

    @property
    def is_done(self) -> bool:
        """Whether no unseen item can enter: all have words from the frontier on."""
        return self.threshold() <= self._field.frontier

    def open_to(self, threshold: int) -> None:
        """Read every unseen item with a word between the frontier and this one."""
        if threshold <= self._field.frontier:
            return
        unseen, doubtful, words = [], [], [np.empty(0, dtype=np.int64)]
        for block in self._field.opened_below(threshold):
            self._draws += len(block.items)
            below, reached = self._lists.read(block.items)
            self._let_in(below, words_of(block, below))
            unseen.append(below)
            doubtful.append(reached)
            words.append(words_of(block, reached))
        together = joined(doubtful)
        undelivered = self._lists.undelivered(together)
        revealed = Revealed(together.items, np.concatenate(words))
        self._let_in(undelivered, words_of(revealed, undelivered))
        self._lists.note_opened(joined(unseen), undelivered)
        self._field.frontier = threshold

    def finish(self) -> EngineRun:
        """Return the best of what was met."""
        winners = self._contest.ranked()
        self._lists.require_consistent(winners)
        return EngineRun(winners, self._draws)

    def _let_in(self, found: Page, words: Integers) -> None:
        """Let in items that were opened.

        If they are many, those with the largest noise go first and raise the bar.
        """
        if len(words) == 0:
            return
        ceiling = int(found.scores.max())
        if len(words) > 2 * self._k + FEW:
            order = np.argpartition(words, 2 * self._k)
            first, rest = order[: 2 * self._k], order[2 * self._k :]
            self._admit(found.at(first), words[first], ceiling)
            self._admit(found.at(rest), words[rest], ceiling)
        else:
            self._admit(found, words, ceiling)

    def _admit(self, page: Page, words: Integers, ceiling: int) -> None:
        """Admit those of a page that could enter; none has a score above the ceiling."""
        # Not "below the threshold": 2^63 itself is no signed word.
        (could,) = (words <= self._contest.threshold(ceiling) - 1).nonzero()
        if len(could):
            self._contest.admit(page.items[could], page.scores[could], words[could])


def words_of(block: Revealed, page: Page) -> Integers:
    """Return the words of some items of a block; both ascend."""
    if len(page.items) == len(block.items):
        return block.words
    return block.words[block.items.searchsorted(page.items)]
