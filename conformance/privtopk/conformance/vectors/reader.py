"""The shipped vectors for users of Python, with numbers as int, float and Fraction."""

import json
from functools import cache
from importlib import resources
from typing import Any, Final

from privtopk.conformance.vectors.numbers import decode
from privtopk.conformance.vectors.vector import Group, Tolerance, Vector

NAMES: Final = (
    "threshold-traces",
    "served-noise-selections",
    "order-statistics",
    "permutations",
    "output-laws",
    "bounds",
    "accounting",
    "rejections",
)


@cache
def group_named(name: str) -> Group:
    """Return a group as it is shipped."""
    if name not in NAMES:
        raise ValueError(f"a group must be one of {', '.join(NAMES)}, got {name!r}")
    path = resources.files(__package__) / "data" / f"{name}.json"
    return group_of(json.loads(path.read_text(encoding="utf-8")))


def vectors(group: str | None = None) -> tuple[Vector, ...]:
    """Return all shipped vectors, or those of one group."""
    names = NAMES if group is None else (group,)
    return tuple(vector for name in names for vector in group_named(name).vectors)


def group_of(document: dict[str, Any]) -> Group:
    """Return the group that a file holds."""
    return Group(
        name=document["group"],
        task=document["task"],
        operations=document["operations"],
        vectors=tuple(map(vector_of, document["tests"])),
    )


def vector_of(test: dict[str, Any]) -> Vector:
    """Return the vector that a test of a file holds."""
    tolerance = test["tolerance"]
    return Vector(
        id=test["id"],
        operation=test["operation"],
        hunts=test["hunts"],
        claims=tuple(test["claims"]),
        input=decode(test["input"]),
        intermediates=decode(test["intermediates"]),
        expected=decode(test["expected"]),
        tolerance=Tolerance(
            decode(tolerance["relative"]), decode(tolerance["absolute"]), tolerance["reason"]
        ),
    )
