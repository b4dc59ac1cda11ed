"""The vectors of bounds: enumeration, scipy and 30 digits pass, wrong formulas fail."""

import math
from fractions import Fraction
from itertools import permutations
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from conformance.support_vectors import failed_ids, passes, vectors_for
from privtopk.conformance.vectors import Vector
from privtopk.impl.plan import plan
from privtopk.spec.noise.distributions import NoiseKind

GROUP = "bounds"


def by_permutations(vector: Vector) -> dict[str, Any]:
    """Count the meeting rounds of all m! orders of the second list."""
    m, k = vector.input["m"], vector.input["k"]
    counts: dict[int, int] = {}
    for order in permutations(range(1, m + 1)):
        meeting = sorted(max(rank, item) for rank, item in enumerate(order, start=1))[k - 1]
        counts[meeting] = counts.get(meeting, 0) + 1
    return {
        "rounds_law": [
            {"rounds": r, "probability": Fraction(n, math.factorial(m))}
            for r, n in sorted(counts.items())
        ]
    }


def test_laws_of_rounds_by_all_permutations_pass() -> None:
    """Counting permutations gives the law."""
    assert failed_ids(GROUP, "rounds-law", by_permutations) == set()


def test_sampling_with_replacement_is_found() -> None:
    """A binomial law fails every vector except the one with a certain law."""

    def binomial(vector: Vector) -> dict[str, Any]:
        m, k = vector.input["m"], vector.input["k"]
        tails = [float(stats.binom.cdf(k - 1, r, r / m)) for r in range(m + 1)]
        drops = {r: tails[r - 1] - tails[r] for r in range(1, m + 1)}
        rows = [{"rounds": r, "probability": p} for r, p in drops.items() if p > 0]
        return {"rounds_law": rows}

    assert failed_ids(GROUP, "rounds-law", binomial) == {"rounds-law-small", "rounds-law-first"}


def tail(m: int, k: int, r: int) -> float:
    """Return P(T > r) by scipy."""
    return float(stats.hypergeom.cdf(k - 1, m, r, r))


def test_means_of_rounds_by_scipy_pass() -> None:
    """The mean is the sum of the tails, which vanish beyond ten times sqrt(mk)."""

    def sum_of_tails(vector: Vector) -> dict[str, Any]:
        m, k = vector.input["m"], vector.input["k"]
        r = np.arange(min(m, 10 * math.isqrt(m * k)))
        return {"rounds": math.fsum(stats.hypergeom.cdf(k - 1, m, r, r))}

    assert failed_ids(GROUP, "expected-rounds", sum_of_tails) == set()


def quantile(vector: Vector, shift: int = 0) -> dict[str, Any]:
    """Find the quantile by trying all rounds."""
    m, k = vector.input["m"], vector.input["k"]
    level = 1 - vector.input["probability"]
    return {"rounds": next(r for r in range(k, m + 1) if tail(m, k, r) <= level) + shift}


def test_quantiles_of_rounds_by_scipy_pass() -> None:
    """Trying all rounds gives the quantile; one round more or less fails."""
    everything = {one.id for one in vectors_for(GROUP, "rounds-quantile")}
    assert failed_ids(GROUP, "rounds-quantile", quantile) == set()
    assert failed_ids(GROUP, "rounds-quantile", lambda v: quantile(v, 1)) == everything
    assert failed_ids(GROUP, "rounds-quantile", lambda v: quantile(v, -1)) == everything


def test_no_quantile_hangs_on_a_rounding() -> None:
    """The tails at and before each quantile differ from the level by much more than 1e-9."""
    for vector in vectors_for(GROUP, "rounds-quantile"):
        m, k, level = vector.input["m"], vector.input["k"], 1 - vector.input["probability"]
        r = vector.expected["rounds"]
        assert min(abs(tail(m, k, s) - level) for s in (r - 1, r)) > 1e-6


def test_closed_cost_bounds_pass() -> None:
    """The closed forms with thirty digits pass."""

    def closed_forms(vector: Vector) -> dict[str, Any]:
        with mpmath.workdps(30):
            m, k = mpmath.mpf(vector.input["m"]), vector.input["k"]
            paper = 2 * (mpmath.sqrt(m * k) + mpmath.sqrt(m / 2))
            rounds = (1 + mpmath.sqrt(4 * m * k + 1)) / 2
            return {
                "rounds": float(rounds),
                "cost": float(2 * rounds),
                "paper_cost": float(paper),
            }

    assert failed_ids(GROUP, "cost-bounds", closed_forms) == set()


def cost(m: int, k: int, r: int) -> Fraction:
    """Return the bound of the mean cost with a prefix."""
    return Fraction(m) if r < k else r + Fraction((m - r) * k, r + 1)


def test_prefixes_by_trying_pass() -> None:
    """Trying the prefixes around the root gives the best one, the larger at a tie."""

    def best_by_trial(vector: Vector) -> dict[str, Any]:
        m, k = vector.input["m"], vector.input["k"]
        root = math.isqrt(m * k)
        near = [r for r in range(root - 4, root + 5) if k <= r <= m]
        default = min(r for r in near if r * r >= m * k)
        best = min(near, key=lambda r: (cost(m, k, r), -r))
        return {
            "default_prefix": default,
            "default_cost": cost(m, k, default),
            "optimal_prefix": best,
            "optimal_cost": cost(m, k, best),
        }

    assert failed_ids(GROUP, "prefixes", best_by_trial) == set()


def test_roots_in_doubles_are_found() -> None:
    """ceil(sqrt(mk)) in doubles fails beyond 2^53, and floor fails if mk is not a square."""

    def root_rounded_by(rounding: Any) -> Any:
        def answer(vector: Vector) -> dict[str, Any]:
            m, k = vector.input["m"], vector.input["k"]
            default = rounding(math.sqrt(m * k))
            return {
                **vector.expected,
                "default_prefix": default,
                "default_cost": cost(m, k, default),
            }

        return answer

    assert failed_ids(GROUP, "prefixes", root_rounded_by(math.ceil)) == {"prefix-huge"}
    assert failed_ids(GROUP, "prefixes", root_rounded_by(math.floor)) == {
        "prefix-huge",
        "prefix-above-square",
    }


def cheapest_prefix(vector: Vector, names: tuple[str, str] = ("sorted_cost", "random_cost")) -> Any:
    """Return the largest of the best prefixes, or 0 if it is one of them."""
    m, k = vector.input["m"], vector.input["k"]
    by_sorted, by_random = (Fraction(vector.input[name]) for name in names)

    def price(r: int) -> Fraction:
        return by_sorted * r + by_random * (cost(m, k, r) - r if r >= k else m - r)

    best = min(range(m + 1), key=lambda r: (price(r), r != 0, -r))
    return {"prefix": best, "price": price(best)}


def test_cheapest_prefixes_by_trying_all_pass() -> None:
    """No prefix is cheaper than the one expected."""
    assert failed_ids(GROUP, "cheapest-prefix", cheapest_prefix) == set()


def test_swapped_prices_are_found() -> None:
    """Exchanging the two prices fails every vector in which they differ."""
    found = failed_ids(
        GROUP, "cheapest-prefix", lambda v: cheapest_prefix(v, ("random_cost", "sorted_cost"))
    )
    assert found == {one.id for one in vectors_for(GROUP, "cheapest-prefix")} - {"cheapest-equal"}


def test_candidates_by_scipy_pass() -> None:
    """N is negative hypergeometric: the unseen items before the k-th seen one."""

    def by_scipy(vector: Vector) -> dict[str, Any]:
        m, k, r = (vector.input[name] for name in ("m", "k", "prefix"))
        if r < k:
            return {"quantile": m - r}
        law = stats.nhypergeom(m, m - r, k)
        return {"quantile": int(law.ppf(vector.input["probability"])) if r < m else 0}

    assert failed_ids(GROUP, "candidates-quantile", by_scipy) == set()


def test_the_mean_is_found_for_the_quantile() -> None:
    """The mean number of candidates fails if it differs from the quantile."""
    found = failed_ids(
        GROUP, "candidates-quantile", lambda v: {"quantile": math.ceil(v.intermediates["mean"])}
    )
    assert found == {"candidates-quantile"}


def test_lower_bounds_pass() -> None:
    """The closed forms of the lower bounds pass with thirty digits."""

    def by_sorted(vector: Vector) -> dict[str, Any]:
        given = vector.input
        private = 1 - mpmath.mpf(given["delta"])
        bound = mpmath.exp(-given["epsilon"]) * private**2 * given["m"] / 4
        return {"bound": float(bound)}

    def by_both(vector: Vector) -> dict[str, Any]:
        m, k, c_s, c_r = (vector.input[x] for x in ("m", "k", "sorted_cost", "random_cost"))
        price = min(c_s * m, c_r * m, mpmath.sqrt(m * k * c_s * c_r)) / 10000
        return {"bound": float(mpmath.sqrt(m * k) / 100), "price_bound": float(price)}

    def by_random(vector: Vector) -> dict[str, Any]:
        return {"bound": vector.input["m"] * (1 - vector.input["beta"]) ** 2 / 2}

    assert failed_ids(GROUP, "lower-sorted", by_sorted) == set()
    assert failed_ids(GROUP, "lower-both", by_both) == set()
    assert failed_ids(GROUP, "lower-random", by_random) == set()


def certificate_of(vector: Vector, *, is_cut: bool = True) -> dict[str, Any]:
    """Add up the certificate term by term."""
    names = ("m", "k", "set_size", "low_size", "shrinkage", "delta", "beta")
    m, k, s, a, shrinkage, delta, beta = (vector.input[name] for name in names)
    hidden = m - s + a
    hit = (1 - beta) * (1 - Fraction(math.comb(s - k, a), math.comb(s, a))) - delta
    terms = [
        shrinkage * hit - 1 + Fraction(math.comb(hidden - t, a), math.comb(hidden, a))
        for t in range(min(s - a, hidden) + 1)
    ]
    return {"bound": sum((t for t in terms if t > 0 or not is_cut), Fraction(0))}


def test_certificates_term_by_term_pass() -> None:
    """The sum of the positive terms is the bound; with the negative ones it is another."""
    assert failed_ids(GROUP, "certificate", certificate_of) == set()
    found = failed_ids(GROUP, "certificate", lambda v: certificate_of(v, is_cut=False))
    assert found == {"certificate-ten-items", "certificate-says-nothing"}


def test_a_certificate_may_say_nothing() -> None:
    """A vector expects the bound 0 if privacy and accuracy force no access."""
    (vector,) = (
        one for one in vectors_for(GROUP, "certificate") if one.id == "certificate-says-nothing"
    )
    assert vector.expected == {"bound": Fraction(0)}


def gumbel_cdf(z: Any) -> Any:
    """Return the distribution function of Gumbel noise of scale 1."""
    return mpmath.exp(-mpmath.exp(-z))


def gumbel_density(z: Any) -> Any:
    """Return its density."""
    return mpmath.exp(-z - mpmath.exp(-z))


def laplace_cdf(z: Any) -> Any:
    """Return the distribution function of Laplace noise of scale 1."""
    return mpmath.exp(z) / 2 if z < 0 else 1 - mpmath.exp(-z) / 2


def laplace_density(z: Any) -> Any:
    """Return its density."""
    return mpmath.exp(-abs(z)) / 2


def failure(noise: str, a: Any, k: int, others: int) -> Any:
    """Return P(max of the others - min of k > a), integrated over the smallest of the k."""
    if others == 0:
        return mpmath.mpf(0)
    if noise == "gumbel":
        cdf, density = gumbel_cdf, gumbel_density
        points: list[float] = [-6, -2, 0, 2, 5, 10, 20, 40, 80]
    else:
        cdf, density = laplace_cdf, laplace_density
        points = sorted({-80.0, -40, -20, -10, -5, -2, 0, 5, 20, 60, float(-a)})

    def integrand(y: Any) -> Any:
        above = 1 - cdf(y)
        return k * density(y) * above ** (k - 1) * (1 - cdf(y + a) ** others)

    return mpmath.quad(integrand, points)


FAILURES = vectors_for(GROUP, "failure")


@pytest.mark.parametrize("vector", FAILURES, ids=lambda vector: vector.id)
def test_failures_by_integration_pass(vector: Vector) -> None:
    """Quadrature over the smallest noise of the top set gives the probability."""

    def probability_by_quadrature(vector: Vector) -> dict[str, Any]:
        given = vector.input
        with mpmath.workdps(40):
            a = mpmath.mpf(given["rate"]) * mpmath.mpf(given["alpha"])
            others = given["m"] - given["k"]
            return {"probability": float(failure(given["noise"], a, given["k"], others))}

    assert passes(vector, probability_by_quadrature)


INTEGRABLE = [
    one for one in vectors_for(GROUP, "accuracy") if 0 < one.input["m"] - one.input["k"] <= 10**6
]
"""Vectors with a possible error, and with few enough items for quadrature."""


@pytest.mark.parametrize("vector", INTEGRABLE, ids=lambda vector: vector.id)
def test_quantiles_of_accuracy_are_quantiles(vector: Vector) -> None:
    """At the quantile the failure probability, integrated anew, is beta, up to the tolerance."""
    given = vector.input
    k, others = given["k"], given["m"] - given["k"]
    alpha = vector.expected["quantile"]
    with mpmath.workdps(30):
        a = mpmath.mpf(given["rate"]) * mpmath.mpf(alpha)
        assert abs(failure(given["noise"], a, k, others) / given["beta"] - 1) < 1e-8


def test_closed_accuracies_pass() -> None:
    """The closed forms give the bounds, and the quantile never exceeds them."""
    for vector in vectors_for(GROUP, "accuracy"):
        given = vector.input
        k, m, beta = given["k"], given["m"], mpmath.mpf(given["beta"])
        harmonic = mpmath.harmonic(k)
        if k == m:
            closed_form = mpmath.mpf(0)
        elif given["noise"] == "gumbel":
            closed_form = mpmath.log((m - k) * harmonic / beta)
        else:
            closed_form = 2 * mpmath.log(m / (2 * beta))
        answer = {**vector.expected, "bound": float(closed_form / given["rate"])}
        assert vector.allows(answer)
        assert vector.expected["quantile"] <= vector.expected["bound"]


@pytest.mark.parametrize(
    ("slip", "hunter"),
    [
        (lambda given, bound: bound - math.log(mpmath.harmonic(given["k"])), "accuracy-gumbel"),
        (lambda given, bound: bound / 2, "accuracy-laplace"),
        (lambda given, bound: bound * given["rate"] ** 2, "accuracy-scale"),
        (lambda given, bound: bound + 1, "accuracy-all-items"),
    ],
)
def test_wrong_accuracies_are_found(slip: Any, hunter: str) -> None:
    """A bound without its harmonic number, factor or scale fails the vector made for it."""
    found = failed_ids(
        GROUP, "accuracy", lambda v: {**v.expected, "bound": slip(v.input, v.expected["bound"])}
    )
    assert hunter in found


def test_rounds_are_no_accesses() -> None:
    """A bound of rounds instead of accesses fails every vector."""
    found = failed_ids(GROUP, "cost-bounds", lambda v: {**v.expected, "cost": v.expected["rounds"]})
    assert found == {one.id for one in vectors_for(GROUP, "cost-bounds")}


def test_the_bound_is_no_mean() -> None:
    """Theorem U's bound fails every vector of the mean, which it exceeds."""
    found = failed_ids(GROUP, "expected-rounds", lambda v: {"rounds": v.intermediates["bound"]})
    assert found == {one.id for one in vectors_for(GROUP, "expected-rounds")}
    assert all(
        one.expected["rounds"] < one.intermediates["bound"]
        for one in vectors_for(GROUP, "expected-rounds")
    )


@pytest.mark.parametrize(
    "vector", vectors_for(GROUP, "cheapest-prefix"), ids=lambda vector: vector.id
)
def test_our_plan_reads_the_cheapest_prefix(vector: Vector) -> None:
    """The plan reads the prefix, and at least k items unless sorted access costs more."""
    given = vector.input
    made = plan(
        given["m"],
        given["k"],
        epsilon=1,
        noise=NoiseKind.GUMBEL,
        costs=(given["sorted_cost"], given["random_cost"]),
    )
    least = given["k"] if given["sorted_cost"] <= given["random_cost"] else 0
    assert made.prefix == max(least, vector.expected["prefix"])
