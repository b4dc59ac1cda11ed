"""What the tests of the vectors need: which vectors an implementation fails."""

from collections.abc import Callable
from typing import Any

from privtopk.conformance.vectors import Vector, vectors

Answer = Callable[[Vector], Any]


def failing(group: str, operation: str, answer: Answer) -> set[str]:
    """Return the ids of the vectors of an operation that an implementation fails, or dies of."""
    asked = [vector for vector in vectors(group) if vector.operation == operation]
    assert asked
    return {vector.id for vector in asked if not passes(vector, answer)}


def passes(vector: Vector, answer: Answer) -> bool:
    """Return whether an implementation gives the answer that is expected."""
    try:
        return vector.allows(answer(vector))
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError):
        return False


def refusal_of(call: Callable[[], object]) -> str:
    """Return the whole message with which a value is refused."""
    try:
        call()
    except ValueError as error:
        return str(error)
    raise AssertionError("nothing was refused")
