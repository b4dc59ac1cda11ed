"""Facts about tables that become vectors."""

import pytest

from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import EXACT, Tolerance, Vector

ONE_SHOT = ("algo:one-shot",)
PEELING = ("rel:peeling",)
NEAR = Tolerance(0.5, 0.0, "For the tests.")


def add(first: int, second: int) -> Solution:
    """Add two cells."""
    return Solution(expected={"sum": first + second}, claims=ONE_SHOT)


def test_a_row_is_a_vector() -> None:
    """The columns of the function are the input, in the order of the header."""
    cases: Cases = (("id", "first", "second", "hunts"), ("add-small", 1, 2, "Subtracting."))
    assert list(vectors_of("add", add, cases)) == [
        Vector(
            id="add-small",
            operation="add",
            hunts="Subtracting.",
            claims=ONE_SHOT,
            input={"first": 1, "second": 2},
            intermediates={},
            expected={"sum": 3},
            tolerance=EXACT,
        )
    ]


def test_a_row_may_name_its_claims() -> None:
    """A column of claims replaces those that the function cites."""
    cases: Cases = (
        ("id", "first", "second", "claims", "hunts"),
        ("add-small", 1, 2, PEELING, "Subtracting."),
    )
    assert [vector.claims for vector in vectors_of("add", add, cases)] == [PEELING]


def test_a_function_may_derive_the_input() -> None:
    """A function may replace the input by another one: here, a seed by a tape."""

    def draw(seed: int) -> Solution:
        return Solution(
            input={"uniforms": [seed]},
            intermediates={"seed": seed},
            expected={},
            claims=ONE_SHOT,
            tolerance=NEAR,
        )

    (vector,) = vectors_of("draw", draw, (("id", "seed", "hunts"), ("draw-one", 7, "A bug.")))
    assert (vector.input, vector.intermediates) == ({"uniforms": [7]}, {"seed": 7})
    assert vector.tolerance == NEAR


def test_a_row_has_a_cell_per_column() -> None:
    """A row that is too short is refused."""
    with pytest.raises(ValueError, match=r"shorter"):
        list(vectors_of("add", add, (("id", "first", "second", "hunts"), ("add-small", 1))))
