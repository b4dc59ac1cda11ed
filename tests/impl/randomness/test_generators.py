"""Facts about random numbers: their laws, their limits, and when they repeat."""

import importlib.util
import math
import os
import ssl
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.randomness import generators as randomness
from privtopk.impl.randomness.generators import (
    Randomness,
    SeededRandomness,
    SystemRandomness,
    centred_uniforms,
    exponentials_of,
    randomness_of,
)
from privtopk.spec.model.errors import Reason, SelectionError
from support import seeded_coins

DRAWS = 100_000
LEVEL = 1e-9
"""The false-alarm rate of each statistical test here."""


class CountingWords:
    """Serves 64-bit words from a list, as bytes."""

    def __init__(self, words: list[int]) -> None:
        self.words = words

    def __call__(self, n: int) -> bytes:
        """Return the next n bytes."""
        served, self.words = self.words[: n // 8], self.words[n // 8 :]
        return np.array(served, dtype=np.uint64).tobytes()


def secure_bytes_of(seed: int) -> Callable[[int], bytes]:
    """Return a reproducible stand-in for the secure generator."""
    return np.random.default_rng(seed).bytes


@pytest.fixture(params=["system", "seeded"])
def coins(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Randomness:
    """Return both kinds of randomness, made reproducible."""
    monkeypatch.setattr(randomness, "secure_bytes", secure_bytes_of(7))
    return SystemRandomness() if request.param == "system" else seeded_coins(7)


def refusal(rng: object) -> tuple[Reason, str]:
    """Return the reason and the whole message with which a value is refused."""
    with pytest.raises(SelectionError) as caught:
        randomness_of(rng)
    return caught.value.reason, str(caught.value)


def is_uniform(places: list[int], cells: int) -> bool:
    """Return whether chi-square accepts equal cells; false alarms LEVEL.

    With 100,000 draws in up to 64 cells, a law with sum of (p - q)^2/q of 0.0016 is found
    with power 0.99: one cell of 64 that is 32 % too likely.
    """
    counts = Counter(places)
    mean = len(places) / cells
    limit = stats.chi2.isf(LEVEL, cells - 1)
    assert mean >= 5
    assert stats.ncx2.sf(limit, cells - 1, 0.0016 * DRAWS) >= 0.99
    statistic = sum((counts[cell] - mean) ** 2 / mean for cell in range(cells))
    return set(counts) <= set(range(cells)) and bool(statistic < limit)


def test_uniforms_are_uniform(coins: Randomness) -> None:
    """Uniforms fill 64 equal cells evenly."""
    assert is_uniform((coins.uniforms(DRAWS) * 64).astype(int).tolist(), 64)


def test_exponentials_are_exponential(coins: Randomness) -> None:
    """The distribution function turns exponentials into uniforms."""
    assert is_uniform((-np.expm1(-coins.exponentials(DRAWS)) * 64).astype(int).tolist(), 64)


def test_small_exponentials_are_exponential(coins: Randomness) -> None:
    """Exponentials below 1/16, which are large noise, have the right law too."""
    drawn = coins.exponentials(17 * DRAWS)
    small = -np.expm1(-drawn[drawn < 1 / 16]) / -math.expm1(-1 / 16)
    assert is_uniform((small[:DRAWS] * 16).astype(int).tolist(), 16)


@pytest.mark.parametrize("bound", [2, 3, 7, 10, 64])
def test_integers_are_unbiased(coins: Randomness, bound: int) -> None:
    """Integers below a small bound are equally likely."""
    assert is_uniform(coins.integers(bound, DRAWS).tolist(), bound)


def test_integers_below_three_quarters_are_unbiased(coins: Randomness) -> None:
    """Integers below 3 * 2^61 are uniform; remainders of 63 bits would double a third of them."""
    assert is_uniform((coins.integers(3 << 61, DRAWS) // (1 << 61)).tolist(), 3)


def test_integers_below_the_largest_bound(coins: Randomness) -> None:
    """Integers below 2^62 reach its upper half and its odd numbers half of the time."""
    drawn = coins.integers(1 << 62, DRAWS)
    assert is_uniform(((drawn >> 61) * 2 + drawn % 2).tolist(), 4)


def test_integers_below_one_are_zero(coins: Randomness) -> None:
    """There is one integer below 1."""
    assert coins.integers(1, 3).tolist() == [0, 0, 0]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_as_many_as_asked_for(coins: Randomness, n: int) -> None:
    """Every draw returns the requested number of numbers."""
    drawn = (coins.uniforms(n), coins.exponentials(n), coins.integers(3, n))
    assert [len(numbers) for numbers in drawn] == [n, n, n]


def test_the_smallest_and_the_largest_uniform() -> None:
    """The extreme uniforms are 2^-53 and 1 - 2^-53: never 0 and never 1."""
    extremes = centred_uniforms(np.array([0.0, 2.0**52 - 1]))
    assert extremes.tolist() == [2.0**-53, 1 - 2.0**-53]


def test_uniforms_are_symmetric() -> None:
    """The uniform of n and that of its complement add up to 1 exactly."""
    words = np.array([0.0, 1.0, 2.0**40 + 1, 2.0**51 - 1])
    mirrored = 2.0**52 - 1 - words
    assert (centred_uniforms(words) + centred_uniforms(mirrored)).tolist() == [1.0, 1.0, 1.0, 1.0]


def test_the_extreme_words_of_the_system() -> None:
    """All bits 0 and all bits 1 give positive and finite exponentials."""
    extremes = exponentials_of(np.array([0, 2**64 - 1], dtype=np.uint64))
    assert extremes.tolist() == [2.0**-64, pytest.approx(53 * math.log(2))]


def test_exponentials_are_accurate() -> None:
    """An exponential is -log(1 - v) to 1e-14, for v from 2^-63 to 1 - 2^-12."""
    words = [1 << bit for bit in range(1, 64)] + [2**64 - 2**52, 2**63 + 2**40]
    exact = [-math.log1p(-((word >> 1) + 0.5) / 2**63) for word in words]
    drawn = exponentials_of(np.array(words, dtype=np.uint64))
    np.testing.assert_allclose(drawn, exact, rtol=1e-14)


def test_numpy_zero_is_replaced() -> None:
    """The exact 0 that numpy's generator may return never reaches a logarithm."""

    class Zeros(np.random.Generator):
        def standard_exponential(self, *arguments: object, **options: object) -> object:  # type: ignore[override]
            return np.zeros(2)

    coins = SeededRandomness(Zeros(np.random.PCG64(1)))
    assert coins.exponentials(2).tolist() == [2.0**-60, 2.0**-60]


def test_integers_reject_the_partial_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word beyond the last multiple of the bound is rejected and drawn again."""
    limit = 2**63 - 2**63 % 10
    words = CountingWords([2 * (limit - 1), 2 * limit, 2 * (2**63 - 1), 2 * 13, 2 * 24])
    monkeypatch.setattr(randomness, "secure_bytes", words)
    assert SystemRandomness().integers(10, 3).tolist() == [9, 3, 4]


def test_system_coins_differ_from_call_to_call() -> None:
    """Two draws of the secure generator have nothing in common."""
    coins = SystemRandomness()
    assert not set(coins.uniforms(100)) & set(coins.uniforms(100))


def test_seeded_coins_repeat() -> None:
    """The same seed gives the same numbers."""
    first, second = seeded_coins(5), seeded_coins(5)
    assert [first.uniforms(3).tolist(), first.exponentials(3).tolist()] == [
        second.uniforms(3).tolist(),
        second.exponentials(3).tolist(),
    ]


def test_seeded_coins_move_on() -> None:
    """The second draw from one seed differs from the first."""
    coins = seeded_coins()
    assert not set(coins.exponentials(100)) & set(coins.exponentials(100))


def test_none_is_the_secure_generator() -> None:
    """Without an argument the randomness is safe for a release."""
    assert (randomness_of(None).is_secure, type(randomness_of(None))) == (True, SystemRandomness)


@pytest.mark.parametrize("rng", [3, np.random.default_rng(3)], ids=["seed", "generator"])
def test_a_seed_is_a_generator(rng: "int | np.random.Generator") -> None:
    """A seed and a numpy generator of this seed give the same numbers, not safe for a release."""
    coins = randomness_of(rng)
    expected = SeededRandomness(np.random.default_rng(3)).uniforms(4).tolist()
    assert (coins.is_secure, coins.uniforms(4).tolist()) == (False, expected)


@pytest.mark.parametrize("rng", [True, -1, 1.0, "1", np.random.RandomState, SystemRandomness])
def test_anything_else_is_refused(rng: object) -> None:
    """Anything else than None, a seed or a generator is refused."""
    assert refusal(rng) == (
        Reason.WRONG_TYPE,
        f"rng must be None, a seed or a numpy Generator, got {rng!r}",
    )


def test_without_openssl_the_operating_system_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """If Python has no OpenSSL, the numbers come from the operating system."""
    monkeypatch.setitem(sys.modules, "ssl", None)
    spec = importlib.util.find_spec("privtopk.impl.randomness.generators")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.secure_bytes is os.urandom


@pytest.mark.parametrize(
    "error", [ssl.SSLError("no seed"), OSError("no seed"), NotImplementedError("no seed")]
)
@pytest.mark.parametrize("draw", ["uniforms", "exponentials"])
def test_a_failing_generator_is_refused(
    monkeypatch: pytest.MonkeyPatch, error: Exception, draw: str
) -> None:
    """If the cryptographic generator fails, no other one takes its place."""

    def fail(count: int) -> bytes:
        raise error

    monkeypatch.setattr(randomness, "secure_bytes", fail)
    with pytest.raises(SelectionError) as caught:
        getattr(SystemRandomness(), draw)(3)
    assert (caught.value.reason, str(caught.value)) == (
        Reason.NO_ENTROPY,
        f"the operating system gives no entropy: {error}",
    )


def test_a_short_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer bytes than asked for are refused."""
    monkeypatch.setattr(randomness, "secure_bytes", lambda count: bytes(count - 1))
    with pytest.raises(SelectionError) as caught:
        SystemRandomness().integers(7, 2)
    assert (caught.value.reason, str(caught.value)) == (
        Reason.NO_ENTROPY,
        "the operating system must give 16 bytes, got 15",
    )


def test_a_seed_may_be_an_integer_of_numpy() -> None:
    """A seed of numpy's type is the same seed."""
    drawn = [randomness_of(seed).uniforms(3).tolist() for seed in (5, np.int64(5))]
    assert drawn[0] == drawn[1]
