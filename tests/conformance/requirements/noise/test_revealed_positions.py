"""Facts about the residuals of order statistics."""

import math

import flint
import pytest

from privtopk.conformance.requirements.noise.revealed_positions import CASES, PositionGap

HUGE = 2**50


def exact_beta_cdf(a: int, b: int, x: float) -> float:
    """Return the distribution function of a Beta variable, by ball arithmetic."""
    with flint.ctx.workprec(400):
        ball = flint.arb.beta_lower(flint.arb(x), flint.arb(a), flint.arb(b), regularized=True)
    assert float(ball.rad()) < 1e-20
    return float(ball.mid())


@pytest.mark.parametrize("deviations", [-4.0, -1.5, 0.1, 2.0, 4.0])
@pytest.mark.parametrize(
    ("a", "b"), [(1, 1), (1, HUGE), (3, 9), (50, HUGE), (10**6, 10**6), (HUGE // 4, HUGE // 2)]
)
def test_residual_is_the_beta_cdf(a: int, b: int, deviations: float) -> None:
    """The residual is the Beta distribution function of W to seven digits, for all shapes."""
    mean, spread = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
    w = mean + deviations * spread
    if 0 < w < 1:
        gap = PositionGap(0, a, a + b, a + b - 1)
        expected = exact_beta_cdf(a, b, w)
        residual = gap.residual(0.0, -math.log1p(-w), math.inf)
        assert residual == pytest.approx(expected, rel=1e-7)


def test_residual_of_the_larger_shape_is_its_complement() -> None:
    """With a > b the residual is that of the mirrored list."""
    expected = exact_beta_cdf(HUGE, 2, 1 - 2.0**-50)
    residual = PositionGap(0, HUGE, HUGE + 2, HUGE + 1).residual(0.0, 50 * math.log(2), math.inf)
    assert residual == pytest.approx(expected, rel=1e-7)


def test_residual_between_two_neighbours() -> None:
    """W is measured from the left neighbour in parts of the gap: 1/4 is 1/4 for Beta(1, 1)."""
    e = [-math.log(u) for u in (0.8, 0.7, 0.4)]
    assert PositionGap(3, 4, 5, 9).residual(*e) == pytest.approx(0.25)


def test_gap_knows_its_case() -> None:
    """The virtual ends distinguish the four cases."""
    gaps = [
        PositionGap(0, 2, 10, 9),
        PositionGap(1, 2, 10, 9),
        PositionGap(0, 2, 4, 9),
        PositionGap(1, 2, 4, 9),
    ]
    assert tuple(gap.case for gap in gaps) == CASES


def test_gap_in_the_middle_of_a_huge_list_is_not_resolved() -> None:
    """Doubles resolve neighbours at the top of a huge list, and not in its middle."""
    top, middle = (
        PositionGap(1, 2, 3, HUGE),
        PositionGap(HUGE // 2, HUGE // 2 + 1, HUGE // 2 + 2, HUGE),
    )
    assert (top.is_resolved, middle.is_resolved) == (True, False)
