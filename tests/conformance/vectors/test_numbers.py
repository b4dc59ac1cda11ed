"""Facts about numbers in the vectors."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.support_vectors import refusal_of
from privtopk.conformance.vectors.numbers import decode, encode, uniform
from privtopk.spec.model.access import Door


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, 0),
        (-7, -7),
        (2**53 - 1, 9007199254740991),
        (2**53, "9007199254740992"),
        (-(2**53), "-9007199254740992"),
        (3.0, "0x1.8000000000000p+1"),
        (-0.0, "-0x0.0p+0"),
        (2.0**-1074, "0x0.0000000000001p-1022"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (Fraction(6, 4), "3/2"),
        (Fraction(-2), "-2/1"),
        (True, True),
        (None, None),
        ("add-remove", "add-remove"),
        (Door.SORTED, "sorted"),
        (frozenset({3, 1}), [1, 3]),
        ({"a": (1, 0.5)}, {"a": [1, "0x1.0000000000000p-1"]}),
    ],
)
def test_values_are_written_as_the_conventions_say(value: object, written: object) -> None:
    """Every kind of value is written in one way."""
    assert encode(value) == written


@given(
    st.lists(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.fractions(),
        max_size=4,
    )
)
def test_values_are_read_as_they_were_written(value: list[Any]) -> None:
    """Reading undoes writing, for values and for their types."""
    assert repr(decode(encode(value))) == repr(value)


def test_nan_is_read_as_nan() -> None:
    """NaN is read as NaN: it may be a parameter that must be refused."""
    assert encode(math.nan) == "nan"
    assert math.isnan(decode("nan"))


@pytest.mark.parametrize("text", ["1/2", "inf", "nan", "0x1.8p+1", "9007199254740992"])
def test_texts_that_look_like_numbers_are_refused(text: str) -> None:
    """Texts that look like numbers are refused, because a reader would take them for numbers."""
    assert refusal_of(lambda: encode(text)) == f"a text must not look like a number, got {text!r}"


def test_other_values_are_refused() -> None:
    """A value that JSON cannot represent is refused."""
    with pytest.raises(TypeError) as caught:
        encode({1, 2})
    assert str(caught.value) == "a vector cannot hold a set"


@pytest.mark.parametrize("n", [0, 1, 2**51, 2**52 - 1])
def test_uniforms_are_exact(n: int) -> None:
    """(2n + 1)/2^53 is a double, strictly between 0 and 1."""
    assert Fraction(uniform(n)) == Fraction(2 * n + 1, 2**53)
    assert 0 < uniform(n) < 1


@pytest.mark.parametrize("n", [-1, 2**52])
def test_uniforms_out_of_range_are_refused(n: int) -> None:
    """A uniform of a number outside 0 to 2^52 - 1 is refused."""
    assert refusal_of(lambda: uniform(n)) == f"a uniform must be at least 0 and below 2^52, got {n}"
