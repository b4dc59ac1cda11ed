"""The vectors of rejections: our call and plan pass, careless checks fail."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from conformance.support_vectors import Answer, failed_ids, vectors_for
from privtopk.conformance.vectors import Vector, vectors
from privtopk.impl.noise.lazy_permutation import FisherYatesPermutation
from privtopk.impl.plan import plan
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from support import seeded_coins

GROUP = "rejections"


def verdict_of(call: Callable[[], object]) -> dict[str, Any]:
    """Return whether a call is accepted, or the reason that it gives."""
    try:
        call()
    except SelectionError as error:
        return {"is_accepted": False, "reason": error.reason.value}
    return {"is_accepted": True, "reason": None}


def verdict_of_call(vector: Vector) -> dict[str, Any]:
    """Make a selection by our public call, whose budget is k times the rate."""
    given = vector.input
    return verdict_of(
        lambda: top_k(
            given["scores"],
            given["k"],
            epsilon=given["rate"],
            noise=given["noise"],
            ranked=given["is_ranked"],
            rng=1,
        )
    )


KNOWN_DIFFERENCES = {
    "accept-huge-scores": {"is_accepted": False, "reason": "score-out-of-range"},
    "reject-boolean-score": {"is_accepted": True, "reason": None},
}
"""Our call takes at most 2^53 votes, and numpy converts True among numbers to 1."""


@pytest.mark.parametrize("vector", vectors_for(GROUP, "select"), ids=lambda vector: vector.id)
def test_our_call_refuses_the_same(vector: Vector) -> None:
    """The public call refuses and accepts what is expected, except for two known differences."""
    assert verdict_of_call(vector) == KNOWN_DIFFERENCES.get(vector.id, vector.expected)


def verdict_of_budget(vector: Vector) -> dict[str, Any]:
    """Make a selection by our public call under the total budget of a vector."""
    given = vector.input
    return verdict_of(
        lambda: top_k(
            [0] * given["m"],
            given["k"],
            epsilon=given["total_epsilon"],
            delta=given["delta"],
            noise=given["noise"],
            neighbours=given["relation"],
            rng=1,
        )
    )


def verdict_of_prices(vector: Vector) -> dict[str, Any]:
    """Make a plan with the prices of a vector."""
    given = vector.input
    prices = given["sorted_cost"], given["random_cost"]
    return verdict_of(lambda: plan(given["m"], given["k"], epsilon=1, costs=prices))


def verdict_of_position(vector: Vector) -> dict[str, Any]:
    """Ask our permutation for the item at a position."""
    given = vector.input
    return verdict_of(
        lambda: FisherYatesPermutation(given["m"], seeded_coins()).item_at(given["position"])
    )


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("calibrate", verdict_of_budget),
        ("cheapest-prefix", verdict_of_prices),
        ("item-at", verdict_of_position),
    ],
)
def test_our_engines_refuse_the_same(operation: str, answer: Answer) -> None:
    """Budgets, prices and positions are refused for the reasons expected."""
    assert failed_ids(GROUP, operation, answer) == set()


def careless_verdict(vector: Vector) -> dict[str, Any]:
    """Check a selection with comparisons that accept NaN, and without any check of types."""
    given = vector.input
    m, k, rate = len(given["scores"]), given["k"], given["rate"]
    reason = None
    if k < 1 or k > m:
        reason = Reason.K_OUT_OF_RANGE if m else Reason.EMPTY_DOMAIN
    elif rate <= 0 or rate == math.inf or 1 / rate == math.inf:
        reason = Reason.EPSILON_OUT_OF_RANGE
    elif given["noise"] not in ("gumbel", "laplace") or None in given["scores"]:
        reason = Reason.WRONG_TYPE
    elif min(given["scores"]) < 0:
        reason = Reason.NEGATIVE_SCORE
    return {"is_accepted": reason is None, "reason": reason}


def test_careless_checks_are_found() -> None:
    """Checks without types and without NaN fail exactly the vectors about those."""
    assert failed_ids(GROUP, "select", careless_verdict) == {
        "reject-k-fraction",
        "reject-k-whole-double",
        "reject-k-boolean",
        "reject-k-missing",
        "reject-rate-nan",
        "reject-rate-text",
        "reject-ranked-laplace",
        "reject-fractional-score",
        "reject-nan-score",
        "reject-boolean-score",
    }


def test_refusing_too_much_is_found() -> None:
    """An implementation that refuses everything fails every vector that must be accepted."""
    accepted = {one.id for one in vectors_for(GROUP, "select") if one.expected["is_accepted"]}
    assert len(accepted) >= 8
    for vector in vectors_for(GROUP, "select"):
        refused = {**vector.expected, "is_accepted": False}
        assert vector.allows(refused) is (vector.id not in accepted)


def test_reasons_are_those_of_the_specification() -> None:
    """Every reason in a vector exists, and the vectors have many of them."""
    named = {one.expected["reason"] for one in vectors(GROUP)} - {None}
    assert named <= {reason.value for reason in Reason}
    assert len(named) >= 12
