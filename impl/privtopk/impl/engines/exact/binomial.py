"""Bin(n, 1/2) exactly, in constant expected time.

Few coins are tossed and counted. Of many, an odd one is tossed, and for n = 2h the number of
heads is h + Y with Y proposed in blocks of w places to both sides of 0, block j with
probability 2^-(j+1), and accepted with probability

    C(2h, h + Y) 4^-h w 2^(j+2) / M,   w = floor(3 sqrt(n) / 5) + 1,   M = 9/4.

That is at most 1. With y = |Y|, C(2h, h) 4^-h <= 1/sqrt(pi h), and the ratio of C(2h, h + y) to
it is a product of factors 1 - (2i-1)/(h+i), so at most e^(-y^2/(h+y)); in block j, y is at least
jw. The bound 2^(j+2) w e^(-(jw)^2/(h+jw)) / sqrt(pi h) is about 1.92 for j = 0 and 1.87 for j = 1
and large h, and below 2.02 from n = 4096 on; from j = 2 on jw <= h, so the exponent is at least
0.36 j^2 and the bound falls.

A uniform is compared with the probability in doubles first. With d = y/h, a = h + y, b = h - y and
Stirling's remainders 1/(12k+1) < r_k < 1/(12k), the logarithm of C(2h, h + y) 4^-h is

    -(y^2/h) (1 + d^2/6 + d^4/15 + d^6/28 + ...) - log(1 - d^2)/2 - log(pi h)/2 + r_2h - r_a - r_b,

and logarithms are the certified ones. Where that leaves a doubt, Arb decides with more bits.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

from privtopk.impl.engines.exact.balls import GUARD_BITS, Ball, ball, flint
from privtopk.impl.engines.exact.bits import WORD_BITS, never_ends
from privtopk.impl.engines.exact.subset import MOST_BITS
from privtopk.spec.noise.certified_logarithm import logarithm

Word: TypeAlias = Callable[[], int]
"""Returns the next 63 fair bits."""

Below: TypeAlias = Callable[[int], int]
"""Returns an unbiased integer below a bound."""

FEW: Final = 4096
"""Up to 4,096 coins are tossed one by one."""

MAJORANT: Final = Fraction(9, 4)
"""The M above."""

FEWEST: Final = 1 << 40
"""A smaller number of 63 bits has too few digits for doubles: the next bits matter."""

LOGARITHM_SLACK: Final = 2.0**-38
"""What rounding and further bits add to the logarithm of a number, times 1 + its size."""

LAST_BLOCK: Final = 100
"""Up to this block nothing overflows."""

ACCEPTANCE_RADIUS: Final = 2.0**-34
"""What series and rounding add to the logarithm of the probability of acceptance."""


def fair_binomial(n: int, word: Word, below: Below) -> int:
    """Return how many of n fair coins show heads."""
    if n <= FEW:
        return count_heads(n, word)
    half, odd = divmod(n, 2)
    while True:
        block = leading_ones(word)
        width = block_width(2 * half)
        distance = block * width + below(width)
        heads = half + distance if below(2) else half - 1 - distance
        if 0 <= heads <= 2 * half and is_accepted(2 * half, heads, block, word):
            return heads + (below(2) if odd else 0)


def count_heads(n: int, word: Word) -> int:
    """Toss n coins and return how many show heads."""
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
    number = word()
    verdict = is_accepted_quickly(n, heads, block, number)
    return is_accepted_exactly(n, heads, block, number, word) if verdict is None else verdict


def is_accepted_quickly(n: int, heads: int, block: int, number: int) -> bool | None:
    """Return whether a uniform with these 63 bits lies below it, None where doubles cannot say."""
    half, y = n // 2, abs(heads - n // 2)
    if number < FEWEST or block > LAST_BLOCK or 16 * y > half:
        return None
    low, high = acceptance_interval(half, y, block, block_width(n))
    logarithm_of_number = logarithm(number * 2.0**-WORD_BITS)
    slack = LOGARITHM_SLACK * (1.0 - logarithm_of_number)
    if logarithm_of_number + slack < low:
        return True
    return False if logarithm_of_number - slack > high else None


def acceptance_interval(half: int, y: int, block: int, width: int) -> tuple[float, float]:
    """Return doubles between which the logarithm of the probability of acceptance lies.

    The first four terms of the series leave less than 2^-37 of the first; all other errors are
    a few roundings of terms that are at most 1 + |value| together.
    """
    d = y / half
    square = d * d
    main = y * y / half * (1.0 + square * (1 / 6 + square * (1 / 15 + square / 28)))
    scale = math.ldexp(width * width / half, 2 * block + 4) / float(MAJORANT**2) / math.pi
    value = 0.5 * (logarithm(scale) - logarithm(1.0 - square)) - main
    radius = ACCEPTANCE_RADIUS * (1.0 + abs(logarithm(scale)) + main)
    above, below = half + y, half - y
    least = 1 / (24 * half + 1) - 1 / (12 * above) - 1 / (12 * below)
    most = 1 / (24 * half) - 1 / (12 * above + 1) - 1 / (12 * below + 1)
    return value + least - radius, value + most + radius


def is_accepted_exactly(n: int, heads: int, block: int, number: int, word: Word) -> bool:
    """Return the same from as many bits as it takes."""
    bits = WORD_BITS
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
