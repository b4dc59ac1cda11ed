"""The terms in the proof of Theorem U: a growing box and the common items it has caught.

Write down, for each item, its rank by score and its rank by noise: a permutation of m
points in a square. The box of a rows and b columns catches N of them. It grows by a row,
then by a column, and so on, until N = k; each half-step catches at most one point. What a
half-step catches on average is its share of the area, less a term for being ahead of
the average. That term is not negative in sum as long as N < k, so the box stops with an
expected area of at most mk, and E[T(T-1)] <= mk.

Paper: thm:access-cost, lem:permutation-and-independence.
Ours:  ours:theorem-u (stands in for the lemmas behind the theorem).
"""

from dataclasses import dataclass
from fractions import Fraction

from privtopk.spec.laws.hypergeometric import hypergeometric_cdf, hypergeometric_pmf
from privtopk.spec.model.parameters import require_k, require_size


@dataclass(frozen=True, slots=True)
class HalfStep:
    """One growth of the box by a row, if it is a square, and else by a column."""

    rows: int
    columns: int

    @property
    def length(self) -> int:
        """The side along which the box grows: the area that it gains."""
        return self.columns if self.rows == self.columns else self.rows

    @property
    def crossed(self) -> int:
        """The side that grows: how many rows, or columns, the box has already."""
        return self.rows if self.rows == self.columns else self.columns

    @property
    def area(self) -> int:
        """The area before the step."""
        return self.rows * self.columns


def half_steps(m: int) -> tuple[HalfStep, ...]:
    """Return all steps from the empty box to the whole square, a row before each column."""
    require_size(m)
    return tuple(HalfStep(r + extra, r) for r in range(m) for extra in (0, 1))


def unfinished_probability(m: int, k: int, step: HalfStep) -> Fraction:
    """Return P(N < k): the step is made."""
    require_k(k, require_size(m))
    return hypergeometric_cdf(m, step.rows, step.columns, k - 1)


def expected_catch(m: int, k: int, step: HalfStep) -> Fraction:
    """Return the expected points that the step adds, if it is made.

    With j points caught, the new line meets one of the length - j free places inside
    the box out of the m - crossed places that are free at all.
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
    """Return E[(N - area/m) 1{N < k}], how far the box is ahead; never positive."""
    require_k(k, require_size(m))
    return sum(
        (
            hypergeometric_pmf(m, step.rows, step.columns, j) * (j - Fraction(step.area, m))
            for j in range(min(k, step.columns + 1))
        ),
        Fraction(0),
    )


def compensator(m: int, k: int) -> Fraction:
    """Return the expected catch of all steps together, which is k: the box stops with k."""
    return sum((expected_catch(m, k, step) for step in half_steps(m)), Fraction(0))


def lead_sum(m: int, k: int) -> Fraction:
    """Return the sum of each lead over m - crossed: E[area]/m less the compensator."""
    return sum(
        (expected_lead(m, k, step) / (m - step.crossed) for step in half_steps(m)), Fraction(0)
    )


def expected_area(m: int, k: int) -> Fraction:
    """Return the expected area of the box that stops, which is at most mk."""
    return sum(
        (step.length * unfinished_probability(m, k, step) for step in half_steps(m)), Fraction(0)
    )


def stopping_law(m: int, k: int) -> dict[HalfStep, Fraction]:
    """Return the probability of each half-step to be the one that catches the k-th point."""
    require_k(k, require_size(m))
    last = {
        step: hypergeometric_pmf(m, step.rows, step.columns, k - 1)
        * Fraction(step.length - k + 1, m - step.crossed)
        for step in half_steps(m)
    }
    return {step: probability for step, probability in last.items() if probability > 0}
