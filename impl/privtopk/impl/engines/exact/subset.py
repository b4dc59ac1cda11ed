"""A random subset of a large domain, each item with a rational probability, exactly.

The number of items between two chosen ones is geometric:
floor(E/lambda) with E = -log(1 - V) for a uniform V and lambda = -log(1 - p), because
P(E >= g lambda) = (1 - p)^g. Doubles decide the floor where their error leaves no doubt; where
it does, more bits of V and Arb do.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from privtopk.impl.engines.exact.balls import GUARD_BITS, Ball, double_of, flint, level_ball
from privtopk.impl.engines.exact.bits import NO_WORDS, WORD_BITS, Bits, below, never_ends
from privtopk.impl.engines.exact.logarithm import levels
from privtopk.impl.engines.exact.quantile import LEVEL_RADIUS, Uniforms, uniforms
from privtopk.impl.randomness.generators import Floats, Integers
from privtopk.impl.randomness.subset import BLOCK, places_inside

GAP_RADIUS: Final = LEVEL_RADIUS + 2.0**-50
"""The relative error of a quotient: that of the level, of lambda, and of the division."""

SUM_RADIUS: Final = 2.0**-36
"""The relative error of a sum of up to 2^15 quotients."""

BEYOND: Final = 2.0**62
"""A gap beyond every domain."""

SPARSE: Final = 2.0**-36
"""Below this probability gaps are long, and doubles often leave their floors in doubt."""

MOST_BITS: Final = 1 << 12
"""After this many fair bits, a floor or a comparison is undecided with probability 2^-3900."""


def bernoulli_blocks(size: int, chosen: int, among: int, bits: Bits) -> Iterator[Integers]:
    """Yield the numbers below size, each with probability chosen/among, in ascending blocks."""
    if chosen == 0:
        return
    if chosen == among:
        yield from (np.arange(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))
        return
    gaps = Gaps(size, Fraction(chosen, among), bits)
    if chosen / among >= SPARSE:
        yield from gaps.places()
    else:
        yield uniform_subset(size, gaps.count(), bits)


class Gaps:
    """Geometric variables, cut off at a size."""

    def __init__(self, size: int, chance: Fraction, bits: Bits) -> None:
        """Take the size, the probability 0 < p < 1 and the bits to draw from."""
        self._size = size
        self._chance = chance
        self._bits = bits
        self._rate = double_of(lambda: level_ball(chance), 2 * GUARD_BITS)

    def places(self) -> Iterator[Integers]:
        """Yield the places below the size that gaps lead to, in blocks."""
        position = -1
        while position < self._size:
            count = self._block(self._size - position)
            given = uniforms(self._bits.words(count), self._bits.words(count))
            places = position + np.cumsum(self.floors(given) + 1)
            inside = places_inside(places, self._size)
            yield places[:inside]
            position = self._size if inside < count else int(places[-1])

    def count(self) -> int:
        """Return how many places there are, for gaps so long that doubles decide few floors.

        Only the sum of all gaps matters then, and that is compared with the size. Given their
        number, the places are a uniform subset, whatever the gaps were; the gaps are dropped.
        """
        drawn: list[Uniforms] = []
        passed, total = 0, 0.0
        while True:
            count = self._block(max(1, self._size - int(total)))
            drawn.append(uniforms(self._bits.words(count), self._bits.words(count)))
            ends = total + np.cumsum(self._quotients(drawn[-1]))
            # A gap and the number that ends it are at most 1 more than the quotient.
            slack = ends * SUM_RADIUS + (passed + count)
            inside = int(np.count_nonzero(ends + slack < self._size))
            if drawn[-1].is_sure is not None:
                return self._exact_count(drawn)
            if inside < count:
                is_over = ends[inside] - slack[inside] >= self._size + 1
                return passed + inside if is_over else self._exact_count(drawn)
            passed, total = passed + count, float(ends[-1])

    def _exact_count(self, drawn: list[Uniforms]) -> int:
        """Return the same from exact floors, and from further ones if those do not suffice."""
        count, position = 0, -1
        while True:
            given = drawn.pop(0) if drawn else uniforms(self._bits.words(1), self._bits.words(1))
            for gap in self.floors(given).tolist():
                position += gap + 1
                if position >= self._size:
                    return count
                count += 1

    def floors(self, given: Uniforms) -> Integers:
        """Return the gaps that uniforms stand for."""
        quotients = np.minimum(self._quotients(given), BEYOND)
        is_sure = np.abs(quotients - np.rint(quotients)) > quotients * GAP_RADIUS
        if given.is_sure is not None:
            is_sure &= given.is_sure
        gaps = np.minimum(quotients.astype(np.int64), self._size)
        for place in np.flatnonzero(~is_sure).tolist():
            gaps[place] = self.refine_floor(int(given.words[place]), int(given.tails[place]))
        return gaps

    def _quotients(self, given: Uniforms) -> Floats:
        """Return E/lambda with a relative error of GAP_RADIUS, where the uniforms are sure."""
        return levels(given.values, given.complements) / self._rate

    def _block(self, left: int) -> int:
        """Return how many gaps to draw when `left` numbers are left."""
        expected = left * float(self._chance)
        return min(BLOCK, int(expected + 4 * expected**0.5) + 4)

    def refine_floor(self, word: int, tail: int) -> int:
        """Return one floor from as many bits as it takes."""
        number, known = word << WORD_BITS | tail, 2 * WORD_BITS
        while known < MOST_BITS:
            least, largest = self._floor_interval(number, known)
            if least == largest:
                return least
            number = number << WORD_BITS | int(self._bits.words(1)[0])
            known += WORD_BITS
        raise never_ends()

    def _floor_interval(self, number: int, known: int) -> tuple[int, int]:
        """Return the least and the largest floor that a V with these leading bits can have."""
        unit = Fraction(1, 1 << known)
        with flint().ctx.workprec(known + GUARD_BITS):
            rate = level_ball(self._chance)
            least = level_ball(number * unit) / rate
            largest = level_ball((number + 1) * unit) / rate
            return self._floor(least.lower()), self._floor(largest.upper())

    def _floor(self, end: Ball) -> int:
        """Return the floor of a number, cut off at the size."""
        if not end < self._size:
            return self._size
        mantissa, exponent = map(int, end.man_exp())
        return mantissa << exponent if exponent >= 0 else mantissa >> -exponent


def uniform_subset(size: int, count: int, bits: Bits) -> Integers:
    """Return count different numbers below size, every set equally likely, in ascending order.

    A repeated number is drawn again: the first different ones of a stream are a uniform set.
    """
    chosen = NO_WORDS
    while len(chosen) < count:
        chosen = np.unique(np.concatenate([chosen, below(bits, size, count - len(chosen))]))
    return chosen
