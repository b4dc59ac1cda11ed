"""Facts about the order in which a set is published: it depends on the labels only."""

import enum
import math
from collections.abc import Hashable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores.label_order import label_key, sort_by_label
from support import fits, seeded_coins

DRAWS = 6_000
DEFECT = 0.0142
"""The smallest sum of (p - q)^2/q that the chi-square test here finds with power 0.99."""

LABELS: tuple[Hashable, ...] = (
    -3,
    False,
    Fraction(1, 2),
    0.75,
    np.float32(1.5),
    Decimal("2.5"),
    np.int64(7),
    10**400,
    math.inf,
    "",
    "A",
    np.str_("B"),
    "a",
    "ä",
    "\ud800",
    b"raw",
    date(2024, 9, 30),
    datetime(2024, 9, 30, 12),
    datetime(2024, 10, 1, tzinfo=timezone(timedelta(hours=2))),
    time(12, 30),
    ("a", 1),
    ("a", 2.5),
    ("a", "b"),
    frozenset(),
    frozenset({"a"}),
    frozenset({"a", "b"}),
    frozenset({"c"}),
    1 + 2j,
    None,
    UUID(int=5),
    UUID(int=6),
)
"""Different labels of all groups."""

labels = st.recursive(
    st.none()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.fractions()
    | st.decimals(allow_nan=False)
    | st.text()
    | st.binary()
    | st.dates()
    | st.datetimes(timezones=st.none() | st.timezones())
    | st.complex_numbers(allow_nan=False),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)


class Opaque:
    """An object without a repr of its own."""


class Colour(enum.Enum):
    """Labels that cannot be compared with each other."""

    RED = 1
    BLUE = 2


def in_order(given: "list[Any] | tuple[Any, ...]") -> tuple[object, ...]:
    """Return labels in the order in which they are published."""
    return sort_by_label(given, seeded_coins())


@given(st.lists(labels, unique=True, max_size=8), st.randoms(use_true_random=False))
def test_the_order_given_does_not_matter(given: list[Any], random: Any) -> None:
    """Whatever the labels and their types, any two arrangements are listed in the same order."""
    expected = in_order(given)
    shuffled = list(given)
    random.shuffle(shuffled)
    assert list(map(repr, in_order(shuffled))) == list(map(repr, expected))


@given(st.permutations(LABELS))
def test_labels_of_all_groups_have_one_order(given: list[Any]) -> None:
    """Numbers, texts, bytes, dates, tuples, sets and all others are listed in one order."""
    assert in_order(given)[:27] == LABELS[:16] + in_order(LABELS)[16:27]
    assert in_order(given) == in_order(LABELS)


@given(st.lists(st.integers() | st.floats(allow_nan=False) | st.fractions(), unique=True))
def test_numbers_are_sorted_by_value(given: list[Any]) -> None:
    """Numbers of all types are sorted by their exact value."""
    assert list(in_order(given)) == sorted(given)


def test_large_numbers_are_not_rounded() -> None:
    """An integer and a double next to it are told apart."""
    given = [Decimal(2**53 + 2), 2**53 + 1, float(2**53), Fraction(2**54 + 1, 2)]
    ascending = (2.0**53, Fraction(2**54 + 1, 2), 2**53 + 1, Decimal(2**53 + 2))
    assert {in_order(arranged) for arranged in permutations(given)} == {ascending}


@given(st.lists(st.text(), unique=True))
def test_texts_are_sorted_by_code_point(given: list[str]) -> None:
    """Texts are sorted by code point, in no language."""
    assert list(in_order(given)) == sorted(given)


def test_dates_are_sorted_by_time() -> None:
    """Dates and moments are sorted by year, month and day."""
    given = [date(2024, 10, 1), datetime(2024, 9, 30, 1), date(2023, 12, 31), date(2024, 9, 30)]
    assert in_order(given) == (given[2], given[3], given[1], given[0])


def test_sets_are_not_compared_by_inclusion() -> None:
    """Python compares sets by inclusion, which is no order: the labels in them decide."""
    given = (frozenset({2}), frozenset({1, 3}), frozenset({1}))
    assert {in_order(arranged) for arranged in permutations(given)} == {
        (frozenset({1}), frozenset({1, 3}), frozenset({2}))
    }


def test_labels_that_cannot_be_compared_have_an_order() -> None:
    """Members of an enumeration are sorted by type and repr."""
    assert in_order([Colour.RED, Colour.BLUE]) == (Colour.BLUE, Colour.RED)


def test_an_address_in_memory_is_not_seen() -> None:
    """Two objects without a repr have equal keys, alone and within a tuple."""
    assert label_key(Opaque()) == label_key(Opaque())
    assert label_key((1, Opaque())) == label_key((1, Opaque()))


@pytest.mark.parametrize("missing", [math.nan, Decimal("NaN"), Decimal("sNaN"), np.float64("nan")])
def test_missing_values_have_a_key(missing: Hashable) -> None:
    """A source of a user's own may name an item NaN; it is listed after all numbers."""
    assert in_order([missing, 5, math.inf])[:2] == (5, math.inf)


def test_indistinguishable_labels_are_shuffled() -> None:
    """Labels with equal keys come in a uniformly random order.

    Null: all 6 orders are equally likely. The test errs with probability 10^-9 and has power 0.99
    for a defect of 0.0142.
    """
    three: list[object] = [Opaque(), Opaque(), Opaque()]
    coins = seeded_coins(5)
    drawn = [tuple(map(three.index, sort_by_label(three, coins))) for _ in range(DRAWS)]
    assert fits(drawn, dict.fromkeys(permutations(range(3)), 1 / 6), DRAWS, DEFECT)


def test_distinct_labels_draw_no_random_number() -> None:
    """Only labels with equal keys need random numbers, so a seed selects what it did before."""
    coins, untouched = seeded_coins(3), seeded_coins(3)
    sort_by_label(LABELS, coins)
    assert coins.uniforms(4).tolist() == untouched.uniforms(4).tolist()
