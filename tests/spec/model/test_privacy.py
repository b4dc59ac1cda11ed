"""Facts about the exact decision of (epsilon, delta)-privacy on finite laws."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.privacy import (
    hockey_stick,
    is_private,
    is_private_by_definition,
    require_law,
    require_ratio,
    tight_delta,
    tight_ratio,
)
from support import refusal

Law = dict[str, Fraction]

ONE = Fraction(1)
HALF = Fraction(1, 2)
NOT_A_LAW = (
    Reason.NOT_A_LAW,
    "the probabilities of a law must not be negative and must sum to 1",
)


def law_of(weights: list[int]) -> Law:
    """Return the law on the letters with probabilities proportional to the weights."""
    total = sum(weights)
    return {letter: Fraction(w, total) for letter, w in zip("abcd", weights, strict=True)}


LAWS = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any).map(law_of)
RATIOS = st.integers(8, 40).map(lambda n: Fraction(n, 8))
DELTAS = st.integers(0, 15).map(lambda n: Fraction(n, 16))


def test_randomised_response_is_private_at_its_ratio() -> None:
    """Answering truly with probability 3/4 has e^epsilon = 3 and delta = 0."""
    yes, no = law_of([3, 1, 0, 0]), law_of([1, 3, 0, 0])
    assert (tight_ratio(yes, no), tight_delta(yes, no, Fraction(3))) == (Fraction(3), Fraction(0))


def test_hockey_stick_by_hand() -> None:
    """At ratio 2 only the output a has an excess, of 3/4 - 2/4."""
    assert hockey_stick(law_of([3, 1, 0, 0]), law_of([1, 3, 0, 0]), Fraction(2)) == Fraction(1, 4)


def test_hockey_stick_has_a_direction() -> None:
    """The excess of P over Q is not that of Q over P."""
    p, q = law_of([2, 2, 0, 0]), law_of([1, 2, 1, 0])
    two = Fraction(2)
    assert (hockey_stick(p, q, two), hockey_stick(q, p, two)) == (Fraction(0), Fraction(1, 4))


def test_impossible_outputs_need_delta() -> None:
    """No epsilon covers an output that only one law has."""
    p, q = {"a": ONE}, {"a": Fraction(9, 10), "b": Fraction(1, 10)}
    assert tight_ratio(p, q) is None
    assert tight_ratio(p, q, Fraction(1, 10)) == 1


def test_delta_allows_a_smaller_ratio() -> None:
    """With delta = 1/4 randomised response needs the ratio 2 instead of 3."""
    yes, no = law_of([3, 1, 0, 0]), law_of([1, 3, 0, 0])
    assert tight_ratio(yes, no, Fraction(1, 4)) == 2


@settings(max_examples=50)
@given(LAWS)
def test_equal_laws_are_perfectly_private(p: Law) -> None:
    """A law and itself have ratio 1 and delta 0."""
    assert (tight_ratio(p, p), tight_delta(p, p, ONE)) == (ONE, Fraction(0))


@settings(max_examples=50)
@given(LAWS, LAWS, RATIOS, DELTAS)
def test_decision_is_the_definition(p: Law, q: Law, ratio: Fraction, delta: Fraction) -> None:
    """The sum over outputs and the definition over all sets of outputs agree."""
    assert is_private(p, q, ratio, delta) == is_private_by_definition(p, q, ratio, delta)


@settings(max_examples=50)
@given(LAWS, LAWS, RATIOS)
def test_tight_delta_is_the_least(p: Law, q: Law, ratio: Fraction) -> None:
    """The definition holds with the tight delta and fails with anything smaller."""
    delta = tight_delta(p, q, ratio)
    assert is_private_by_definition(p, q, ratio, delta)
    assert delta == 0 or not is_private_by_definition(p, q, ratio, delta * (1 - Fraction(1, 10**9)))


@settings(max_examples=50)
@given(LAWS, LAWS, DELTAS)
def test_tight_ratio_is_the_least(p: Law, q: Law, delta: Fraction) -> None:
    """The definition holds with the tight ratio and fails with any smaller one above 1."""
    ratio = tight_ratio(p, q, delta)
    if ratio is None:
        assert not is_private_by_definition(p, q, Fraction(10**12), delta)
    else:
        assert is_private_by_definition(p, q, ratio, delta)
        below = 1 + (ratio - 1) * (1 - Fraction(1, 10**9))
        assert ratio == 1 or not is_private_by_definition(p, q, below, delta)


@settings(max_examples=50)
@given(LAWS, LAWS, RATIOS, DELTAS)
def test_privacy_is_symmetric(p: Law, q: Law, ratio: Fraction, delta: Fraction) -> None:
    """A pair is private in both directions or in none."""
    assert is_private(p, q, ratio, delta) == is_private(q, p, ratio, delta)


@settings(max_examples=50)
@given(LAWS, LAWS, RATIOS)
def test_post_processing_keeps_privacy(p: Law, q: Law, ratio: Fraction) -> None:
    """Releasing only whether the output is a never needs a larger delta."""

    def coarse(law: Law) -> dict[bool, Fraction]:
        return {True: law["a"], False: 1 - law["a"]}

    assert tight_delta(coarse(p), coarse(q), ratio) <= tight_delta(p, q, ratio)


def test_outputs_may_be_missing_from_a_law() -> None:
    """An output that is not listed has probability 0."""
    assert tight_delta({"a": ONE}, {"b": ONE}, Fraction(5)) == 1


@settings(max_examples=50)
@given(LAWS)
def test_laws_pass_unchanged(p: Law) -> None:
    """Probabilities that sum to 1 are a law."""
    assert require_law(p) is p


@pytest.mark.parametrize(
    "law",
    [
        {},
        {"a": HALF},
        {"a": ONE, "b": HALF},
        {"a": Fraction(3, 2), "b": -HALF},
    ],
)
def test_other_mappings_are_refused(law: Law) -> None:
    """Too little, too much or negative probability is refused wherever a law is required."""
    good = {"a": ONE}
    assert refusal(lambda: require_law(law)) == NOT_A_LAW
    assert refusal(lambda: tight_delta(law, good, ONE)) == NOT_A_LAW
    assert refusal(lambda: tight_delta(good, law, ONE)) == NOT_A_LAW
    assert refusal(lambda: tight_ratio(law, good)) == NOT_A_LAW
    assert refusal(lambda: tight_ratio(good, law)) == NOT_A_LAW
    assert refusal(lambda: is_private(good, law, ONE)) == NOT_A_LAW


@pytest.mark.parametrize("ratio", [Fraction(0), Fraction(99, 100), Fraction(-2)])
def test_ratios_below_one_are_refused(ratio: Fraction) -> None:
    """e^epsilon is at least 1."""
    expected = (
        Reason.EPSILON_OUT_OF_RANGE,
        f"the ratio e^epsilon must be at least 1, got {ratio}",
    )
    assert refusal(lambda: require_ratio(ratio)) == expected
    assert refusal(lambda: is_private({"a": ONE}, {"a": ONE}, ratio)) == expected


def test_ratio_of_one_passes() -> None:
    """A ratio of 1 is perfect privacy, and allowed."""
    assert require_ratio(ONE) is ONE


@pytest.mark.parametrize("delta", [Fraction(-1, 2), ONE, Fraction(2)])
def test_deltas_outside_are_refused(delta: Fraction) -> None:
    """Delta lies in [0, 1)."""
    expected = (
        Reason.DELTA_OUT_OF_RANGE,
        f"delta must be at least 0 and below 1, got {delta}",
    )
    law = {"a": ONE}
    assert refusal(lambda: is_private(law, law, ONE, delta)) == expected
    assert refusal(lambda: tight_ratio(law, law, delta)) == expected


@pytest.mark.parametrize(
    ("delta", "reason"), [(math.nan, Reason.NOT_A_NUMBER), (False, Reason.WRONG_TYPE)]
)
def test_deltas_of_other_kinds_are_refused(delta: Any, reason: Reason) -> None:
    """NaN and booleans are refused as deltas."""
    law = {"a": ONE}
    assert refusal(lambda: tight_ratio(law, law, delta)) == (
        reason,
        f"delta must be a number, got {delta!r}",
    )
