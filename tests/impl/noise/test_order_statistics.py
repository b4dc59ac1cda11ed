"""Facts about the order statistics that are drawn in any order of positions."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.order_statistics import (
    SQUEEZE,
    SUMMED_SHAPE,
    SURE,
    GammaCoins,
    LevelOrderStatistics,
    between,
    candidates,
)
from privtopk.impl.randomness.generators import Integers, SeededRandomness
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.noise.order_statistic import between as specified_between
from support import seeded_coins

LEVEL = 1e-9
"""False-alarm rate of one statistical test."""


def has_law(values: Sequence[float], cdf: Callable[[object], object], distance: float) -> bool:
    """Return whether the Kolmogorov-Smirnov test accepts a distribution function.

    The level is LEVEL for every n (Dvoretzky, Kiefer, Wolfowitz, Massart); the test checks
    that a law at the given distance is found with power 0.99.
    """
    n = len(values)
    limit = math.sqrt(math.log(2 / LEVEL) / (2 * n))
    assert limit + math.sqrt(math.log(2 / 0.01) / (2 * n)) <= distance
    return bool(stats.kstest(values, cdf).statistic < limit)


def is_uniform(drawn: Integers, cells: int, defect: float) -> bool:
    """Return whether chi-square at LEVEL accepts draws as uniform on 0, ..., cells - 1.

    The test checks that sum (p - q)^2/q >= defect is found with power 0.99.
    """
    n = len(drawn)
    limit = stats.chi2.isf(LEVEL, cells - 1)
    assert n / cells >= 5
    assert stats.ncx2.sf(limit, cells - 1, defect * n) >= 0.99
    counts = np.bincount(drawn, minlength=cells)
    return bool(((counts - n / cells) ** 2 / (n / cells)).sum() < limit)


@pytest.mark.parametrize("shape", [1, 4, 5, 17, 2**50])
def test_gamma_law(shape: int) -> None:
    """Sums and the rejection method have the Gamma law, at the largest shapes too.

    Null hypothesis: the Gamma distribution function; n = 20,000, false alarms 1e-9, a
    distance of 0.035 is found with power 0.99. The largest shape is compared with the
    normal law, from which it differs by 1/(3 sqrt(2 pi shape)) = 4e-9.
    """
    coins = GammaCoins(seeded_coins(shape))
    drawn = [coins.gamma(shape) for _ in range(20_000)]
    if shape < 2**50:
        assert has_law(drawn, stats.gamma(shape).cdf, 0.035)
    else:
        assert has_law([(x - shape) / 2**25 for x in drawn], stats.norm.cdf, 0.035)


@pytest.mark.parametrize("shape", [SUMMED_SHAPE + 1, 10, 1000, 10**6])
def test_squeeze_implies_acceptance(shape: int) -> None:
    """A sure candidate passes the full test for every shape."""
    x = np.linspace(-(SQUEEZE**-0.25), SQUEEZE**-0.25, 10_001)[1:-1]
    d = shape - 1 / 3
    v = (1 + x / (3 * math.sqrt(d))) ** 3
    assert np.all(np.log1p(-SQUEEZE * x**4) <= x * x / 2 + d * (1 - v + np.log(v)) + 1e-9)


@pytest.mark.parametrize(("u", "is_accepted"), [(0.5, True), (0.9, False)])
def test_candidates_are_weighed(u: float, is_accepted: bool) -> None:
    """For shape 5 the normal -2.9 is accepted with probability e^-0.221 = 0.80."""
    coins, x, d = GammaCoins(seeded_coins(19)), -2.9, 5 - 1 / 3
    coins._candidate = iter([(x, math.log(u) - x * x / 2), (0.0, SURE)]).__next__
    accepted = d * (1 + x / (3 * math.sqrt(d))) ** 3
    assert coins.gamma(5) == pytest.approx(accepted if is_accepted else d, rel=1e-12)


def test_most_candidates_are_sure() -> None:
    """The squeeze accepts nine of ten candidates, so that logarithms are rare."""
    margins = [margin for _, margin in candidates(seeded_coins(9), 10_000)]
    assert margins.count(SURE) > 9000


def test_small_shapes_need_no_candidates() -> None:
    """Up to shape 4 only exponentials are drawn."""
    coins = GammaCoins(seeded_coins(10))
    expected = seeded_coins(10).exponentials(64)[:SUMMED_SHAPE]
    assert coins.gamma(SUMMED_SHAPE) == pytest.approx(float(expected.sum()), rel=1e-15)


GAMMAS = st.floats(1e-12, 1e15)


@settings(max_examples=300)
@given(st.floats(0, 700), st.floats(1e-12, 700) | st.just(math.inf), GAMMAS, GAMMAS)
def test_between_agrees_with_the_specification(
    e_l: float, gap: float, left: float, right: float
) -> None:
    """Inner and outer cases give the number of the specification, to the last bits."""
    expected = specified_between(e_l, e_l + gap, left, right)
    assert between(e_l, e_l + gap, left, right) == pytest.approx(expected, rel=1e-14)


@settings(max_examples=300)
@given(st.floats(0, 700), st.floats(0, 700), GAMMAS, GAMMAS)
def test_between_lies_between(e_l: float, gap: float, left: float, right: float) -> None:
    """The value never leaves the interval of its neighbours."""
    assert e_l <= between(e_l, e_l + gap, left, right) <= e_l + gap


def test_tied_neighbours_give_their_value() -> None:
    """Between equal levels there is only that level."""
    assert between(0.5, 0.5, 1.0, 2.0) == 0.5


def test_top_of_a_huge_list_keeps_its_digits() -> None:
    """With G_r of 2^50 the first level is G_l/G_r to all digits, not a multiple of 2^-53."""
    assert between(0.0, math.inf, 1.25, 2.0**50) == pytest.approx(1.25 * 2.0**-50, rel=1e-15)


def test_far_neighbours_do_not_cancel() -> None:
    """With a gap of 40 and 2^50 positions on the left, e^-D G_l still counts."""
    exact = math.log1p(2.0**50 / (math.exp(-40) * 2.0**50 + 1.0))
    assert between(0.0, 40.0, 2.0**50, 1.0) == pytest.approx(exact, rel=1e-12)


def gaps(m: int, order: Sequence[int], randomness: SeededRandomness) -> list[float]:
    """Return (m - j + 1)(E_(j) - E_(j-1)) for the first positions, drawn in an order.

    For i.i.d. uniforms these are i.i.d. standard exponential variables.
    """
    statistics = LevelOrderStatistics(m, randomness)
    drawn = {j: statistics.at(j) for j in order}
    levels = [0.0, *(drawn[j] for j in range(1, len(order) + 1))]
    return [(m - j) * (levels[j + 1] - levels[j]) for j in range(len(order))]


CASES = {
    "no neighbour": (5, 1, 9, 3, 7, 2, 10, 4, 8, 6),
    "left neighbour": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "right neighbour": (10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
    "both neighbours": (1, 10, 5, 7, 8, 9, 6, 3, 2, 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("order", CASES.values(), ids=CASES)
def test_joint_law_in_all_four_cases(order: tuple[int, ...]) -> None:
    """All ten of ten have the right joint law, in orders with all cases of neighbours.

    Null hypothesis: i.i.d. exponential gaps, 20,000 of 2,000 lists; false alarms 1e-9 twice.
    A distance of 0.035 from the law is found with power 0.99, and so is a law of pairs of
    neighbouring gaps with sum (p - q)^2/q >= 0.012 over 25 cells.
    """
    randomness = seeded_coins(order[2])
    lists = np.array([gaps(10, order, randomness) for _ in range(2000)])
    assert has_law(lists.ravel().tolist(), stats.expon.cdf, 0.035)
    cells = np.minimum(4, (-5 * np.expm1(-lists)).astype(np.int64))
    assert is_uniform((5 * cells[:, ::2] + cells[:, 1::2]).ravel(), 25, 0.012)


@pytest.mark.slow
@pytest.mark.parametrize("m", [2**20, 2**50])
@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 3, 2, 1), (3, 1, 4, 2)])
def test_top_of_a_large_list_has_exponential_gaps(m: int, order: tuple[int, ...]) -> None:
    """The gaps E_(j) - E_(j-1) are Exp(1)/(m - j + 1) in every order of queries.

    Null hypothesis: the exponential law for 8,000 gaps of 2,000 lists; false alarms 1e-9,
    a distance of 0.055 is found with power 0.99.
    """
    randomness = seeded_coins(sum(order[:2]))
    drawn = [gap for _ in range(2000) for gap in gaps(m, order, randomness)]
    assert has_law(drawn, stats.expon.cdf, 0.055)


def test_deep_positions_of_a_huge_list() -> None:
    """Position 2^49 of 2^50 is the median: its E is log 2 to seven digits."""
    statistics = LevelOrderStatistics(2**50, seeded_coins(12))
    assert statistics.at(2**49) == pytest.approx(math.log(2), abs=1e-6)


@pytest.mark.parametrize("m", [1, 2, 100, 2**50])
def test_levels_ascend(m: int) -> None:
    """In every order of queries, levels are positive and never decrease with the position."""
    positions = np.random.default_rng(13).integers(1, m, 200, endpoint=True).tolist()
    statistics = LevelOrderStatistics(m, seeded_coins(14))
    levels = {j: statistics.at(j) for j in positions}
    ascending = [levels[j] for j in sorted(levels)]
    assert ascending == sorted(ascending)
    assert all(0 < level < math.inf for level in ascending)


def test_levels_stay() -> None:
    """A second query gets the first answer."""
    statistics = LevelOrderStatistics(1000, seeded_coins(15))
    first = [statistics.at(j) for j in (500, 1, 1000, 250)]
    assert [statistics.at(j) for j in (500, 1, 1000, 250)] == first


def test_index_does_not_change_the_draw() -> None:
    """The same randomness with either index gives the same levels."""
    positions = np.random.default_rng(16).integers(1, 10**6, 300).tolist()
    blocks = LevelOrderStatistics(10**6, seeded_coins(17))
    tree = LevelOrderStatistics(10**6, seeded_coins(17), VanEmdeBoasIndex(10**6 + 1))
    assert [blocks.at(j) for j in positions] == [tree.at(j) for j in positions]


@pytest.mark.parametrize("j", [-1, 12, 0, 11])
def test_positions_outside_are_refused(j: int) -> None:
    """Positions are numbered 1 to m; the virtual ends cannot be read."""
    with pytest.raises(SelectionError) as caught:
        LevelOrderStatistics(10, seeded_coins(18)).at(j)
    assert (caught.value.reason, str(caught.value)) == (
        Reason.INFEASIBLE_POSITIONS,
        f"position must be between 1 and m=10, got {j}",
    )
