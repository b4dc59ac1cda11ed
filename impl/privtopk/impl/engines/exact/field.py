"""The bits of all items, revealed as they are needed.

Invariant: there is a frontier f such that, given everything revealed, the first words of the
hidden items are independent and uniform on f, ..., 2^63 - 1. Reading the word of an item keeps
it, and so does revealing every item with a word below a new frontier: each is below it
independently of the others, and those that are not have the law of the new frontier.

Further words of an item are independent of everything: they are drawn when asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from privtopk.impl.engines.exact.bits import NO_WORDS, WORDS, Bits, below
from privtopk.impl.engines.exact.skipping import bernoulli_blocks
from privtopk.impl.randomness.generators import Integers


@dataclass(frozen=True, slots=True)
class Revealed:
    """Items and their first words, in step."""

    items: Integers
    words: Integers


class Field(Protocol):
    """An endless string of bits for each of m items, hidden at first."""

    frontier: int

    def words_of(self, items: Integers) -> Integers:
        """Return the first words of hidden items; they are hidden no more."""

    def opened_below(self, threshold: int) -> Iterator[Revealed]:
        """Yield the items with a first word between the frontier and a threshold, ascending.

        Which items are hidden is the caller's knowledge: it drops those that are not, and
        moves the frontier when it has seen them all.
        """

    def further_words(self, items: Integers, number: int) -> Integers:
        """Return the words number 1, 2, ... of items that have shown those before; each once."""


class HiddenBits:
    """The field of a selection: bits come into being when they are revealed."""

    def __init__(self, m: int, bits: Bits) -> None:
        """Start with everything hidden."""
        self._m = m
        self._bits = bits
        self.frontier = 0

    def words_of(self, items: Integers) -> Integers:
        """Return the first words of hidden items; they are hidden no more."""
        if len(items) == 0:
            return NO_WORDS
        return self.frontier + below(self._bits, WORDS - self.frontier, len(items))

    def opened_below(self, threshold: int) -> Iterator[Revealed]:
        """Yield the items with a first word between the frontier and a threshold, ascending."""
        width, hidden = threshold - self.frontier, WORDS - self.frontier
        for items in bernoulli_blocks(self._m, width, hidden, self._bits):
            yield Revealed(items, self.frontier + below(self._bits, width, len(items)))

    def further_words(self, items: Integers, number: int) -> Integers:
        """Return further words of items."""
        return self._bits.words(len(items))
