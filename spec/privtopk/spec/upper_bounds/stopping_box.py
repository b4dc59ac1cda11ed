"""The terms in the proof of Theorem U: a box that grows, and the common items inside it.

Plot each item at its rank by score and its rank by noise: m points in a square, one per row and
column. The box of the first rows and columns catches N of them. It grows by a row, then by a
column, and so on, until N = k; each half-step catches at most one point. On average a half-step
catches its share of the area, less a term for how far N is ahead of its mean. The sum of these
terms is not negative as long as N < k. So the box stops with an expected area of at most mk, and
E[T(T-1)] <= mk.

Paper: thm:access-cost, lem:permutation-and-independence.
Ours:  ours:theorem-u (stands in for the lemmas behind the theorem).
"""

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


def expected_catch(m: int, k: int, step: HalfStep) -> Fraction:
    """Return the expected number of points that the step adds, 0 if it is not made.

    If j points are caught, the point of the new line is at one of m - crossed free places, of which
    length - j are inside the box.
    """
    require_k(k, require_size(m))
    return sum(
        (
            hypergeometric_pmf(m, step.rows, step.columns, j)
            * Fraction(step.length - j, m - step.crossed)
            for j in range(min(k, step.columns + 1))
        ),
        Fraction(0),
    )


def expected_lead(m: int, k: int, step: HalfStep) -> Fraction:
    """Return E[(N - area/m) 1{N < k}], how far N is ahead of its mean; never positive."""
    require_k(k, require_size(m))
    return sum(
        (
            hypergeometric_pmf(m, step.rows, step.columns, j) * (j - Fraction(step.area, m))
            for j in range(min(k, step.columns + 1))
        ),
        Fraction(0),
    )


def compensator(m: int, k: int) -> Fraction:
    """Return the sum of the expected catches, which is k: the box stops with k points."""
    return sum((expected_catch(m, k, step) for step in half_steps(m)), Fraction(0))


def lead_sum(m: int, k: int) -> Fraction:
    """Return the sum of the leads, each divided by m - crossed: E[area]/m - compensator."""
    return sum(
        (expected_lead(m, k, step) / (m - step.crossed) for step in half_steps(m)), Fraction(0)
    )


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
