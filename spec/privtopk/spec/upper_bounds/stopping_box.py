"""The box behind Theorem U: it grows until it has k points, and exchanges bound its area.

Plot each item at its rank by score and its rank by noise: m points in a square, one per row and
column. The box of the first rows and columns grows by a row, then by a column, and so on, until it
has k points. A cell is in the last box if fewer than k points join before it.

Take any cell, and let two rows exchange their columns such that one point moves into the cell. No
more points than before join earlier than the cell. Each order with a point in the cell comes from m
orders. So a cell is in the last box with at most m times the probability that it has a point and is
in the last box. The sum over all cells is E[area] <= m k, as the last box has k points.

Paper: thm:access-cost, lem:permutation-and-independence.
Ours:  ours:theorem-u (stands in for the lemmas behind the theorem).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from privtopk.spec.laws.hypergeometric import hypergeometric_cdf, hypergeometric_pmf
from privtopk.spec.model.parameters import require_k, require_size


@dataclass(frozen=True, slots=True)
class HalfStep:
    """One step of the box: it grows by a row if it is a square, and otherwise by a column."""

    rows: int
    columns: int

    @property
    def length(self) -> int:
        """The length of the new row or column: the area that the box gains."""
        return self.columns if self.rows == self.columns else self.rows

    @property
    def crossed(self) -> int:
        """The number of rows, if a row is added, or of columns that the box already has."""
        return self.rows if self.rows == self.columns else self.columns

    @property
    def area(self) -> int:
        """The area before the step."""
        return self.rows * self.columns


def half_steps(m: int) -> tuple[HalfStep, ...]:
    """Return all steps from the empty box to the whole square; a row comes before its column."""
    require_size(m)
    return tuple(HalfStep(r + extra, r) for r in range(m) for extra in (0, 1))


def unfinished_probability(m: int, k: int, step: HalfStep) -> Fraction:
    """Return P(N < k), the probability that the step is made."""
    require_k(k, require_size(m))
    return hypergeometric_cdf(m, step.rows, step.columns, k - 1)


def expected_area(m: int, k: int) -> Fraction:
    """Return the expected area of the box when it stops, which is at most mk."""
    return sum(
        (step.length * unfinished_probability(m, k, step) for step in half_steps(m)), Fraction(0)
    )


def stopping_law(m: int, k: int) -> dict[HalfStep, Fraction]:
    """Return, for each half-step, the probability that it catches the k-th point."""
    require_k(k, require_size(m))
    last = {
        step: hypergeometric_pmf(m, step.rows, step.columns, k - 1)
        * Fraction(step.length - k + 1, m - step.crossed)
        for step in half_steps(m)
    }
    return {step: probability for step, probability in last.items() if probability > 0}


def joining_time(row: int, column: int) -> int:
    """Return the number of the half-step with which a cell joins the box."""
    return 2 * row - 1 if column < row else 2 * column


def points_before(columns: Sequence[int], time: int) -> int:
    """Return how many points join before a half-step; the point of row x is in columns[x - 1]."""
    return sum(joining_time(row, column) < time for row, column in enumerate(columns, start=1))


def is_in_last_box(columns: Sequence[int], k: int, row: int, column: int) -> bool:
    """Decide whether a cell joins before the box stops: fewer than k points join before it."""
    require_k(k, len(columns))
    return points_before(columns, joining_time(row, column)) < k


def with_point_at(columns: Sequence[int], row: int, column: int) -> tuple[int, ...]:
    """Return the columns after two rows have exchanged theirs, such that this cell has a point."""
    moved = {columns[row - 1]: column, column: columns[row - 1]}
    return tuple(moved.get(each, each) for each in columns)
