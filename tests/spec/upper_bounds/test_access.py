"""The law of the rounds of the threshold algorithm, and the bounds of its mean and tail.

Tests: thm:access-cost, lem:cost-tail, ours:theorem-u, ours:rounds-law, erratum:tail-proof.
"""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest
from scipy.stats import hypergeom

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.upper_bounds.access import (
    expected_rounds,
    expected_rounds_exact,
    paper_cost_bound,
    paper_tail_bound,
    rounds_law,
    rounds_quantile,
    rounds_tail,
    rounds_tail_float,
    theorem_u_cost,
    theorem_u_rounds,
    visible_rounds,
)

SIZES = [(m, k) for m in range(1, 21) for k in range(1, m + 1)]


def stopping_round(order: tuple[int, ...], k: int) -> int:
    """Return the first r at which the first r places hold at least k of the first r ranks."""
    rounds = range(1, len(order) + 1)
    return next(r for r in rounds if sum(rank <= r for rank in order[:r]) >= k)


@pytest.mark.parametrize("m", range(1, 7))
def test_law_by_enumeration(m: int) -> None:
    """Over all permutations of m <= 6 items T has exactly the stated law, for every k."""
    orders = list(permutations(range(1, m + 1)))
    for k in range(1, m + 1):
        counts = Counter(stopping_round(order, k) for order in orders)
        assert rounds_law(m, k) == {
            r: Fraction(counts[r], math.factorial(m)) for r in sorted(counts)
        }


def test_law_of_three_items() -> None:
    """With m = 3 and k = 1 one to two rounds are made, T = 1 with probability 1/3."""
    assert rounds_law(3, 1) == {1: Fraction(1, 3), 2: Fraction(2, 3)}


def test_law_when_everything_is_selected() -> None:
    """With k = m all m rounds are needed."""
    assert rounds_law(7, 7) == {7: Fraction(1)}


def test_law_sums_to_one() -> None:
    """The probabilities of all numbers of rounds sum to 1."""
    assert {sum(rounds_law(m, k).values()) for m, k in SIZES} == {1}


def test_tail_agrees_with_scipy() -> None:
    """P(T > r) is scipy's hypergeometric distribution function at k - 1."""
    tails = [float(rounds_tail(40, 3, r)) for r in range(41)]
    assert tails == pytest.approx([hypergeom.cdf(2, 40, r, r) for r in range(41)], abs=1e-12)


def test_tail_is_not_that_of_more_than_k() -> None:
    """The printed event, more than k in common, has another tail: 1 instead of 1/2 at r = 1."""
    assert (rounds_tail(2, 1, 1), hypergeom.cdf(1, 2, 1, 1)) == (Fraction(1, 2), 1)


def test_float_tail_agrees_with_the_exact_one() -> None:
    """The float tail is the exact one to 1e-13."""
    exact = [float(rounds_tail(200, 7, r)) for r in range(201)]
    assert [rounds_tail_float(200, 7, r) for r in range(201)] == pytest.approx(exact, abs=1e-13)


def test_mean_is_that_of_the_law() -> None:
    """The sum of the tails is the mean of the law."""
    means = [sum(r * p for r, p in rounds_law(m, k).items()) for m, k in SIZES]
    assert [expected_rounds_exact(m, k) for m, k in SIZES] == means


def test_float_mean_agrees_with_the_exact_one() -> None:
    """The float mean is the exact one to 1e-12, for all 1 <= k <= m <= 20."""
    exact = [float(expected_rounds_exact(m, k)) for m, k in SIZES]
    assert [expected_rounds(m, k) for m, k in SIZES] == pytest.approx(exact, rel=1e-12)


def test_float_law_agrees_with_the_exact_one() -> None:
    """Each number of rounds has its exact probability to 1e-12, for all 1 <= k <= m <= 20."""
    for m, k in SIZES:
        exact = {r: float(p) for r, p in rounds_law(m, k).items()}
        visible = {r: p for r, p in visible_rounds(m, k) if p > 0}
        assert visible == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("m", "k", "mean"),
    [(1000, 10, 98.795), (10**6, 1, 886.227), (10**5, 10**5, 100_000), (10**6, 1000, 31618.836)],
)
def test_known_means(m: int, k: int, mean: float) -> None:
    """The expected rounds are the published figures to three decimals."""
    assert round(expected_rounds(m, k), 3) == mean


@pytest.mark.parametrize(("m", "k"), [(10**8, 1), (10**8, 10)])
def test_mean_of_large_domains(m: int, k: int) -> None:
    """For m = 10^8 the mean is sqrt(m) Gamma(k + 1/2) / Gamma(k) within one part in 10^8."""
    limit = math.sqrt(m) * math.gamma(k + 0.5) / math.gamma(k)
    assert expected_rounds(m, k) == pytest.approx(limit, rel=1e-8)


def test_theorem_u() -> None:
    """E[T] is at most 1/2 + sqrt(mk + 1/4): (E[T] - 1/2)^2 <= mk + 1/4, in fractions."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert all((expected_rounds_exact(m, k) - half) ** 2 <= m * k + quarter for m, k in SIZES)


def test_theorem_u_needs_its_constant() -> None:
    """E[T] is not always at most sqrt(mk): for m = k = 1 the two are equal, for m = 2 not."""
    assert [expected_rounds_exact(m, 1) for m in (1, 2)] == [1, Fraction(3, 2)]
    assert Fraction(3, 2) > math.sqrt(2)


def test_theorem_u_rounds_figures() -> None:
    """Theorem U gives 100.501 rounds for m = 1000, k = 10 and 1000.5 for m = 10^6, k = 1."""
    figures = [theorem_u_rounds(1000, 10), theorem_u_rounds(10**6, 1)]
    assert [round(figure, 3) for figure in figures] == [100.501, 1000.5]


def test_theorem_u_cost_is_two_a_round() -> None:
    """The cost of Theorem U is twice its rounds, and below 2 sqrt(mk) + 5/4."""
    costs = [theorem_u_cost(m, k) for m, k in SIZES]
    assert costs == pytest.approx([2 * theorem_u_rounds(m, k) for m, k in SIZES], rel=1e-14)
    assert all(
        cost < 2 * math.sqrt(m * k) + 1.25 for cost, (m, k) in zip(costs, SIZES, strict=True)
    )


def test_paper_bound_is_weaker() -> None:
    """The paper's bound of the mean cost is never below Theorem U's."""
    assert all(paper_cost_bound(m, k) >= theorem_u_cost(m, k) for m, k in SIZES)


def test_paper_bound_figure() -> None:
    """For m = 10^6 and k = 1 the paper allows 3414.2 accesses, 1707.1 rounds."""
    assert round(paper_cost_bound(10**6, 1), 1) == 3414.2


def test_paper_tail_holds() -> None:
    """P(T >= r) is at most the paper's tail for all sqrt(mk) <= r <= m, m <= 20."""
    assert all(
        rounds_tail(m, k, r - 1) <= paper_tail_bound(m, k, r) * (1 + 1e-12)
        for m, k in SIZES
        for r in range(1, m + 1)
        if r * r >= m * k
    )


def test_paper_tail_starts_at_one() -> None:
    """At r = sqrt(mk) the paper's tail bound is 1, for whole and for real r."""
    assert [paper_tail_bound(8, 2, 4), paper_tail_bound(9, 1, 3.0)] == [1.0, 1.0]


def test_paper_tail_of_a_real_r() -> None:
    """At r = 5/2, m = 4, k = 1 the tail is (e mu) e^-mu with mu = 25/16."""
    assert paper_tail_bound(4, 1, Fraction(5, 2)) == pytest.approx(
        25 / 16 * math.exp(1 - 25 / 16), rel=1e-14
    )


@pytest.mark.parametrize(("m", "k"), [(1, 1), (30, 1), (30, 4), (30, 30), (200, 7)])
def test_quantile_is_the_first_round_that_suffices(m: int, k: int) -> None:
    """The 99 % quantile is the first r at which the exact tail is at most 1 %."""
    first = next(r for r in range(m + 1) if rounds_tail(m, k, r) <= Fraction(1, 100))
    assert rounds_quantile(m, k, 0.99) == first


def test_quantile_of_a_large_domain() -> None:
    """For m = 10^9 and k = 1 the tail, a product of r factors, passes 1 % at r = 67860."""
    m, r = 10**9, rounds_quantile(10**9, 1, 0.99)
    tails = [math.exp(math.fsum(math.log1p(-q / (m - i)) for i in range(q))) for q in (r - 1, r)]
    assert (r, tails[0] > 0.01, tails[1] <= 0.01) == (67860, True, True)


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (lambda: rounds_law(0, 1), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (
            lambda: expected_rounds(5, 6),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=5, got 6",
        ),
        (
            lambda: rounds_tail(5, 1, 6),
            Reason.SIZE_OUT_OF_RANGE,
            "r must be between 0 and 5, got 6",
        ),
        (
            lambda: rounds_tail_float(5, 1, -1),
            Reason.SIZE_OUT_OF_RANGE,
            "r must be between 0 and 5, got -1",
        ),
        (
            lambda: rounds_quantile(5, 1, 1),
            Reason.PROBABILITY_OUT_OF_RANGE,
            "probability must be strictly between 0 and 1, got 1",
        ),
        (
            lambda: paper_tail_bound(9, 1, 2.5),
            Reason.SIZE_OUT_OF_RANGE,
            "r must be between sqrt(9) and m=9, got 2.5",
        ),
        (
            lambda: paper_tail_bound(9, 1, math.inf),
            Reason.SIZE_OUT_OF_RANGE,
            "r must be between sqrt(9) and m=9, got inf",
        ),
        (
            lambda: theorem_u_rounds(3, 0),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=3, got 0",
        ),
        (lambda: theorem_u_cost(3, 4), Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4"),
        (
            lambda: paper_cost_bound(3, 4),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=3, got 4",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Parameters out of range are refused with what was given and what is required."""
    with pytest.raises(SelectionError) as caught:
        call()
    assert (caught.value.reason, str(caught.value)) == (reason, message)
