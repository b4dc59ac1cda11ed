"""Fair bits, in words of 63: AES-256 in counter mode, keyed by the operating system.

A word is a 64-bit integer below 2^63, so that numpy's signed integers hold it. Bits come in
blocks, small ones first. Without the package `cryptography` the blocks come from the operating
system itself, which takes longer. A process that was forked takes a new key.

An entropy source that fails, or that cannot be random because what should end after a few
words does not end, stops the selection: no noise is better than bad noise.
"""

import importlib
import os
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from privtopk.impl.randomness.entropy import ByteSource, entropy_of, no_entropy
from privtopk.impl.randomness.generators import Integers, Randomness
from privtopk.spec.model.errors import SelectionError

WORD_BITS: Final = 63
WORDS: Final = 1 << WORD_BITS
"""A word is below this."""

FIRST_BLOCK: Final = 1 << 14
LARGEST_BLOCK: Final = 1 << 16
"""Bytes that are drawn at once: few at first, then more."""

KEY_BYTES: Final = 32
COUNTER_BYTES: Final = 16

MOST_TRIALS: Final = 512
"""Fair words are all rejected in 512 trials with a probability below 2^-512."""

SPARE: Final = 8
"""Words drawn beyond the expected number, so that one trial is often enough."""

NO_WORDS: Final[Integers] = np.empty(0, dtype=np.int64)


class Bits(Protocol):
    """A stream of fair bits, none of them handed out twice."""

    def words(self, n: int) -> Integers:
        """Return n words of 63 bits."""


class SystemBits:
    """The bits of a release."""

    def __init__(self, entropy: ByteSource = os.urandom) -> None:
        """Take what returns bytes of true entropy."""
        self._entropy = entropy
        self._ready: Integers = NO_WORDS
        self._start()

    def words(self, n: int) -> Integers:
        """Return n words of 63 bits."""
        if self._process != os.getpid():
            self._start()
        while len(self._ready) < n:
            self._refill(8 * (n - len(self._ready)))
        drawn, self._ready = self._ready[:n], self._ready[n:]
        return drawn

    def _start(self) -> None:
        """Take a new key, and forget bits that another process may hand out too."""
        self._process = os.getpid()
        self._block = FIRST_BLOCK
        self._ready = NO_WORDS
        self._stream = byte_stream(self._entropy)

    def _refill(self, missing: int) -> None:
        """Draw a block, or more if more is missing."""
        drawn = self._stream(max(self._block, missing))
        self._block = LARGEST_BLOCK
        fresh = (np.frombuffer(drawn, dtype=np.uint64) >> np.uint64(1)).view(np.int64)
        self._ready = np.concatenate([self._ready, fresh]) if len(self._ready) else fresh


class CoinBits:
    """The words of a caller's own generator: reproducible, and so not fit for a release."""

    def __init__(self, coins: Randomness) -> None:
        """Take the generator."""
        self._coins = coins

    def words(self, n: int) -> Integers:
        """Return n words of 63 bits."""
        return self._coins.integers(WORDS, n)


def bits_of(coins: Randomness) -> Bits:
    """Return the bits that belong to coins: those of the system, unless the coins are seeded."""
    return SystemBits() if coins.is_secure else CoinBits(coins)


def byte_stream(entropy: ByteSource) -> ByteSource:
    """Return a stream of bytes with a key of its own, or the entropy itself without a cipher."""
    try:
        ciphers = importlib.import_module("cryptography.hazmat.primitives.ciphers")
    except ModuleNotFoundError:
        return lambda count: entropy_of(entropy, count)
    key = ciphers.algorithms.AES(entropy_of(entropy, KEY_BYTES))
    counter = ciphers.modes.CTR(entropy_of(entropy, COUNTER_BYTES))
    encrypt: Callable[[bytes], bytes] = ciphers.Cipher(key, counter).encryptor().update
    return lambda count: encrypt(bytes(count))


def never_ends() -> SelectionError:
    """Return the error of bits with which what must end does not end."""
    return no_entropy("the bits cannot be random: what ends after a few words does not end")


def below(bits: Bits, bound: int, n: int) -> Integers:
    """Return n unbiased integers below a bound between 1 and 2^63; words too large are rejected."""
    width = (bound - 1).bit_length()
    surplus = WORD_BITS - width
    if bound == 1 << width:
        return bits.words(n) >> surplus
    accepted = NO_WORDS
    for _ in range(MOST_TRIALS):
        missing = n - len(accepted)
        if missing == 0:
            return accepted
        drawn = bits.words((missing << width) // bound + SPARE) >> surplus
        fresh = drawn[drawn < bound][:missing]
        accepted = np.concatenate([accepted, fresh]) if len(accepted) else fresh
    raise never_ends()
