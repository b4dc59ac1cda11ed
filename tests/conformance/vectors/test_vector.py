"""Facts about a vector: its id, its claims, and the answers that it accepts."""

import math
from fractions import Fraction
from typing import Any

import pytest

from conformance.support_vectors import refusal_of
from privtopk.conformance.vectors.vector import EXACT, Group, Tolerance, Vector

NEAR = Tolerance(0.25, 0.5, "For the tests.")


def vector(identity: str = "some-id", claim: str = "algo:one-shot") -> Vector:
    """Return a vector with given names."""
    return Vector(identity, "select", "A bug.", (claim,), {}, {}, {"ranked": [1]}, EXACT)


@pytest.mark.parametrize(
    ("expected", "answer", "is_allowed"),
    [
        (4.0, 5.5, True),
        (4.0, 5.75, False),
        (4.0, 2.5, True),
        (4.0, 2.25, False),
        (4.0, math.nan, False),
        (4.0, "4.0", False),
        (1.0, True, False),
        (math.inf, math.inf, True),
        (math.inf, 1e308, False),
        (4, 4, True),
        (4, 5, False),
        (1, True, False),
        (True, 1, False),
        (Fraction(1, 2), 0.5, True),
        (Fraction(1, 3), 1 / 3, False),
        (None, None, True),
        (None, 0, False),
        ([1, 2], (1, 2), True),
        ([1, 2], [1], False),
        ([1, 2], [2, 1], False),
        ({"a": 1.0}, {"a": 1.5}, True),
        ({"a": 1.0}, {"a": 1.0, "b": 1}, False),
        ({"a": 1.0}, {}, False),
    ],
)
def test_only_doubles_may_be_near(expected: Any, answer: Any, is_allowed: bool) -> None:
    """A double passes within the tolerance, every other value only if it is equal."""
    assert NEAR.allows(expected, answer) is is_allowed


def test_nothing_is_near_without_tolerance() -> None:
    """An exact vector accepts no rounding."""
    assert EXACT.allows(0.1, 0.1)
    assert not EXACT.allows(0.1, math.nextafter(0.1, 1))


@pytest.mark.parametrize("identity", ["", "Upper", "two--hyphens", "under_score", "-x"])
def test_ids_are_slugs(identity: str) -> None:
    """An id is made of lower-case words and hyphens."""
    assert refusal_of(lambda: vector(identity)) == (
        f"an id must be lower-case words joined by hyphens, got {identity!r}"
    )


def test_claims_must_exist() -> None:
    """A vector must cite existing claims."""
    with pytest.raises(KeyError) as caught:
        vector(claim="thm:no-such-theorem")
    assert caught.value.args == ("thm:no-such-theorem",)


def test_ids_of_a_group_differ() -> None:
    """A group with two vectors of the same id is refused."""
    assert (
        refusal_of(lambda: Group("some", "", {"select": ""}, (vector(), vector())))
        == "the ids of some must differ"
    )


@pytest.mark.parametrize("operations", [{}, {"select": "", "other": ""}])
def test_operations_are_explained_and_used(operations: dict[str, str]) -> None:
    """Every operation is explained, and every explanation is used."""
    assert (
        refusal_of(lambda: Group("some", "", operations, (vector(),)))
        == "the operations of some must be those of its vectors"
    )
