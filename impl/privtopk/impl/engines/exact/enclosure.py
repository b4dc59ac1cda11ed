"""The noisy score of one item, from as many bits as a comparison needs.

The score is exact, the bits are those that the item has shown, and the noisy
score lies between two bounds that Arb has proved. Comparing two items reveals more bits of
both until the two intervals are disjoint. That happens with probability 1; with fair bits the
probability of needing more than a few words is negligible.
"""

from fractions import Fraction

import numpy as np

from privtopk.impl.engines.exact.balls import GUARD_BITS, Ball, ball, flint, noise_interval
from privtopk.impl.engines.exact.bits import WORD_BITS, never_ends
from privtopk.impl.engines.exact.hidden_bits import BitStrings
from privtopk.impl.engines.exact.subset import MOST_BITS
from privtopk.spec.noise.distributions import NoiseKind


class Contender:
    """An item with its score in noise scales and the leading bits of its V."""

    def __init__(
        self, item: int, score: Fraction, words: tuple[int, int], kind: NoiseKind, bits: BitStrings
    ) -> None:
        """Take the two words of bits that were shown before."""
        self.item = item
        self._score = score
        self._kind = kind
        self._bits = bits
        self._number = words[0] << WORD_BITS | words[1]
        self._known = 2 * WORD_BITS
        self._enclose()

    def reveal(self) -> None:
        """Reveal one more word."""
        if self._known >= MOST_BITS:
            raise never_ends()
        number = self._known // WORD_BITS
        word = self._bits.further_words(np.array([self.item]), number)
        self._number = self._number << WORD_BITS | int(word[0])
        self._known += WORD_BITS
        self._enclose()

    def is_above(self, other: "Contender") -> bool:
        """Return whether every noisy score that is possible here beats every one there."""
        return bool(self._lower > other._upper)

    def _enclose(self) -> None:
        """Compute the ends of the interval, at a precision that grows with the bits."""
        with flint().ctx.workprec(self._known + GUARD_BITS):
            score = ball(self._score)
            least, largest = noise_interval(self._kind, self._number, self._known)
            self._lower: Ball = (score + least).lower()
            self._upper: Ball = (score + largest).upper()


def compare(one: Contender, other: Contender) -> int:
    """Return 1 if the first has the larger noisy score, -1 if the second has."""
    while True:
        if one.is_above(other):
            return 1
        if other.is_above(one):
            return -1
        one.reveal()
        other.reveal()
