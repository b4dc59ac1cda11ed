"""Random numbers served one at a time, drawn in blocks.

An oracle needs single numbers, and one call of the generator per number would cost more than
everything else. A stream is an endless iterator over blocks; its `__next__` runs in C, so that the
hot path neither tests for an empty block nor looks up an attribute. The first blocks are small,
because a selection of a few items needs only a few numbers.
"""

import math
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, repeat
from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import (
    LARGEST_BLOCK,
    SMALLEST_BLOCK,
    Floats,
    Integers,
    Randomness,
)

WORD_BITS: Final = 62
"""Bits of a word from which a bounded integer is made."""

WORDS: Final = 1 << WORD_BITS
LOW_BITS: Final = WORDS - 1


def block_sizes() -> Iterator[int]:
    """Return the sizes of the blocks: each twice the one before, up to the largest."""
    largest = repeat(LARGEST_BLOCK)
    return accumulate(largest, lambda size, limit: min(2 * size, limit), initial=SMALLEST_BLOCK)


def float_stream(draw: Callable[[int], Floats]) -> Callable[[], float]:
    """Return a function that serves the numbers of draw(n) one by one."""
    return chain.from_iterable(draw(size).tolist() for size in block_sizes()).__next__


def integer_stream(draw: Callable[[int], Integers]) -> Callable[[], int]:
    """Return a function that serves the integers of draw(n) one by one."""
    return chain.from_iterable(draw(size).tolist() for size in block_sizes()).__next__


def bounded_stream(randomness: Randomness) -> Callable[[int], int]:
    """Return a function that maps n <= 2^62 to an unbiased integer in 0, ..., n - 1.

    The high part of word * n is uniform once the words with a low part below 2^62 mod n
    are rejected (Lemire); the remainder is computed only where it can matter.
    """
    word = integer_stream(lambda size: randomness.integers(WORDS, size))

    def below(n: int) -> int:
        product = word() * n
        if product & LOW_BITS < n:
            surplus = WORDS % n
            while product & LOW_BITS < surplus:
                product = word() * n
        return product >> WORD_BITS

    return below


def normals(randomness: Randomness, n: int) -> Floats:
    """Return n standard normal variables (Box and Muller)."""
    half = (n + 1) // 2
    radii = np.sqrt(2.0 * randomness.exponentials(half))
    angles = 2.0 * math.pi * randomness.uniforms(half)
    return np.concatenate([radii * np.cos(angles), radii * np.sin(angles)])[:n]
