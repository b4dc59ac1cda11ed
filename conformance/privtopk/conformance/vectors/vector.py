"""A test vector: one question, its one right answer, and the bug that gets it wrong."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from privtopk.spec.claims.table import claim_of

SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a double of an answer may lie from the expected one; all else must be equal."""

    relative: float
    absolute: float

    reason: str
    """Why the tolerance is neither smaller nor larger."""

    def allows(self, expected: Any, answer: Any) -> bool:
        """Return whether a whole answer passes."""
        match expected:
            case dict():
                return (
                    isinstance(answer, Mapping)
                    and expected.keys() == answer.keys()
                    and all(self.allows(inner, answer[key]) for key, inner in expected.items())
                )
            case list():
                return (
                    isinstance(answer, list | tuple)
                    and len(expected) == len(answer)
                    and all(map(self.allows, expected, answer))
                )
            case float():
                return self._is_near(expected, answer)
        return _is_same(expected, answer)

    def _is_near(self, expected: float, answer: object) -> bool:
        if isinstance(answer, bool) or not isinstance(answer, int | float | Fraction):
            return False
        if not math.isfinite(expected):
            return answer == expected
        room = self.absolute + self.relative * abs(expected)
        return abs(float(answer) - expected) <= room


def _is_same(expected: object, answer: object) -> bool:
    """Return whether two values are equal; True does not equal 1."""
    return isinstance(expected, bool) == isinstance(answer, bool) and expected == answer


EXACT: Final = Tolerance(0.0, 0.0, "Decided by comparisons and exact arithmetic only.")


@dataclass(frozen=True, slots=True)
class Vector:
    """One question with its right answer."""

    id: str
    """A slug that never changes its meaning."""

    operation: str
    """What to compute; the group explains it."""

    hunts: str
    """The bug that it finds, in one sentence."""

    claims: tuple[str, ...]
    """Keys of the claims from which the answer follows."""

    input: Mapping[str, Any]

    intermediates: Mapping[str, Any]
    """Values that help to trace a wrong answer; an implementation need not have them."""

    expected: Mapping[str, Any]
    tolerance: Tolerance

    def __post_init__(self) -> None:
        """Refuse an id that is not a slug and a claim that the specification does not make."""
        if not SLUG.fullmatch(self.id):
            raise ValueError(f"an id must be lower-case words joined by hyphens, got {self.id!r}")
        for key in self.claims:
            claim_of(key)

    def allows(self, answer: Any) -> bool:
        """Return whether an answer passes; there is nothing between pass and fail."""
        return self.tolerance.allows(self.expected, answer)


@dataclass(frozen=True, slots=True)
class Group:
    """The vectors of one kind of question, written to one file."""

    name: str

    task: str
    """What an implementer does with them."""

    operations: Mapping[str, str]
    """What each operation computes, and how it consumes its input."""

    vectors: tuple[Vector, ...]

    def __post_init__(self) -> None:
        """Refuse two vectors with one id, and an operation that is not explained or not used."""
        ids = [vector.id for vector in self.vectors]
        if len(set(ids)) != len(ids):
            raise ValueError(f"the ids of {self.name} must differ")
        if {vector.operation for vector in self.vectors} != set(self.operations):
            raise ValueError(f"the operations of {self.name} must be those of its vectors")
