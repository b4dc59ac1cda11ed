"""The source of randomness: a cryptographic generator, unless a caller passes a seeded one.

Noise that an attacker can reproduce does not protect. So the default reads OpenSSL's generator,
which the operating system seeds and which reseeds itself after a fork. Where Python has no OpenSSL,
it reads from the operating system. It reads in blocks, because one call per number would cost more
than everything else. A numpy generator or a seed is for tests and benchmarks only.

Uniforms are (2n + 1)/2^53 for a 52-bit n: exact, never 0, never 1, symmetric. Exponentials
are drawn so that small ones, which stand for large noise, keep all their digits.
"""

from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.randomness.entropy import entropy_of
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.number_types import plain, text_of

try:
    from ssl import RAND_bytes as secure_bytes
except ImportError:  # a Python that was built without OpenSSL
    from os import urandom as secure_bytes

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
SMALLEST_BLOCK: Final = 1 << 6
LARGEST_BLOCK: Final = 1 << 13
"""Numbers per block, for callers that take them one by one: few at first, then more."""

LARGEST_UNIFORM: Final = 1 - 2.0**-53
"""The largest double below 1."""

SMALLEST_EXPONENTIAL: Final = 2.0**-60
"""Replaces the 0 that numpy's generator returns once in 2^53 draws; below its other values."""

SMALL: Final = 1 / 16
"""Above it, log(1 - v) has an error of at most 2^-50; below it, log1p is needed."""

FEW: Final = 512
"""For fewer numbers, log1p of all takes less time than finding the small ones."""


class Randomness(Protocol):
    """A stream of independent random numbers."""

    @property
    def is_secure(self) -> bool:
        """Whether the numbers are safe for a release."""

    def uniforms(self, n: int) -> Floats:
        """Return n uniforms strictly between 0 and 1."""

    def exponentials(self, n: int) -> Floats:
        """Return n standard exponential variables, all positive."""

    def integers(self, bound: int, n: int) -> Integers:
        """Return n unbiased integers in 0, ..., bound - 1, for a bound up to 2^63."""


class SystemRandomness:
    """Numbers of a cryptographic generator."""

    is_secure = True

    def uniforms(self, n: int) -> Floats:
        """Return n uniforms strictly between 0 and 1."""
        return centred_uniforms((self._words(n) >> np.uint64(12)).astype(np.float64))

    def exponentials(self, n: int) -> Floats:
        """Return n standard exponential variables, all positive, from 63 bits each."""
        return exponentials_of(self._words(n))

    def integers(self, bound: int, n: int) -> Integers:
        """Return n unbiased integers below a bound; the last partial block of words is rejected."""
        limit = np.uint64(2**63 - 2**63 % bound)
        accepted = np.empty(0, dtype=np.int64)
        while len(accepted) < n:
            words = self._words(n - len(accepted)) >> np.uint64(1)
            fresh = words[words < limit] % np.uint64(bound)
            accepted = np.concatenate([accepted, fresh.astype(np.int64)])
        return accepted

    @staticmethod
    def _words(n: int) -> NDArray[np.uint64]:
        return np.frombuffer(entropy_of(secure_bytes, 8 * n), dtype=np.uint64)


class SeededRandomness:
    """Numbers of a numpy generator: reproducible, and so not safe for a release."""

    is_secure = False

    def __init__(self, generator: np.random.Generator) -> None:
        """Draw from the caller's generator."""
        self._generator = generator

    def uniforms(self, n: int) -> Floats:
        """Return n uniforms strictly between 0 and 1."""
        return centred_uniforms(np.floor(self._generator.random(n) * 2.0**52))

    def exponentials(self, n: int) -> Floats:
        """Return n standard exponential variables, all positive."""
        exponentials = self._generator.standard_exponential(n)
        return np.maximum(exponentials, SMALLEST_EXPONENTIAL, out=exponentials)

    def integers(self, bound: int, n: int) -> Integers:
        """Return n unbiased integers in 0, ..., bound - 1."""
        return self._generator.integers(0, bound, size=n, dtype=np.int64)


def centred_uniforms(words: Floats) -> Floats:
    """Return (2n + 1)/2^53 for 52-bit words n: every sum and product here is exact."""
    return (2.0 * words + 1.0) * 2.0**-53


def exponentials_of(words: NDArray[np.uint64]) -> Floats:
    """Return -log(1 - v) for v = (n + 1/2)/2^63, n a word without its last bit.

    It is accurate where v is small. Signed words are converted to doubles twice as fast.
    """
    v = (words >> np.uint64(1)).view(np.int64).astype(np.float64)
    v += 0.5
    v *= 2.0**-63
    np.minimum(v, LARGEST_UNIFORM, out=v)
    if len(v) < FEW:
        return -np.log1p(-v)
    exponentials = np.log(1.0 - v)
    (small,) = (v < SMALL).nonzero()
    exponentials[small] = np.log1p(-v[small])
    return np.negative(exponentials, out=exponentials)


def randomness_of(rng: object) -> Randomness:
    """Return the randomness for a caller's `rng` argument; None is the secure generator."""
    if rng is None:
        return SystemRandomness()
    if isinstance(rng, np.random.Generator):
        return SeededRandomness(rng)
    seed = plain(rng)
    if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
        return SeededRandomness(np.random.default_rng(seed))
    raise SelectionError(
        Reason.WRONG_TYPE,
        f"rng must be None, a seed or a numpy Generator, got {text_of(rng, repr)}",
    )
