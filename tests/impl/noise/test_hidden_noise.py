"""Facts about the hidden noise: i.i.d. exponential levels, in every order of revelation."""

import math

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.noise.hidden_noise import HiddenLevels
from privtopk.impl.randomness.generators import Floats, SeededRandomness

FALSE_ALARMS = 1e-9


def hidden_levels(m: int, seed: int = 1) -> HiddenLevels:
    """Return hidden noise from seeded coins."""
    return HiddenLevels(m, SeededRandomness(np.random.default_rng(seed)))


def has_law(sample: Floats, law: object, distance: float) -> bool:
    """Return whether a sample has a law, by Kolmogorov and Smirnov at 1e-9.

    It can miss a law at this distance with a probability of 1 % at most (by the inequality of
    Dvoretzky, Kiefer, Wolfowitz and Massart).
    """
    n = len(sample)
    limit = math.sqrt(math.log(2 / FALSE_ALARMS) / (2 * n))
    assert limit + math.sqrt(math.log(2 / 0.01) / (2 * n)) <= distance
    return bool(stats.kstest(sample, law).statistic < limit)


def reveal_all(noise: HiddenLevels, frontiers: tuple[float, ...], m: int) -> Floats:
    """Return the levels of m items: in stages, each parted in two, and the rest at the end."""
    levels = np.full(m, math.nan)
    for frontier in frontiers:
        lower = noise.frontier
        items = np.concatenate(list(noise.below(frontier)))
        items = items[np.isnan(levels[items])]
        middle = (lower + frontier) / 2
        places, drawn = noise.part(items, lower, middle, frontier)
        levels[items[places]] = drawn
        rest = np.delete(items, places)
        places, drawn = noise.part(rest, middle, frontier, frontier)
        assert len(places) == len(rest)
        levels[rest] = drawn
        noise.frontier = frontier
    unseen = np.flatnonzero(np.isnan(levels))
    levels[unseen] = noise.levels_of(unseen)
    return levels


@pytest.mark.parametrize("frontiers", [(), (0.01,), (0.3, 0.9), (0.05, 0.1, 4.0)])
def test_levels_are_exponential_in_every_order(frontiers: tuple[float, ...]) -> None:
    """All levels together are a sample of the exponential law."""
    m = 100_000
    assert has_law(reveal_all(hidden_levels(m), frontiers, m), stats.expon.cdf, 0.016)


def test_levels_of_neighbours_are_independent() -> None:
    """Whether an item lies in the upper half says nothing about the next one.

    Chi-square on 50,000 pairs, false alarms 1e-9; a dependence that moves a quarter of the
    pairs by 2 % is found with power above 0.99 (noncentrality 80, limit 45).
    """
    m = 100_000
    upper = reveal_all(hidden_levels(m), (0.2, 0.7), m) < math.log(2)
    counts = np.bincount(2 * upper[::2] + upper[1::2], minlength=4)
    statistic = float(((counts - m / 8) ** 2 / (m / 8)).sum())
    assert statistic < stats.chi2.isf(FALSE_ALARMS, 3)


def test_levels_lie_where_they_are_said_to() -> None:
    """Parts lie between their levels, and what is read later beyond the frontier."""
    noise = hidden_levels(1000)
    noise.frontier = 0.5
    places, levels = noise.part(np.arange(1000), 0.5, 0.8, 3.0)
    assert 100 < len(places) < 700
    assert bool(((levels > 0.5) & (levels < 0.8)).all())
    assert bool((noise.levels_of(np.arange(1000)) > 0.5).all())


def test_a_part_may_be_everything() -> None:
    """Down to the level itself every item is part."""
    places, levels = hidden_levels(10).part(np.arange(7), 0.25, 2.0, 2.0)
    assert places.tolist() == list(range(7))
    assert bool(((levels > 0.25) & (levels < 2.0)).all())


def test_small_levels_keep_their_digits() -> None:
    """Levels far below the resolution of 1 - u stay distinct."""
    _, levels = hidden_levels(1000).part(np.arange(1000), 0.0, 1e-30, 1e-30)
    assert len(set(levels.tolist())) == 1000
    assert bool(((levels > 0) & (levels < 1e-30)).all())


@pytest.mark.parametrize(("frontier", "level"), [(0.0, 1e-3), (2.0, 2.5), (0.0, math.inf)])
def test_expected_number_below_a_level(frontier: float, level: float) -> None:
    """The expected number is that of exponential variables beyond the frontier."""
    noise = hidden_levels(1000)
    noise.frontier = frontier
    assert noise.expected_below(level) == pytest.approx(
        1000 * stats.expon.cdf(level - frontier), rel=1e-12
    )
