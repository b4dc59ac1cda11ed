"""Facts about plans, which are made before anything is read."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privtopk.impl.plan import Plan, plan
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.top_k import top_k
from privtopk.spec.accounting.guarantee import calibrate, guarantee
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from support import refusal

MILLION = plan(10**6, 10, epsilon=1, delta=1e-6)


def test_guarantee_is_that_of_the_accounting() -> None:
    """The guarantee is that of the calibrated noise and within the budget."""
    per_item = calibrate(NoiseKind.GUMBEL, 1, 10, 10**6, Relation.ADD_REMOVE, 1e-6)
    assert MILLION.guarantee == guarantee(
        NoiseKind.GUMBEL, per_item, 10, 10**6, Relation.ADD_REMOVE, 1e-6
    )
    assert MILLION.guarantee.epsilon <= 1
    assert math.nextafter(MILLION.noise_scale, 0) < 1 / Fraction(per_item) <= MILLION.noise_scale


def test_figures_of_a_million_items() -> None:
    """Ten of a million items take at most 3,161 sorted accesses and 6,330 in all on average."""
    assert (MILLION.prefix, round(MILLION.expected_accesses), MILLION.accesses_99) == (
        3161,
        6330,
        9098,
    )


def test_lower_bound_is_below_the_upper_one() -> None:
    """The lower bound is below the cost of our algorithm."""
    assert MILLION.k <= MILLION.least_accesses < MILLION.expected_accesses


def test_lower_bound_of_a_million_items() -> None:
    """Any algorithm needs 1,451 accesses on some input for ten of a million items."""
    assert round(MILLION.least_accesses) == 1451
    assert MILLION.least_price == MILLION.least_accesses


def test_lower_bound_follows_the_prices() -> None:
    """If both doors cost 20, the least price is 20 times the least number of accesses."""
    dear = plan(10**6, 10, epsilon=1, delta=1e-6, costs=(20, 20))
    assert dear.least_accesses == MILLION.least_accesses
    assert dear.least_price == pytest.approx(20 * MILLION.least_price)


def test_answers_take_an_access_each() -> None:
    """All of ten items cost at least ten accesses at the cheaper price."""
    figures = plan(10, 10, epsilon=1, costs=(3, 2))
    assert (figures.least_accesses, figures.least_price) == (10, 20)


@pytest.mark.parametrize("relation", [Relation.SWAP, Relation.L_INFINITY])
def test_wider_relations_double_the_noise(relation: Relation) -> None:
    """Under swap and l-infinity the pure noise is twice that of add/remove."""
    one = plan(1000, 5, epsilon=1)
    other = plan(1000, 5, epsilon=1, neighbours=relation)
    assert other.noise_scale == 2 * one.noise_scale


def test_expensive_random_accesses_lengthen_the_prefix() -> None:
    """If a random access costs 20 sorted ones, more is read by sorted access."""
    assert plan(10**6, 10, epsilon=1, costs=(1, 20)).prefix > MILLION.prefix


def test_selections_keep_to_the_plan() -> None:
    """On a plateau, the worst input, the plan predicts the mean cost of 200 seeded selections.

    The number of candidates has a standard deviation of about a third of its mean, so the
    mean of 200 has a standard deviation of 2.5 % of it; 5 % is two of those.
    """
    figures = plan(20_000, 5, epsilon=1)
    scores = np.zeros(20_000, dtype=np.int64)
    scores[: figures.prefix] = 10_000
    source = IndexedScores(scores)
    generator = np.random.default_rng(3)
    costs = [
        top_k(source, 5, epsilon=1, engine="batched", rng=generator).audit.accesses
        for _ in range(200)
    ]
    assert np.mean(costs) == pytest.approx(figures.expected_accesses, rel=0.05)
    assert np.mean(np.array(costs) <= figures.accesses_99) >= 0.96


def test_items_read_twice_are_planned_for() -> None:
    """With k = m/100 a twentieth of the accesses reads delivered items again, as planned.

    The mean of 30 seeded selections, each with a standard deviation of 2 %, is exact to 1 %; a
    plan that forgets those items is 5 % too low, and most selections exceed its 99 % quantile.
    """
    figures = plan(10**4, 100, epsilon=1)
    scores = np.zeros(10**4, dtype=np.int64)
    scores[: figures.prefix] = 100_000
    source, generator = IndexedScores(scores), np.random.default_rng(5)
    costs = [
        top_k(source, 100, epsilon=1, engine="batched", rng=generator).audit.accesses
        for _ in range(60)
    ]
    assert np.mean(costs) == pytest.approx(figures.expected_accesses, rel=0.02)
    assert np.mean(np.array(costs) <= figures.accesses_99) >= 0.95


def test_expensive_sorted_accesses_leave_a_scan() -> None:
    """If a sorted access costs a million random ones, everything is read by random access."""
    figures = plan(1000, 5, epsilon=1, costs=(10**6, 1))
    assert (figures.prefix, figures.expected_accesses, figures.accesses_99) == (0, 1000, 1000)
    assert figures.expected_price == 1000


def test_expensive_random_accesses_leave_the_whole_list() -> None:
    """If a random access costs a million sorted ones, the whole list is read by sorted access."""
    figures = plan(1000, 5, epsilon=1, costs=(1, 10**6))
    assert (figures.prefix, figures.accesses_99) == (1000, 1000)
    assert figures.expected_price == 1000 * (1 + 1 / 512)


def test_text_names_every_figure() -> None:
    """The text has one line per figure."""
    assert MILLION.as_text().splitlines()[:5] == [
        "items            10 of 1,000,000",
        "guarantee        epsilon 1, delta 1e-06",
        "neighbours       add-remove",
        "theorem          ours:bounded-range-renyi",
        "noise            gumbel, scale 6.676 votes",
    ]


def test_json_holds_every_field() -> None:
    """The JSON form of a plan has all of its fields."""
    assert list(MILLION.as_json()) == list(Plan.__dataclass_fields__)


def test_k_beyond_m_is_refused() -> None:
    """A k above m is refused."""
    with pytest.raises(SelectionError, match=r"^k must be between 1 and m=10, got 11$") as caught:
        plan(10, 11, epsilon=1)
    assert caught.value.reason is Reason.K_OUT_OF_RANGE


def test_numbers_of_other_types() -> None:
    """Sizes, budgets and prices may be numbers of numpy and decimals."""
    figures = plan(
        np.int64(10**6),
        np.uint8(10),
        epsilon=Decimal(1),
        delta=np.float64(1e-6),
        costs=(np.int64(1), Decimal(1)),
    )
    assert figures == MILLION


@pytest.mark.parametrize("epsilon", [1e300, 1.7e308, 1e-300])
def test_extreme_budgets_have_plans(epsilon: float) -> None:
    """For hardly any and for nearly unlimited budgets, the trivial lower bound remains."""
    assert plan(1000, 2, epsilon=epsilon).least_accesses >= 2


@pytest.mark.parametrize("costs", [None, (1,), (1, 2, 3), "ab"])
def test_costs_must_be_a_pair(costs: Any) -> None:
    """Anything but two prices is refused."""
    assert refusal(lambda: plan(10, 1, epsilon=1, costs=costs)) == (
        Reason.WRONG_TYPE,
        f"costs must be a pair (sorted, random), got {costs!r}",
    )
