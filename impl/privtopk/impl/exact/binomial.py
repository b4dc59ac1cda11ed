"""Bin(n, 1/2) exactly, in constant expected time.

Few coins are tossed and counted. Of many, an odd one is tossed, and for n = 2h the number of
heads is h + Y with Y proposed in blocks of w places to both sides of 0, block j with
probability 2^-(j+1), and accepted with probability

    C(2h, h + Y) 4^-h w 2^(j+2) / M,   w = floor(3 sqrt(n) / 5) + 1,   M = 9/4.

That is at most 1. With y = |Y|, C(2h, h) 4^-h <= 1/sqrt(pi h), and the ratio of C(2h, h + y) to
it is a product of factors 1 - (2i-1)/(h+i), so at most e^(-y^2/(h+y)); in block j, y is at least
jw. The bound 2^(j+2) w e^(-(jw)^2/(h+jw)) / sqrt(pi h) is about 1.92 for j = 0 and 1.87 for j = 1
and large h, and below 2.02 from n = 4096 on; from j = 2 on jw <= h, so the exponent is at least
0.36 j^2 and the bound falls. A uniform is compared with the probability by Arb, with as many bits
as it takes: its logarithms of Gamma functions are proved ones.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.impl.exact.balls import GUARD_BITS, Ball, ball, flint
from privtopk.impl.exact.bits import WORD_BITS, never_ends
from privtopk.impl.exact.skipping import MOST_BITS

Word: TypeAlias = Callable[[], int]
"""Returns the next 63 fair bits."""

Below: TypeAlias = Callable[[int], int]
"""Returns an unbiased integer below a bound."""

FEW: Final = 4096
"""Up to so many coins are tossed one by one."""

MAJORANT: Final = Fraction(9, 4)
"""The M above."""


def fair_binomial(n: int, word: Word, below: Below) -> int:
    """Return how many of n fair coins show heads."""
    if n <= FEW:
        return tossed(n, word)
    half, odd = divmod(n, 2)
    while True:
        block = leading_ones(word)
        width = block_width(2 * half)
        distance = block * width + below(width)
        heads = half + distance if below(2) else half - 1 - distance
        if 0 <= heads <= 2 * half and is_accepted(2 * half, heads, block, word):
            return heads + (below(2) if odd else 0)


def tossed(n: int, word: Word) -> int:
    """Return the heads of n coins, tossed."""
    whole, rest = divmod(n, WORD_BITS)
    heads = sum(word().bit_count() for _ in range(whole))
    return heads + (word() >> WORD_BITS - rest).bit_count() if rest else heads


def leading_ones(word: Word) -> int:
    """Return how many ones come before the first zero of fair bits."""
    for words in range(MOST_BITS // WORD_BITS):
        zeros = ~word() & (1 << WORD_BITS) - 1
        if zeros:
            return words * WORD_BITS + WORD_BITS - zeros.bit_length()
    raise never_ends()


def block_width(n: int) -> int:
    """Return the number of places of a block."""
    return math.isqrt(9 * n // 25) + 1


def is_accepted(n: int, heads: int, block: int, word: Word) -> bool:
    """Return whether a uniform lies below the probability of acceptance."""
    number, bits = word(), WORD_BITS
    while bits < MOST_BITS:
        with flint().ctx.workprec(bits + 2 * n.bit_length() + GUARD_BITS):
            chance = acceptance(n, heads, block) * (flint().arb(2) ** bits)
            if chance.lower() >= number + 1:
                return True
            if chance.upper() <= number:
                return False
        number, bits = number << WORD_BITS | word(), bits + WORD_BITS
    raise never_ends()


def acceptance(n: int, heads: int, block: int) -> Ball:
    """Return the probability of acceptance, at the precision of the moment."""
    arb = flint().arb
    logarithm = (
        arb(n + 1).lgamma()
        - arb(heads + 1).lgamma()
        - arb(n - heads + 1).lgamma()
        + (block + 2 - n) * arb(2).log()
    )
    return logarithm.exp() * block_width(n) / ball(MAJORANT)
