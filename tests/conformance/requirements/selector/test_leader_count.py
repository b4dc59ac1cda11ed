"""Facts about the number of selected leaders: the law is exact, and noise drawn twice is found."""

import math
from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.right.bases import right_two_phase
from privtopk.conformance.mutants.selector.noise import HiddenNoiseDrawnTwice
from privtopk.conformance.requirements.selector.leader_count import K, LeaderCount, law_of_count
from privtopk.impl.subjects import batched, one_shot
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.noise.distributions import NoiseKind


def law_by_peeling(lead: float, k: int, m: int) -> list[float]:
    """Return the law of the number of leaders by peeling: one exponential choice after another."""
    left = {0: 1.0}
    for taken in range(k):
        after: dict[int, float] = {}
        for leaders, p in left.items():
            weight = (k - leaders) * math.exp(lead)
            share = weight / (weight + (m - k) - (taken - leaders))
            after[leaders + 1] = after.get(leaders + 1, 0.0) + p * share
            after[leaders] = after.get(leaders, 0.0) + p * (1 - share)
        left = after
    return [left.get(leaders, 0.0) for leaders in range(k + 1)]


@pytest.mark.parametrize(("lead", "k", "m"), [(0.5, 1, 4), (6.0, 3, 1000), (6.4, 8, 300)])
def test_gumbel_leaders_are_counted_exactly(lead: float, k: int, m: int) -> None:
    """The quadrature agrees with peeling."""
    expected = law_by_peeling(lead, k, m)
    assert law_of_count(NoiseKind.GUMBEL, lead, k, m) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(("votes", "k", "m"), [(4, 2, 7), (1, 1, 3), (9, 3, 6)])
def test_laplace_leaders_are_counted_exactly(votes: int, k: int, m: int) -> None:
    """The quadrature agrees with the exact law of sets."""
    expected = [0.0] * (k + 1)
    for items, p in laplace_set_law((votes,) * k + (0,) * (m - k), k, 0.5).items():
        expected[sum(item <= k for item in items)] += p
    assert law_of_count(NoiseKind.LAPLACE, votes / 2, k, m) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("engine", [batched, one_shot, right_two_phase], ids=type)
def test_a_right_engine_passes(engine: Any) -> None:
    """Right engines lose as many leaders as they should; a false alarm has probability 4e-8."""
    assert run_case(engine, LeaderCount(), budget=0.25).verdict is CaseVerdict.PASS


def test_a_second_chance_is_found() -> None:
    """Noise that is drawn again for the items left out lets too many leaders lose."""
    assert run_case(HiddenNoiseDrawnTwice(), LeaderCount(), budget=4).verdict is CaseVerdict.FAIL


def test_a_domain_that_is_hardly_larger_is_skipped() -> None:
    """A subject of very small domains is skipped."""

    class Small:
        largest = 2 * K

        def select(self) -> None:
            """Select."""

    assert run_case(Small(), LeaderCount()).verdict is CaseVerdict.SKIP
