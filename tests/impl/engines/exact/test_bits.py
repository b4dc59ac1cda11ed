"""Facts about fair bits: their source, their fairness, and the errors that stop a selection."""

import os
import sys
from collections.abc import Callable

import numpy as np
import pytest

from privtopk.impl.engines.exact.bits import (
    LARGEST_BLOCK,
    WORDS,
    CoinBits,
    SystemBits,
    below,
    bits_of,
    byte_stream,
)
from privtopk.impl.randomness.generators import Integers, SystemRandomness
from privtopk.spec.model.errors import Reason
from support import fits, refusal, seeded_coins

STUCK = "the bits cannot be random: what ends after a few words does not end"


class Constant:
    """Words that are all the same."""

    def __init__(self, word: int) -> None:
        self._word = word

    def words(self, n: int) -> Integers:
        """Return n of them."""
        return np.full(n, self._word, dtype=np.int64)


@pytest.fixture
def no_cipher(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package `cryptography` be missing."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)


def recorded_entropy(calls: list[int]) -> Callable[[int], bytes]:
    """Return the system's entropy, and record the size of every request."""

    def entropy(count: int) -> bytes:
        calls.append(count)
        return os.urandom(count)

    return entropy


def test_words_have_63_bits() -> None:
    """Words lie between 0 and 2^63 - 1, and every bit of them is set in about half.

    Null: a bit is set with probability 1/2. 100,000 words, 63 bits: |z| > 7.5 has probability
    4e-12 in all; a bit that is set with probability 0.515 is found with power 0.97.
    """
    words = SystemBits().words(100_000)
    assert words.min() >= 0
    shares = [np.count_nonzero(words >> bit & 1) / 100_000 for bit in range(63)]
    assert max(abs(share - 0.5) for share in shares) < 7.5 * 0.5 / 100_000**0.5


def test_no_word_comes_twice() -> None:
    """Draws of one word and of many continue the same stream, without repeats."""
    bits = SystemBits()
    words = np.concatenate([bits.words(n) for n in (1, 3000, 0, 5, 20_000)])
    assert len(np.unique(words)) == 23_006


def test_the_cipher_is_keyed_by_the_system() -> None:
    """With the cipher, entropy is read once, for a key and a counter."""
    calls: list[int] = []
    bits = SystemBits(recorded_entropy(calls))
    bits.words(50_000)
    assert calls == [32, 16]


def test_the_cipher_is_aes_in_counter_mode() -> None:
    """The stream of a zero key and a zero counter begins as the standard says."""
    stream = byte_stream(bytes)
    assert stream(16).hex() == "dc95c078a2408989ad48a21492842087"
    assert stream(16).hex() == "530f8afbc74536b9a963b4f1c4cb738b"


@pytest.mark.usefixtures("no_cipher")
def test_without_the_cipher_blocks_come_from_the_system() -> None:
    """Without the package, words are made of blocks of entropy."""
    calls: list[int] = []
    bits = SystemBits(recorded_entropy(calls))
    words = np.concatenate([bits.words(2**11), bits.words(1)])
    assert calls == [2**14, LARGEST_BLOCK]
    assert len(np.unique(words)) == 2**11 + 1


def test_a_forked_process_takes_a_new_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process id changes, buffered bits are dropped and a new key is drawn."""
    calls: list[int] = []
    bits = SystemBits(recorded_entropy(calls))
    bits.words(1)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    bits.words(1)
    bits.words(1)
    assert calls == [32, 16, 32, 16]


def test_a_child_and_its_parent_have_different_bits() -> None:
    """After a real fork the two processes draw different words."""
    bits = SystemBits()
    bits.words(1)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, bits.words(4).tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 64) != bits.words(4).tobytes()
    os.close(reading)
    os.close(writing)


def test_a_failing_system_stops_the_selection() -> None:
    """An error of the entropy source is reported with its own reason."""

    def raise_os_error(count: int) -> bytes:
        raise OSError("no such device")

    assert refusal(lambda: SystemBits(raise_os_error)) == (
        Reason.NO_ENTROPY,
        "the operating system gives no entropy: no such device",
    )


def test_a_short_answer_stops_the_selection() -> None:
    """Fewer bytes than requested are an error."""
    assert refusal(lambda: SystemBits(lambda count: bytes(count - 1))) == (
        Reason.NO_ENTROPY,
        "the operating system must give 32 bytes, got 31",
    )


@pytest.mark.usefixtures("no_cipher")
def test_an_exhausted_system_stops_the_selection() -> None:
    """If the source ends after its first block, the next draw raises."""
    blocks = iter([bytes(2**14), b""])
    bits = SystemBits(lambda count: next(blocks))
    bits.words(2**11)
    assert refusal(lambda: bits.words(1)) == (
        Reason.NO_ENTROPY,
        f"the operating system must give {LARGEST_BLOCK} bytes, got 0",
    )


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 8, 13])
def test_integers_below_a_bound_are_uniform(bound: int) -> None:
    """Every integer below a bound is equally likely.

    Null: the uniform law. 20,000 draws, false alarms 1e-9, power 0.99 from a defect of 0.0053.
    """
    drawn = below(CoinBits(seeded_coins()), bound, 20_000)
    assert drawn.min() >= 0
    assert drawn.max() < bound
    if bound > 1:
        assert fits(drawn.tolist(), dict.fromkeys(range(bound), 1 / bound), 20_000, 0.0053)


@pytest.mark.parametrize("bound", [2**62 + 1, 2**63 - 1, WORDS])
def test_large_bounds_are_kept(bound: int) -> None:
    """Integers below a bound near 2^63 stay below it, and reach its last eighth."""
    drawn = below(CoinBits(seeded_coins()), bound, 1_000)
    assert len(drawn) == 1_000
    assert 7 * (bound >> 3) <= drawn.max() < bound


def test_a_stuck_source_is_found_out() -> None:
    """Words that are rejected forever stop the selection instead of hanging it."""
    assert refusal(lambda: below(Constant(WORDS - 1), 3, 1)) == (Reason.NO_ENTROPY, STUCK)


def test_secure_coins_have_the_bits_of_the_system() -> None:
    """A release uses the bits of the system, a seeded run those of its generator."""
    assert isinstance(bits_of(SystemRandomness()), SystemBits)
    first, second = bits_of(seeded_coins(7)), bits_of(seeded_coins(7))
    assert first.words(5).tolist() == second.words(5).tolist()
