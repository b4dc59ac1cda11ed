"""Finds the vectors that an implementation fails, for the tests of the vectors."""

from collections.abc import Callable
from typing import Any

from privtopk.conformance.vectors import Vector, vectors

Answer = Callable[[Vector], Any]


def vectors_for(group: str, operation: str) -> list[Vector]:
    """Return the vectors of one operation; there must be some."""
    found = [vector for vector in vectors(group) if vector.operation == operation]
    assert found
    return found


def failed_ids(group: str, operation: str, answer: Answer) -> set[str]:
    """Return the ids of an operation's vectors that an implementation fails, or crashes on."""
    return {one.id for one in vectors_for(group, operation) if not passes(one, answer)}


def passes(vector: Vector, answer: Answer) -> bool:
    """Return whether an implementation gives the expected answer."""
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
