"""Facts about the checks of parameters: what is let through unchanged, and what is refused how."""

import math
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason, SelectionError
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

Check: TypeAlias = Callable[[object], object]

NAN = math.nan
INFINITY = math.inf
HUGE = 10**400
"""An integer beyond every double."""


class Colour(StrEnum):
    """A choice to be made."""

    RED = "red"


class Shape(StrEnum):
    """Another choice, with a member that looks like one of the first."""

    RED = "red"


def refusal(check: Check, value: object) -> tuple[Reason, str]:
    """Return the reason and the whole message with which a value is refused."""
    with pytest.raises(SelectionError) as caught:
        check(value)
    return caught.value.reason, str(caught.value)


def scale(value: object) -> object:
    """Check a value as an epsilon that goes by another name."""
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
    """A boolean, a whole float or fraction, a text and None are no integers anywhere."""
    assert refusal(check, value) == (
        Reason.WRONG_TYPE,
        f"{name} must be an integer, got {value!r}",
    )


@pytest.mark.parametrize(("name", "check"), NUMBERS)
@pytest.mark.parametrize("value", [True, False, "0.5", None, 0.5 + 0j, (0.5,)])
def test_only_numbers_are_numbers(name: str, check: Check, value: object) -> None:
    """A boolean, a text, None and a complex number are no numbers anywhere."""
    assert refusal(check, value) == (Reason.WRONG_TYPE, f"{name} must be a number, got {value!r}")


@pytest.mark.parametrize(("name", "check"), NUMBERS)
def test_nan_is_refused_by_its_own_reason(name: str, check: Check) -> None:
    """NaN is refused wherever a number is asked for."""
    assert refusal(check, NAN) == (Reason.NOT_A_NUMBER, f"{name} must be a number, got nan")


@given(st.integers())
def test_integers_pass_unchanged(value: int) -> None:
    """Every integer is an integer, however large."""
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
    assert refusal(require_size, m) == (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")


@pytest.mark.parametrize("value", [3, 5, 7])
def test_both_ends_of_a_range_pass(value: int) -> None:
    """A range includes both ends."""
    assert require_between("r", value, 3, 7) == value


@pytest.mark.parametrize("value", [2, 8, -(10**30)])
def test_values_outside_a_range_are_refused(value: int) -> None:
    """One step beyond either end is refused."""
    assert refusal(lambda v: require_between("r", v, 3, 7), value) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"r must be between 3 and 7, got {value}",
    )


@pytest.mark.parametrize("value", [3, 4, HUGE])
def test_values_from_the_least_pass(value: int) -> None:
    """A lower limit is itself allowed, and there is no upper one."""
    assert require_at_least("r", value, 3) == value


def test_values_below_the_least_are_refused() -> None:
    """One step below the limit is refused."""
    assert refusal(lambda v: require_at_least("r", v, 3), 2) == (
        Reason.SIZE_OUT_OF_RANGE,
        "r must be at least 3, got 2",
    )


@pytest.mark.parametrize("k", [1, 3, 5])
def test_k_from_one_to_m_passes(k: int) -> None:
    """One item and all items can be asked for."""
    assert require_k(k, 5) == k


@pytest.mark.parametrize("k", [-1, 0, 6, 7])
def test_k_outside_one_to_m_is_refused(k: int) -> None:
    """No item, or more items than there are, cannot be asked for."""
    assert refusal(lambda v: require_k(v, 5), k) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=5, got {k}",
    )


@pytest.mark.parametrize("value", [5e-324, 1e-9, 1, Fraction(1, 3), 1.7e308])
def test_positive_finite_epsilons_pass(value: int | float | Fraction) -> None:
    """An epsilon may be as small or as large as a double."""
    assert require_epsilon(value) is value


@pytest.mark.parametrize("value", [0, 0.0, -0.0, -1, Fraction(-1, 3), INFINITY, -INFINITY])
def test_other_epsilons_are_refused(value: object) -> None:
    """Zero, negative and infinite epsilons are refused."""
    assert refusal(require_epsilon, value) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"epsilon must be positive and finite, got {value}",
    )


def test_epsilon_goes_by_the_name_it_is_given() -> None:
    """The message names the parameter as the caller knows it."""
    assert refusal(scale, 0) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "scale must be positive and finite, got 0",
    )


@pytest.mark.parametrize("value", [0, 0.0, 1e-9, Fraction(1, 3), 700])
def test_losses_from_zero_pass(value: int | float | Fraction) -> None:
    """Perfect privacy, a loss of 0, is allowed."""
    assert require_loss(value) is value


@pytest.mark.parametrize("value", [-1e-300, -1, INFINITY, -INFINITY])
def test_other_losses_are_refused(value: object) -> None:
    """A negative or infinite loss is refused."""
    assert refusal(require_loss, value) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"epsilon must be at least 0 and finite, got {value}",
    )


@pytest.mark.parametrize("value", [0, 0.0, 1e-300, Fraction(1, 2), 1 - 2**-53])
def test_deltas_below_one_pass(value: int | float | Fraction) -> None:
    """Delta 0 is pure privacy and allowed."""
    assert require_delta(value) is value


@pytest.mark.parametrize("value", [-1e-300, 1, 1.0, Fraction(3, 2), INFINITY, -INFINITY])
def test_other_deltas_are_refused(value: object) -> None:
    """A negative delta, or one with which anything is private, is refused."""
    assert refusal(require_delta, value) == (
        Reason.DELTA_OUT_OF_RANGE,
        f"delta must be at least 0 and below 1, got {value}",
    )


@pytest.mark.parametrize("value", [5e-324, 0.5, Fraction(1, 2), 1 - 2**-53])
def test_probabilities_inside_pass(value: float | Fraction) -> None:
    """A probability lies strictly between 0 and 1."""
    assert require_probability("beta", value) is value


@pytest.mark.parametrize("value", [0, 0.0, 1, 1.0, -0.5, 1.5, INFINITY, -INFINITY])
def test_probabilities_outside_are_refused(value: object) -> None:
    """The ends 0 and 1 are refused with all that lies beyond."""
    assert refusal(lambda v: require_probability("beta", v), value) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        f"beta must be strictly between 0 and 1, got {value}",
    )


@pytest.mark.parametrize("value", [0, 0.0, Fraction(1, 20), 1 - 2**-53])
def test_failures_below_one_pass(value: int | float | Fraction) -> None:
    """An algorithm may never fail."""
    assert require_failure("beta", value) is value


@pytest.mark.parametrize("value", [-0.1, 1, 1.0, Fraction(3, 2), INFINITY])
def test_certain_failures_are_refused(value: object) -> None:
    """An algorithm that always fails is refused."""
    assert refusal(lambda v: require_failure("beta", v), value) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        f"beta must be at least 0 and below 1, got {value}",
    )


@pytest.mark.parametrize("value", [5e-324, 1, Fraction(1, 3), 1.7e308])
def test_positive_finite_costs_pass(value: int | float | Fraction) -> None:
    """An access costs something."""
    assert require_cost("price", value) is value


@pytest.mark.parametrize("value", [0, -1, 0.0, INFINITY, -INFINITY])
def test_other_costs_are_refused(value: object) -> None:
    """A free, rewarded or unaffordable access is refused."""
    assert refusal(lambda v: require_cost("price", v), value) == (
        Reason.COST_OUT_OF_RANGE,
        f"price must be positive and finite, got {value}",
    )


@pytest.mark.parametrize("value", [1e-9, 1, Fraction(7, 2)])
def test_positive_orders_pass(value: int | float | Fraction) -> None:
    """The order of a moment is positive."""
    assert require_order(value) is value


@pytest.mark.parametrize("value", [0, -1, INFINITY])
def test_other_orders_are_refused(value: object) -> None:
    """An order of 0, below 0 or without bound is refused."""
    assert refusal(require_order, value) == (
        Reason.ORDER_OUT_OF_RANGE,
        f"c must be positive and finite, got {value}",
    )


@pytest.mark.parametrize("value", [0, 0.5, Fraction(7, 2), 10**9])
def test_accuracies_from_zero_pass(value: int | float | Fraction) -> None:
    """A selection may be asked to be exact."""
    assert require_accuracy(value) is value


@pytest.mark.parametrize("value", [-1, -1e-300, INFINITY])
def test_other_accuracies_are_refused(value: object) -> None:
    """A negative or infinite error is refused."""
    assert refusal(require_accuracy, value) == (
        Reason.ACCURACY_OUT_OF_RANGE,
        f"alpha must be at least 0 and finite, got {value}",
    )


@pytest.mark.parametrize(
    ("check", "reason", "requirement"),
    [
        (require_epsilon, Reason.EPSILON_OUT_OF_RANGE, "epsilon must be positive and finite"),
        (require_loss, Reason.EPSILON_OUT_OF_RANGE, "epsilon must be at least 0 and finite"),
        (
            lambda value: require_cost("price", value),
            Reason.COST_OUT_OF_RANGE,
            "price must be positive and finite",
        ),
        (require_order, Reason.ORDER_OUT_OF_RANGE, "c must be positive and finite"),
        (require_accuracy, Reason.ACCURACY_OUT_OF_RANGE, "alpha must be at least 0 and finite"),
    ],
    ids=["epsilon", "loss", "cost", "order", "accuracy"],
)
@pytest.mark.parametrize("value", [HUGE, Fraction(HUGE)], ids=["integer", "fraction"])
def test_numbers_beyond_every_double_are_refused(
    check: Check, reason: Reason, requirement: str, value: object
) -> None:
    """An exact number too large for a double is refused like infinity, and not by a crash."""
    assert refusal(check, value) == (reason, f"{requirement}, got {value}")


def test_members_pass_unchanged() -> None:
    """A member of the enumeration is a choice."""
    assert require_member("colour", Colour.RED, Colour) is Colour.RED


@pytest.mark.parametrize("value", ["red", "RED", None, 0, Shape.RED])
def test_strangers_to_an_enumeration_are_refused(value: object) -> None:
    """A text or a member of another enumeration is no choice, even if it is equal to one."""
    assert refusal(lambda v: require_member("colour", v, Colour), value) == (
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
    assert refusal(require_base, base) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"base must be above 1, got {base}",
    )


@pytest.mark.parametrize("base", [True, 2.0, "2", None, NAN])
def test_inexact_bases_are_refused(base: object) -> None:
    """A float is no base of an exact law."""
    assert refusal(require_base, base) == (
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
    assert refusal(require_shrinkage, shrinkage) == (
        Reason.EPSILON_OUT_OF_RANGE,
        f"shrinkage must be above 0 and at most 1, got {shrinkage}",
    )


@pytest.mark.parametrize("shrinkage", [True, 0.5, "1", None, NAN])
def test_inexact_shrinkages_are_refused(shrinkage: object) -> None:
    """A float is no exact e^-epsilon."""
    assert refusal(require_shrinkage, shrinkage) == (
        Reason.WRONG_TYPE,
        f"shrinkage must be an integer or a fraction, got {shrinkage!r}",
    )


def test_weights_are_counted() -> None:
    """The check of weights returns how many there are."""
    assert require_weights([1, 0.5, Fraction(1, 3)]) == 3


def test_exact_weights_may_exceed_every_double() -> None:
    """A weight is used exactly, so an integer or a fraction of any size is finite."""
    assert require_weights([HUGE, Fraction(HUGE, 3)]) == 2


def test_no_weights_are_refused() -> None:
    """There is at least one weight."""
    assert refusal(lambda v: require_weights([]), None) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


@pytest.mark.parametrize("weight", [0, -1, 0.0, INFINITY])
def test_other_weights_are_refused(weight: object) -> None:
    """A weight that is not positive and finite is refused under the number of its item."""
    assert refusal(lambda v: require_weights([1, v]), weight) == (
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
    assert refusal(lambda v: require_item(v, 5), item) == (
        Reason.UNKNOWN_ITEM,
        f"item must be between 1 and m=5, got {item}",
    )


def test_distinct_items_become_a_set() -> None:
    """The order in which items are named is forgotten."""
    assert require_distinct_items([5, 1, 3], 5) == frozenset({1, 3, 5})


def test_no_items_are_distinct() -> None:
    """An empty selection names no item twice."""
    assert require_distinct_items([], 5) == frozenset()


def test_duplicate_items_are_refused() -> None:
    """An item that is named twice is refused, with the two counts."""
    assert refusal(lambda v: require_distinct_items([2, 3, 2], 5), None) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 3 items of which 2 differ",
    )


def test_unknown_items_in_a_selection_are_refused() -> None:
    """A selection names items of the domain only."""
    assert refusal(lambda v: require_distinct_items([2, 6], 5), None) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 1 and m=5, got 6",
    )


@given(st.lists(st.integers(min_value=0), min_size=1, max_size=8))
def test_histograms_pass_as_tuples(scores: list[int]) -> None:
    """Whole scores from 0 up are a histogram."""
    assert require_histogram(scores) == tuple(scores)


def test_empty_histograms_are_refused() -> None:
    """A histogram has at least one item."""
    assert refusal(lambda v: require_histogram(()), None) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


@pytest.mark.parametrize("score", [True, 1.0, "1", None, NAN, Fraction(1)])
def test_scores_of_other_types_are_refused(score: object) -> None:
    """A score that is no integer is refused by the number of its item and not shown."""
    assert refusal(lambda v: require_histogram((3, v)), score) == (
        Reason.WRONG_TYPE,
        "the score of item 2 must be an integer",
    )


@given(st.integers(max_value=-1), st.lists(st.integers(min_value=0), max_size=4))
def test_refusals_do_not_show_a_score(score: int, others: list[int]) -> None:
    """The message for a negative score is the same whatever this and the other scores are."""
    assert refusal(lambda v: require_histogram([v, *others]), score) == (
        Reason.NEGATIVE_SCORE,
        "the score of item 1 must not be negative",
    )
