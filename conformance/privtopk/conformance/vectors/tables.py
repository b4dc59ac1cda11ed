"""Vectors from tables: the first row names the columns, every other row is one vector."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from privtopk.conformance.vectors.vector import EXACT, Tolerance, Vector

Cases: TypeAlias = Sequence[tuple[Any, ...]]
"""A header and its rows.

The columns `id` and `hunts` are required, `claims` is optional. The others are the arguments of
the function that solves a row.
"""


@dataclass(frozen=True, slots=True)
class Solution:
    """What the specification computes from one row."""

    expected: Mapping[str, Any]
    intermediates: Mapping[str, Any] = field(default_factory=dict)

    input: Mapping[str, Any] | None = None
    """The input of the vector; None if it is the row itself."""

    claims: tuple[str, ...] = ()
    """The claims of a row that names none."""

    tolerance: Tolerance = EXACT


def vectors_of(operation: str, solve: Callable[..., Solution], cases: Cases) -> Iterator[Vector]:
    """Yield one vector per row of a table."""
    header, *rows = cases
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        identity, hunts, claims = cells.pop("id"), cells.pop("hunts"), cells.pop("claims", None)
        solution = solve(**cells)
        yield Vector(
            id=identity,
            operation=operation,
            hunts=hunts,
            claims=claims or solution.claims,
            input=cells if solution.input is None else solution.input,
            intermediates=solution.intermediates,
            expected=solution.expected,
            tolerance=solution.tolerance,
        )
