"""Facts about the checks of parameters: what passes unchanged, and how the rest is refused."""

import math
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.parameters import (
    require_accuracy,
    require_at_least,
    require_base,
    require_between,
    require_cost,
    require_delta,
    require_distinct_items,
    require_epsilon,
    require_failure,
    require_histogram,
    require_integer,
    require_item,
    require_k,
    require_loss,
    require_member,
    require_number,
    require_order,
    require_probability,
    require_shrinkage,
    require_size,
    require_weights,
)
from privtopk.spec.model.values import Number
from support import refusal

Check: TypeAlias = Callable[[object], object]

NAN = math.nan
INFINITY = math.inf
HUGE = 10**400
"""An integer larger than every double."""


class Colour(StrEnum):
    """An enumeration to choose from."""

    RED = "red"


class Shape(StrEnum):
    """Another enumeration, with a member that equals one of the first."""

    RED = "red"


def scale(value: object) -> object:
    """Check a value as an epsilon with another name."""
    return require_epsilon(value, "scale")


NUMBERS: tuple[tuple[str, Check], ...] = (
    ("x", lambda value: require_number("x", value)),
    ("epsilon", require_epsilon),
    ("scale", scale),
    ("epsilon", require_loss),
    ("delta", require_delta),
    ("beta", lambda value: require_probability("beta", value)),
    ("beta", lambda value: require_failure("beta", value)),
    ("price", lambda value: require_cost("price", value)),
    ("c", require_order),
    ("alpha", require_accuracy),
    ("the weight of item 1", lambda value: require_weights([value])),
)
"""Every check of a number, with the name that its messages use."""

INTEGERS: tuple[tuple[str, Check], ...] = (
    ("n", lambda value: require_integer("n", value)),
    ("m", require_size),
    ("r", lambda value: require_between("r", value, 1, 9)),
    ("r", lambda value: require_at_least("r", value, 1)),
    ("k", lambda value: require_k(value, 5)),
    ("item", lambda value: require_item(value, 5)),
    ("item", lambda value: require_distinct_items([value], 5)),
)
"""Every check of an integer, with the name that its messages use."""


@pytest.mark.parametrize(("name", "check"), INTEGERS)
@pytest.mark.parametrize("value", [True, False, 2.0, "2", None, Fraction(2), NAN, (2,)])
def test_only_integers_are_integers(name: str, check: Check, value: object) -> None:
    """A boolean, a whole float or fraction, a string and None are refused as integers."""
    assert refusal(lambda: check(value)) == (
        Reason.WRONG_TYPE,
        f"{name} must be an integer, got {value!r}",
    )


@pytest.mark.parametrize(("name", "check"), NUMBERS)
@pytest.mark.parametrize("value", [True, False, "0.5", None, 0.5 + 0j, (0.5,)])
def test_only_numbers_are_numbers(name: str, check: Check, value: object) -> None:
    """A boolean, a string, None and a complex number are refused as numbers."""
    assert refusal(lambda: check(value)) == (
        Reason.WRONG_TYPE,
        f"{name} must be a number, got {value!r}",
    )


@pytest.mark.parametrize(("name", "check"), NUMBERS)
def test_nan_is_refused_by_its_own_reason(name: str, check: Check) -> None:
    """NaN is refused wherever a number is required."""
    assert refusal(lambda: check(NAN)) == (Reason.NOT_A_NUMBER, f"{name} must be a number, got nan")


@given(st.integers())
def test_integers_pass_unchanged(value: int) -> None:
    """Every integer passes, however large."""
    assert require_integer("n", value) == value


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.fractions()))
def test_numbers_pass_unchanged(value: int | float | Fraction) -> None:
    """An int, a float or a fraction passes as the same object, infinity too."""
    assert require_number("x", value) is value


@pytest.mark.parametrize("m", [1, 2, 2**60])
def test_sizes_from_one_pass(m: int) -> None:
    """A domain has at least one item."""
    assert require_size(m) == m


@pytest.mark.parametrize("m", [0, -1])
def test_empty_domains_are_refused(m: int) -> None:
    """A domain without items is refused."""
    assert refusal(lambda: require_size(m)) == (
        Reason.EMPTY_DOMAIN,
        f"m must be at least 1, got {m}",
    )


@pytest.mark.parametrize("value", [3, 5, 7])
def test_both_ends_of_a_limitspass(value: int) -> None:
    """A range includes both ends."""
    assert require_between("r", value, 3, 7) == value


@pytest.mark.parametrize("value", [2, 8, -(10**30)])
def test_values_outside_a_limitsare_refused(value: int) -> None:
    """One step outside either end is refused."""
    assert refusal(lambda: require_between("r", value, 3, 7)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"r must be between 3 and 7, got {value}",
    )


@pytest.mark.parametrize("value", [3, 4, HUGE])
def test_values_from_the_least_pass(value: int) -> None:
    """The lower limit itself is allowed, and there is no upper limit."""
    assert require_at_least("r", value, 3) == value


def test_values_below_the_least_are_refused() -> None:
    """One step below the limit is refused."""
    assert refusal(lambda: require_at_least("r", 2, 3)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "r must be at least 3, got 2",
    )


@pytest.mark.parametrize("k", [1, 3, 5])
def test_k_from_one_to_m_passes(k: int) -> None:
    """k = 1 and k = m are allowed."""
    assert require_k(k, 5) == k


@pytest.mark.parametrize("k", [-1, 0, 6, 7])
def test_k_outside_one_to_m_is_refused(k: int) -> None:
    """k = 0 and k > m are refused."""
    assert refusal(lambda: require_k(k, 5)) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=5, got {k}",
    )


class Range(NamedTuple):
    """A check of a number, with values that it allows and values that it refuses."""

    check: Check
    reason: Reason
    requirement: str
    allowed: tuple[Number, ...]
    refused: tuple[Number, ...]


RANGES = {
    "epsilon": Range(
        require_epsilon,
        Reason.EPSILON_OUT_OF_RANGE,
        "epsilon must be positive and finite",
        allowed=(5e-324, 1e-9, 1, Fraction(1, 3), 1.7e308),
        refused=(0, 0.0, -0.0, -1, Fraction(-1, 3), INFINITY, -INFINITY, HUGE, Fraction(HUGE)),
    ),
    "epsilon by another name": Range(
        scale,
        Reason.EPSILON_OUT_OF_RANGE,
        "scale must be positive and finite",
        allowed=(1,),
        refused=(0,),
    ),
    # A loss of 0 is perfect privacy.
    "loss": Range(
        require_loss,
        Reason.EPSILON_OUT_OF_RANGE,
        "epsilon must be at least 0 and finite",
        allowed=(0, 0.0, 1e-9, Fraction(1, 3), 700),
        refused=(-1e-300, -1, INFINITY, -INFINITY, HUGE, Fraction(HUGE)),
    ),
    # Delta 0 is pure privacy; with delta 1 everything is private.
    "delta": Range(
        require_delta,
        Reason.DELTA_OUT_OF_RANGE,
        "delta must be at least 0 and below 1",
        allowed=(0, 0.0, 1e-300, Fraction(1, 2), 1 - 2**-53),
        refused=(-1e-300, 1, 1.0, Fraction(3, 2), INFINITY, -INFINITY),
    ),
    "probability": Range(
        lambda value: require_probability("beta", value),
        Reason.PROBABILITY_OUT_OF_RANGE,
        "beta must be strictly between 0 and 1",
        allowed=(5e-324, 0.5, Fraction(1, 2), 1 - 2**-53),
        refused=(0, 0.0, 1, 1.0, -0.5, 1.5, INFINITY, -INFINITY),
    ),
    # An algorithm may never fail, but it must not always fail.
    "failure": Range(
        lambda value: require_failure("beta", value),
        Reason.PROBABILITY_OUT_OF_RANGE,
        "beta must be at least 0 and below 1",
        allowed=(0, 0.0, Fraction(1, 20), 1 - 2**-53),
        refused=(-0.1, 1, 1.0, Fraction(3, 2), INFINITY),
    ),
    "cost": Range(
        lambda value: require_cost("price", value),
        Reason.COST_OUT_OF_RANGE,
        "price must be positive and finite",
        allowed=(5e-324, 1, Fraction(1, 3), 1.7e308),
        refused=(0, -1, 0.0, INFINITY, -INFINITY, HUGE, Fraction(HUGE)),
    ),
    "order": Range(
        require_order,
        Reason.ORDER_OUT_OF_RANGE,
        "c must be positive and finite",
        allowed=(1e-9, 1, Fraction(7, 2)),
        refused=(0, -1, INFINITY, HUGE, Fraction(HUGE)),
    ),
    # An error of 0 means an exact selection.
    "accuracy": Range(
        require_accuracy,
        Reason.ACCURACY_OUT_OF_RANGE,
        "alpha must be at least 0 and finite",
        allowed=(0, 0.5, Fraction(7, 2), 10**9),
        refused=(-1, -1e-300, INFINITY, HUGE, Fraction(HUGE)),
    ),
}


@pytest.mark.parametrize("limits", RANGES.values(), ids=RANGES)
def test_numbers_inside_a_limitspass_unchanged(limits: Range) -> None:
    """A number that is allowed comes back as the same object."""
    assert all(limits.check(value) is value for value in limits.allowed)


@pytest.mark.parametrize("limits", RANGES.values(), ids=RANGES)
def test_numbers_outside_a_limitsare_refused(limits: Range) -> None:
    """Each is refused; an exact number too large for a double is refused like infinity."""
    assert [refusal(partial(limits.check, value)) for value in limits.refused] == [
        (limits.reason, f"{limits.requirement}, got {value}") for value in limits.refused
    ]


def test_members_pass_unchanged() -> None:
    """A member of the enumeration passes."""
    assert require_member("colour", Colour.RED, Colour) is Colour.RED


@pytest.mark.parametrize("value", ["red", "RED", None, 0, Shape.RED])
def test_values_outside_an_enumeration_are_refused(value: object) -> None:
    """A string or a member of another enumeration is refused, even if it equals a member."""
    assert refusal(lambda: require_member("colour", value, Colour)) == (
        Reason.WRONG_TYPE,
        f"colour must be a Colour, got {value!r}",
    )


@pytest.mark.parametrize("base", [2, Fraction(11, 10), Fraction(10**9 + 1, 10**9)])
def test_bases_above_one_pass_as_fractions(base: int | Fraction) -> None:
    """The base of an exact law comes back as a fraction of the same value."""
    checked = require_base(base)
    assert (type(checked), checked) == (Fraction, base)


@pytest.mark.parametrize("base", [1, 0, -2, Fraction(9, 10), Fraction(1)])
def test_bases_up_to_one_are_refused(base: object) -> None:
    """A base of 1 is epsilon 0, and one below is a negative epsilon: both are refused."""
    assert refusal(lambda: require_base(base)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"base must be above 1, got {base}",
    )


@pytest.mark.parametrize("base", [True, 2.0, "2", None, NAN])
def test_inexact_bases_are_refused(base: object) -> None:
    """An exact law needs an exact base."""
    assert refusal(lambda: require_base(base)) == (
        Reason.WRONG_TYPE,
        f"base must be an integer or a fraction, got {base!r}",
    )


@pytest.mark.parametrize("shrinkage", [1, Fraction(1, 2), Fraction(1, 10**30)])
def test_shrinkages_up_to_one_pass_as_fractions(shrinkage: int | Fraction) -> None:
    """e^-epsilon comes back as a fraction of the same value; 1 is epsilon 0."""
    checked = require_shrinkage(shrinkage)
    assert (type(checked), checked) == (Fraction, shrinkage)


@pytest.mark.parametrize("shrinkage", [0, 2, -1, Fraction(11, 10)])
def test_other_shrinkages_are_refused(shrinkage: object) -> None:
    """e^-epsilon is neither 0 nor above 1."""
    assert refusal(lambda: require_shrinkage(shrinkage)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"shrinkage must be above 0 and at most 1, got {shrinkage}",
    )


@pytest.mark.parametrize("shrinkage", [True, 0.5, "1", None, NAN])
def test_inexact_shrinkages_are_refused(shrinkage: object) -> None:
    """A float is refused where e^-epsilon must be exact."""
    assert refusal(lambda: require_shrinkage(shrinkage)) == (
        Reason.WRONG_TYPE,
        f"shrinkage must be an integer or a fraction, got {shrinkage!r}",
    )


def test_weights_are_counted() -> None:
    """The check of weights returns their number."""
    assert require_weights([1, 0.5, Fraction(1, 3)]) == 3


def test_exact_weights_may_exceed_every_double() -> None:
    """A weight is used exactly, so an integer or a fraction of any size is finite."""
    assert require_weights([HUGE, Fraction(HUGE, 3)]) == 2


def test_empty_weights_are_refused() -> None:
    """There is at least one weight."""
    assert refusal(lambda: require_weights([])) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


@pytest.mark.parametrize("weight", [0, -1, 0.0, INFINITY])
def test_other_weights_are_refused(weight: object) -> None:
    """The message names the item of a weight that is not positive and finite."""
    assert refusal(lambda: require_weights([1, weight])) == (
        Reason.WEIGHT_OUT_OF_RANGE,
        f"the weight of item 2 must be positive and finite, got {weight}",
    )


@pytest.mark.parametrize("item", [1, 3, 5])
def test_items_of_the_domain_pass(item: int) -> None:
    """Items are numbered 1 to m."""
    assert require_item(item, 5) == item


@pytest.mark.parametrize("item", [0, 6, -1])
def test_items_outside_the_domain_are_refused(item: int) -> None:
    """Item 0 and item m + 1 are unknown."""
    assert refusal(lambda: require_item(item, 5)) == (
        Reason.UNKNOWN_ITEM,
        f"item must be between 1 and m=5, got {item}",
    )


def test_distinct_items_become_a_set() -> None:
    """The order of the items is lost."""
    assert require_distinct_items([5, 1, 3], 5) == frozenset({1, 3, 5})


def test_an_empty_collection_is_distinct() -> None:
    """An empty collection names no item twice."""
    assert require_distinct_items([], 5) == frozenset()


def test_duplicate_items_are_refused() -> None:
    """An item named twice is refused; the message has both counts."""
    assert refusal(lambda: require_distinct_items([2, 3, 2], 5)) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 3 items of which 2 differ",
    )


def test_unknown_items_in_a_selection_are_refused() -> None:
    """A selection names items of the domain only."""
    assert refusal(lambda: require_distinct_items([2, 6], 5)) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 1 and m=5, got 6",
    )


@given(st.lists(st.integers(min_value=0), min_size=1, max_size=8))
def test_histograms_pass_as_tuples(scores: list[int]) -> None:
    """Integer scores of at least 0 are a histogram."""
    assert require_histogram(scores) == tuple(scores)


def test_empty_histograms_are_refused() -> None:
    """A histogram has at least one item."""
    assert refusal(lambda: require_histogram(())) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


@pytest.mark.parametrize("score", [True, 1.0, "1", None, NAN, Fraction(1)])
def test_scores_of_other_types_are_refused(score: object) -> None:
    """A score that is not an integer is refused; the message names the item, not the score."""
    assert refusal(lambda: require_histogram((3, score))) == (
        Reason.WRONG_TYPE,
        "the score of item 2 must be an integer",
    )


@given(st.integers(max_value=-1), st.lists(st.integers(min_value=0), max_size=4))
def test_refusals_do_not_show_a_score(score: int, others: list[int]) -> None:
    """The message for a negative score is the same for all scores."""
    assert refusal(lambda: require_histogram([score, *others])) == (
        Reason.NEGATIVE_SCORE,
        "the score of item 1 must not be negative",
    )
