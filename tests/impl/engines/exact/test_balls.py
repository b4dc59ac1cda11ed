"""Facts about what Arb computes: quantiles, their ends, and chances that are never too small."""

import sys
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.engines.exact import balls
from privtopk.impl.engines.exact.balls import (
    chance_above,
    double_of,
    flint,
    noise_interval,
    quantile_ball,
)
from privtopk.spec.model.errors import Reason
from privtopk.spec.noise.distributions import NoiseKind, noise_of
from support import refusal

kinds = pytest.mark.parametrize("kind", NoiseKind)


def survival(kind: NoiseKind, noise: float) -> arb:
    """Return P(Z > noise), by its definition."""
    z = arb(noise)
    if kind is NoiseKind.GUMBEL:
        return 1 - (-((-z).exp())).exp()
    return (-z).exp() / 2 if noise >= 0 else 1 - z.exp() / 2


@given(st.sampled_from(NoiseKind), st.floats(-60.0, 60.0))
def test_chances_are_never_too_small(kind: NoiseKind, noise: float) -> None:
    """The chance is at least that of the noise, at least 1, and too large by 2 at most."""
    ctx.prec = 400
    chance = chance_above(kind, noise)
    true = survival(kind, noise) * 2**63
    assert chance == 2**63 or true <= chance
    assert 1 <= chance <= 2**63
    assert chance - true < 2
    ctx.prec = 53


@kinds
def test_chances_of_any_double_are_known(kind: NoiseKind) -> None:
    """Far above, the chance is one word, not zero; far below, all words."""
    assert chance_above(kind, sys.float_info.max) == chance_above(kind, 44.0) == 1
    assert chance_above(kind, -sys.float_info.max) == chance_above(kind, -44.0) == 2**63


@kinds
def test_quantiles_are_those_of_the_specification(kind: NoiseKind) -> None:
    """The quantile agrees with the specification's to 13 digits, on both sides of the median."""
    for v in (Fraction(1, 10**6), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)):
        expected = noise_of(kind, 1).upper_quantile(float(v))
        assert float(quantile_ball(kind, v).mid()) == pytest.approx(expected, rel=1e-13, abs=1e-13)


@kinds
def test_intervals_hold_what_further_bits_say(kind: NoiseKind) -> None:
    """The interval of leading bits contains that of more of them."""
    ctx.prec = 200
    for number in range(8):
        least, largest = noise_interval(kind, number, 3)
        for further in range(8 * number, 8 * number + 8):
            lower, upper = noise_interval(kind, further, 6)
            assert not lower < least.lower()
            assert not upper > largest.upper()
    ctx.prec = 53


@kinds
def test_the_ends_of_the_unit_interval_are_infinite(kind: NoiseKind) -> None:
    """Without any bits of V, the noise has no bounds."""
    lower, upper = noise_interval(kind, 0, 0)
    assert (lower, upper) == (arb.neg_inf(), arb.pos_inf())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without python-flint the error names the extra."""
    flint.cache_clear()
    monkeypatch.setitem(sys.modules, "flint", None)
    assert refusal(flint) == (
        Reason.MISSING_PACKAGE,
        "flint is not installed; pip install 'privtopk[exact]'",
    )


def test_a_precision_lowered_by_others_is_noticed() -> None:
    """A double comes from a ball that is accurate enough; otherwise it is computed again."""
    precisions = iter([10, 30, 128])

    def compute() -> arb:
        ctx.prec = next(precisions)
        return arb(2).log()

    assert double_of(compute, 128) == 0.6931471805599453
    assert next(precisions, None) is None
    ctx.prec = 53


@kinds
@pytest.mark.parametrize("precision", [2, 20, 53])
def test_chances_are_never_too_small_at_any_precision(
    kind: NoiseKind, precision: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the precision is lowered during a computation, chances become larger, never smaller."""
    true = chance_above(kind, 1.25)
    genuine = balls._survival

    def survival_at_low_precision(kind: NoiseKind, noise: arb) -> arb:
        ctx.prec = precision
        return genuine(kind, noise)

    monkeypatch.setattr(balls, "_survival", survival_at_low_precision)
    assert chance_above(kind, 1.25) >= true
    ctx.prec = 53
