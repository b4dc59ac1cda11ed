"""The bits of all items, revealed as they are needed.

The level of an item is its first word: a small word stands for a large noise. Further words
of an item are independent of everything: they are drawn when asked for.
"""

from collections.abc import Iterator
from typing import Protocol

from privtopk.impl.engines.exact.bits import NO_WORDS, WORDS, Bits, below
from privtopk.impl.engines.exact.subset import bernoulli_blocks
from privtopk.impl.noise.hidden_noise import HiddenNoise
from privtopk.impl.randomness.generators import Integers


class BitStrings(HiddenNoise[int], Protocol):
    """An endless string of bits for each of m items, hidden at first."""

    def further_words(self, items: Integers, number: int) -> Integers:
        """Return word `number` (1, 2, ...) of items that have shown those before; each once."""


class HiddenBits:
    """The bits of a selection: words i.i.d. uniform on frontier, ..., 2^63 - 1, drawn on demand."""

    farthest = WORDS

    def __init__(self, m: int, bits: Bits) -> None:
        """Start with everything hidden."""
        self._m = m
        self._bits = bits
        self.frontier = 0

    def expected_below(self, level: int) -> float:
        """Return how many of m hidden items have a word between the frontier and this one."""
        hidden = WORDS - self.frontier
        return self._m * max(0, level - self.frontier) / hidden if hidden else 0.0

    def level_of_share(self, share: float) -> int:
        """Return a word that this share of all words lie below."""
        return int(share * WORDS)

    def level_between(self, lower: int, upper: int, share: float) -> int:
        """Return the word at this share of the way from the lower one to the upper one."""
        return lower + int((upper - lower) * share)

    def levels_of(self, items: Integers) -> Integers:
        """Return the first words of hidden items; they are hidden no more."""
        return self._words_between(self.frontier, WORDS, len(items))

    def below(self, level: int) -> Iterator[Integers]:
        """Yield the items with a word between the frontier and a level, in ascending blocks."""
        return bernoulli_blocks(self._m, level - self.frontier, WORDS - self.frontier, self._bits)

    def part(
        self, items: Integers, lower: int, upper: int, level: int
    ) -> tuple[Integers, Integers]:
        """Return which of the items between lower and level lie below upper, and their words."""
        words = self._words_between(lower, level, len(items))
        # Not "below upper": 2^63 itself is no signed word.
        (places,) = (words <= upper - 1).nonzero()
        return places, words[places]

    def further_words(self, items: Integers, number: int) -> Integers:
        """Return further words of items."""
        return self._bits.words(len(items))

    def _words_between(self, lower: int, upper: int, count: int) -> Integers:
        """Return uniform words from the lower one up to the upper one, without the latter."""
        return lower + below(self._bits, upper - lower, count) if count else NO_WORDS
