"""Facts about Gamma variables from a tape."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.noise.gamma import gamma_variable, normal_variable
from support import fits_cdf, refusal

DRAWS = 20_000


def test_normal_variable_by_hand() -> None:
    """The uniforms e^-2 and 1/8 give the radius 2 and the angle pi/4."""
    assert normal_variable(tape_of(math.exp(-2), 0.125)) == pytest.approx(math.sqrt(2), rel=1e-15)


def test_normal_variable_reads_two_uniforms() -> None:
    """One variable costs two uniforms."""
    tape = tape_of(0.3, 0.7, 0.5)
    normal_variable(tape)
    assert tape.uniform() == 0.5


@given(st.integers(1, 2**60), st.integers(0, 2**32))
def test_gamma_variables_are_positive_and_finite(shape: int, seed: int) -> None:
    """A Gamma variable of any integer shape up to 2^60 is positive and finite."""
    assert 0 < gamma_variable(shape, seeded_tape(seed)) < math.inf


def test_gamma_variable_replays() -> None:
    """The same tape gives the same variable."""
    assert gamma_variable(7, seeded_tape(3)) == gamma_variable(7, seeded_tape(3))


def test_first_proposal_is_usually_accepted() -> None:
    """1,000 variables of shape 1 take at most 3,300 uniforms, three per proposal."""
    tape = seeded_tape(1)
    uniforms = iter([tape.uniform() for _ in range(3_300)])
    short = tape_of(*uniforms)
    assert len([gamma_variable(1, short) for _ in range(1_000)]) == 1_000


@pytest.mark.parametrize("shape", [0, -1, 2**60 + 1])
def test_shapes_outside_are_refused(shape: int) -> None:
    """A shape is at least 1, and no uniform is read otherwise."""
    assert refusal(lambda: gamma_variable(shape, tape_of())) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"shape must be between 1 and {2**60}, got {shape}",
    )


@pytest.mark.parametrize("shape", [True, 1.0, 0.5, "1", None])
def test_shapes_of_another_type_are_refused(shape: Any) -> None:
    """A shape is an integer."""
    assert refusal(lambda: gamma_variable(shape, tape_of())) == (
        Reason.WRONG_TYPE,
        f"shape must be an integer, got {shape!r}",
    )


def test_exhausted_tape_is_refused() -> None:
    """A variable needs at least three uniforms."""
    expected = (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")
    assert refusal(lambda: normal_variable(tape_of(0.5))) == expected
    assert refusal(lambda: gamma_variable(2, tape_of(0.5, 0.5))) == expected


def test_normal_variables_have_the_law() -> None:
    """Variables from a seeded tape are standard normal.

    Null hypothesis: the standard normal law; Kolmogorov-Smirnov with n = 20,000, false alarms
    1e-9; a law at distance sup |F - G| >= 0.035 is found with power 0.99.
    """
    tape = seeded_tape(11)
    assert fits_cdf([normal_variable(tape) for _ in range(DRAWS)], stats.norm.cdf)


@pytest.mark.parametrize("shape", [1, 2, 5, 1000])
def test_gamma_variables_have_the_law(shape: int) -> None:
    """Variables of small and large shape have scipy's Gamma law.

    Null hypothesis: Gamma(shape); Kolmogorov-Smirnov with n = 20,000, false alarms 1e-9; a law
    at distance sup |F - G| >= 0.035 is found with power 0.99.
    """
    tape = seeded_tape(12 + shape)
    drawn = [gamma_variable(shape, tape) for _ in range(DRAWS)]
    assert fits_cdf(drawn, stats.gamma(shape).cdf)


def test_neighbouring_shape_is_rejected() -> None:
    """The control: variables of shape 5 are rejected as Gamma(6)."""
    tape = seeded_tape(17)
    drawn = [gamma_variable(5, tape) for _ in range(DRAWS)]
    assert not fits_cdf(drawn, stats.gamma(6).cdf)


def test_huge_shapes_keep_their_spread() -> None:
    """Standardised variables of shape 2^50 are standard normal, up to a skewness of 6e-8.

    Null hypothesis: the standard normal law; Kolmogorov-Smirnov with n = 20,000, false alarms
    1e-9; a law at distance sup |F - G| >= 0.035 is found with power 0.99.
    """
    shape, tape = 2**50, seeded_tape(19)
    drawn = [(gamma_variable(shape, tape) - shape) / 2**25 for _ in range(DRAWS)]
    assert fits_cdf(drawn, stats.norm.cdf)
