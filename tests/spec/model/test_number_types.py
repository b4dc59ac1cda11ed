"""Facts about numbers of other types: they become plain numbers of the same value."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.number_types import plain, text_of
from privtopk.spec.model.parameters import require_epsilon, require_k
from support import refusal

LONG = "a number of more than 4300 digits"


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_integers_of_numpy_are_integers(kind: type) -> None:
    """An integer of numpy becomes an int."""
    number = plain(kind(7))
    assert (number, type(number)) == (7, int)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_floats_of_numpy_keep_their_value(kind: type) -> None:
    """A float of numpy becomes the double of the same value, not of the same digits."""
    number = plain(kind(0.1))
    assert type(number) is float
    assert number == float(kind(0.1))


def test_longer_floats_become_fractions() -> None:
    """A float of numpy that is no double becomes a fraction of the same value."""
    value = np.longdouble(1) / np.longdouble(3)
    number = plain(value)
    assert isinstance(number, Fraction)
    assert np.longdouble(number.numerator) / np.longdouble(number.denominator) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**300), max_value=10**300))
def test_decimals_become_fractions(value: Decimal) -> None:
    """A decimal becomes the fraction of the same value; close to 0 it may become 0."""
    number = plain(value)
    assert number == (Fraction(value) if abs(value) > Decimal("1e-329") else 0)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (Decimal("1e99999999"), math.inf),
        (Decimal("-1e99999999"), -math.inf),
        (Decimal("Infinity"), math.inf),
        (Decimal("1e-99999999"), 0),
        (Decimal("-0"), 0),
        (np.float32("inf"), math.inf),
        (np.longdouble("-inf"), -math.inf),
    ],
)
def test_numbers_beyond_all_doubles(value: object, number: float) -> None:
    """A decimal with a huge exponent is not written out."""
    assert plain(value) == number


@pytest.mark.parametrize(
    "value", [math.nan, Decimal("NaN"), Decimal("sNaN"), np.float32("nan"), np.longdouble("nan")]
)
def test_nan_of_every_type(value: object) -> None:
    """Each NaN becomes the NaN of doubles, and is refused as a number."""
    assert refusal(lambda: require_epsilon(plain(value))) == (
        Reason.NOT_A_NUMBER,
        "epsilon must be a number, got nan",
    )


@pytest.mark.parametrize(
    "value", [True, np.True_, "0.5", b"1", None, 1j, 7, 10**400, Fraction(1, 3), np.array(0.1)]
)
def test_everything_else_is_unchanged(value: object) -> None:
    """Plain numbers, booleans, strings, complex numbers and arrays come back as they are."""
    assert plain(value) is value


@pytest.mark.parametrize("value", [np.int64(3), np.float32(0.5), Decimal("0.5")])
def test_the_specification_takes_plain_numbers_only(value: object) -> None:
    """The checks refuse other types: a function may use its argument, which could overflow."""
    assert refusal(lambda: require_epsilon(value)) == (
        Reason.WRONG_TYPE,
        f"epsilon must be a number, got {value!r}",
    )


@pytest.mark.parametrize(
    "value",
    [10**5000, Fraction(10**5000, 3), [10**5000]],
    ids=["integer", "fraction", "list"],
)
def test_long_numbers_are_not_written_out(value: object) -> None:
    """A number that Python refuses to write out is described instead."""
    assert text_of(value) == LONG


def test_long_numbers_are_refused_as_short_ones() -> None:
    """Parameters of many digits are refused by their own reasons, whatever their length."""
    assert refusal(lambda: require_k(10**5000, 5)) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=5, got {LONG}",
    )
    assert refusal(lambda: require_epsilon(Fraction(10**5000, 3))) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"epsilon must be positive and finite, got {LONG}",
    )


def test_a_fraction_below_every_double_is_refused() -> None:
    """An exact number that is 0 as a double is refused like 0, with its own message."""
    assert refusal(lambda: require_epsilon(Fraction(1, 10**330))) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"epsilon must be at least 5e-324, the smallest double, got 1/{10**330}",
    )
