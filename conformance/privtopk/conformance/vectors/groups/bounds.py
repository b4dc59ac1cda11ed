"""Bounds by parameters: rounds, accesses and prices from above and below, and accuracy."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from privtopk.conformance.vectors.vector import EXACT, Group, Tolerance, Vector
from privtopk.spec.lower_bounds.certificate import certificate_exact, report_probability
from privtopk.spec.lower_bounds.theorems import (
    both_access_bound,
    random_access_bound,
    sorted_access_bound,
    unequal_price_lower_bound,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.access import (
    expected_rounds,
    paper_cost_bound,
    rounds_law,
    rounds_quantile,
    rounds_tail,
    theorem_u_cost,
    theorem_u_rounds,
)
from privtopk.spec.upper_bounds.batched import (
    balanced_prefix,
    candidates_quantile,
    cheapest_prefix,
    default_prefix,
    expected_candidates_bound,
    optimal_prefix,
    two_phase_cost_bound,
    two_phase_price_bound,
)
from privtopk.spec.upper_bounds.utility import (
    error_bound,
    error_quantile,
    failure_probability,
    harmonic_number,
)

OPERATIONS: Final = {
    "rounds-law": (
        "Return the law of the first round T at which the first T items of two lists of m items "
        "in independent uniform order have k items in common; the threshold algorithm makes at "
        "most T rounds."
    ),
    "expected-rounds": "Return the mean of T.",
    "rounds-quantile": "Return the smallest r with P(T <= r) >= probability.",
    "cost-bounds": (
        "Return the bounds of the mean number of rounds, 1/2 + sqrt(mk + 1/4), and of the mean "
        "cost at two accesses a round: 1 + sqrt(4mk + 1), and the paper's 2 (sqrt(mk) + "
        "sqrt(m/2))."
    ),
    "prefixes": (
        "Return the prefixes of the two-phase algorithm, ceil(sqrt(mk)) and the largest r that "
        "makes r + (m - r) k/(r + 1) smallest, each with that bound of its mean cost; without "
        "a bar (r < k) the bound is m."
    ),
    "cheapest-prefix": (
        "Return the prefix with the smallest bound of the mean price, sorted_cost r + "
        "random_cost (m - r) k/(r + 1), among the balanced prefix, cut off at k and m, and 0 "
        "(all by random access, random_cost m); at equal prices 0. The balanced one is the "
        "largest x with x (x - 1) <= floor(k (m + 1) random_cost/sorted_cost), minus 1."
    ),
    "candidates-quantile": (
        "Return the smallest n with P(N <= n) >= probability, N being the number of candidates "
        "of the two-phase algorithm with this prefix when all scores are equal."
    ),
    "lower-random": "Return m (1 - beta)^2/2: what accuracy costs by random access alone.",
    "lower-sorted": (
        "Return e^-epsilon (1 - delta)^2 m/4: what privacy costs by sorted access alone."
    ),
    "lower-both": (
        "Return sqrt(mk)/100, and with prices min(sorted_cost m, random_cost m, "
        "sqrt(mk sorted_cost random_cost))/10000: what both cost through both doors."
    ),
    "certificate": (
        "Return the sum over t = 0, ..., min(s - a, M), M = m - s + a, of the positive parts of "
        "q - 1 + C(M - t, a)/C(M, a), where q = shrinkage ((1 - beta) (1 - C(s - k, a)/C(s, a)) "
        "- delta) and shrinkage = e^-epsilon."
    ),
    "accuracy": (
        "Return how far below the k-th best score a selected item may fall: `bound` is the "
        "closed form, ln((m - k) H_k/beta)/rate for Gumbel and 2 ln(m/(2 beta))/rate for Laplace "
        "noise, 0 for k = m; `quantile` is the smallest alpha with "
        "P(max of m - k noises - min of k noises > alpha) <= beta."
    ),
    "failure": "Return P(max of m - k noises - min of k noises > alpha), noises of scale 1/rate.",
}

ROOT: Final = Tolerance(
    2.0**-48, 0.0, "Square roots, exponentials and logarithms of exact numbers, a few roundings."
)

SUMMED: Final = Tolerance(
    2.0**-28, 0.0, "A sum of many terms; the specification promises nine digits."
)

SOLVED: Final = Tolerance(
    2.0**-34, 0.0, "Found by bisection and, for Laplace noise, numerical integration."
)


def bound(
    identity: str,
    hunts: str,
    operation: str,
    claims: tuple[str, ...],
    given: Mapping[str, Any],
    expected: Mapping[str, Any],
    tolerance: Tolerance,
    intermediates: Mapping[str, Any] | None = None,
) -> Vector:
    """Return the vector of a bound."""
    return Vector(
        identity, operation, hunts, claims, given, intermediates or {}, expected, tolerance
    )


def law_of_rounds(identity: str, hunts: str, m: int, k: int) -> Vector:
    """Return the vector of the law of the meeting round."""
    return bound(
        identity,
        hunts,
        "rounds-law",
        ("ours:rounds-law",),
        {"m": m, "k": k},
        {
            "rounds_law": [
                {"rounds": r, "probability": p} for r, p in sorted(rounds_law(m, k).items())
            ]
        },
        EXACT,
        {"tails": [rounds_tail(m, k, r) for r in range(m + 1)]},
    )


def mean_rounds(identity: str, hunts: str, m: int, k: int) -> Vector:
    """Return the vector of the mean of the meeting round."""
    return bound(
        identity,
        hunts,
        "expected-rounds",
        ("ours:rounds-law", "ours:theorem-u"),
        {"m": m, "k": k},
        {"rounds": expected_rounds(m, k)},
        SUMMED,
        {"bound": theorem_u_rounds(m, k)},
    )


def quantile_of_rounds(identity: str, hunts: str, m: int, k: int, probability: float) -> Vector:
    """Return the vector of a quantile of the meeting round."""
    return bound(
        identity,
        hunts,
        "rounds-quantile",
        ("ours:rounds-law", "lem:cost-tail"),
        {"m": m, "k": k, "probability": probability},
        {"rounds": rounds_quantile(m, k, probability)},
        EXACT,
    )


def cost_bounds(identity: str, hunts: str, m: int, k: int) -> Vector:
    """Return the vector of the closed bounds of rounds and cost."""
    return bound(
        identity,
        hunts,
        "cost-bounds",
        ("ours:theorem-u", "thm:access-cost", "erratum:gamma-chain"),
        {"m": m, "k": k},
        {
            "rounds": theorem_u_rounds(m, k),
            "cost": theorem_u_cost(m, k),
            "paper_cost": paper_cost_bound(m, k),
        },
        ROOT,
    )


def prefixes(identity: str, hunts: str, m: int, k: int) -> Vector:
    """Return the vector of the prefixes of the two-phase algorithm."""
    default, optimal = default_prefix(m, k), optimal_prefix(m, k)
    return bound(
        identity,
        hunts,
        "prefixes",
        ("ours:batched-cost", "ours:batched-candidates"),
        {"m": m, "k": k},
        {
            "default_prefix": default,
            "default_cost": two_phase_cost_bound(m, k, default),
            "optimal_prefix": optimal,
            "optimal_cost": two_phase_cost_bound(m, k, optimal),
        },
        EXACT,
        {"default_candidates": expected_candidates_bound(m, k, default)},
    )


def cheapest(identity: str, hunts: str, m: int, k: int, costs: tuple[Number, Number]) -> Vector:
    """Return the vector of the cheapest prefix for two prices."""
    prefix = cheapest_prefix(m, k, *costs)
    return bound(
        identity,
        hunts,
        "cheapest-prefix",
        ("ours:unequal-costs",),
        {"m": m, "k": k, "sorted_cost": costs[0], "random_cost": costs[1]},
        {"prefix": prefix, "price": two_phase_price_bound(m, k, prefix, *costs)},
        EXACT,
        {"balanced_prefix": balanced_prefix(m, k, *costs)},
    )


def candidates(
    identity: str, hunts: str, sizes: tuple[int, int, int], probability: float
) -> Vector:
    """Return the vector of a quantile of the candidates; sizes are m, k and the prefix."""
    m, k, r = sizes
    return bound(
        identity,
        hunts,
        "candidates-quantile",
        ("ours:batched-candidates",),
        {"m": m, "k": k, "prefix": r, "probability": probability},
        {"quantile": candidates_quantile(m, k, r, probability)},
        EXACT,
        {"mean": expected_candidates_bound(m, k, r)},
    )


def certified(
    identity: str, hunts: str, sizes: tuple[int, int, int, int], chances: tuple[Fraction, ...]
) -> Vector:
    """Return the vector of a certificate; sizes are m, k, s, a, chances e^-epsilon, delta, beta."""
    m, k, s, a = sizes
    shrinkage, delta, beta = chances
    return bound(
        identity,
        hunts,
        "certificate",
        ("ours:certificate", "thm:lower-both", "erratum:low-set-size"),
        {
            "m": m,
            "k": k,
            "set_size": s,
            "low_size": a,
            "shrinkage": shrinkage,
            "delta": delta,
            "beta": beta,
        },
        {"bound": certificate_exact(m, k, s, a, shrinkage, delta, beta)},
        EXACT,
        {"report_probability": report_probability(k, s, a, shrinkage, delta, beta)},
    )


def accuracy(
    identity: str, hunts: str, noise: NoiseKind, rate: float, beta: float, sizes: tuple[int, int]
) -> Vector:
    """Return the vector of an accuracy; sizes are k and m."""
    k, m = sizes
    is_gumbel = noise is NoiseKind.GUMBEL
    return bound(
        identity,
        hunts,
        "accuracy",
        ("fact:utility", "erratum:utility-constant")
        + (("ours:utility-gumbel",) if is_gumbel else ("ours:utility-laplace",)),
        {"noise": noise, "rate": rate, "beta": beta, "k": k, "m": m},
        {
            "bound": error_bound(noise, rate, beta, k, m),
            "quantile": error_quantile(noise, rate, beta, k, m),
        },
        SOLVED,
        {"harmonic_number": harmonic_number(k)} if is_gumbel else {},
    )


def failure(
    identity: str,
    hunts: str,
    noise: NoiseKind,
    rate: float,
    alpha: float,
    sizes: tuple[int, int],
) -> Vector:
    """Return the vector of a failure probability; sizes are k and m."""
    k, m = sizes
    is_gumbel = noise is NoiseKind.GUMBEL
    return bound(
        identity,
        hunts,
        "failure",
        ("fact:utility", "ours:utility-gumbel" if is_gumbel else "ours:utility-laplace"),
        {"noise": noise, "rate": rate, "alpha": alpha, "k": k, "m": m},
        {"probability": failure_probability(noise, rate, alpha, k, m)},
        SOLVED,
    )


def group() -> Group:
    """Return all bounds."""
    return Group(
        name="bounds",
        task="Compute the bound from its parameters and compare.",
        operations=OPERATIONS,
        vectors=(*_rounds(), *_prefixes(), *_lower(), *_accuracy()),
    )


def _rounds() -> tuple[Vector, ...]:
    return (
        law_of_rounds("rounds-law-small", "Sampling with replacement: a binomial law.", 6, 2),
        law_of_rounds("rounds-law-first", "Taking k = 1 for a geometric law.", 5, 1),
        law_of_rounds("rounds-law-all", "Expecting fewer than m rounds when k = m.", 4, 4),
        mean_rounds("rounds-mean-thousand", "Taking the bound for the mean.", 1000, 10),
        mean_rounds("rounds-mean-million", "Summing over all m rounds in order m^2.", 10**6, 1),
        mean_rounds("rounds-mean-all", "Failing for k = m, where the mean is m.", 50, 50),
        quantile_of_rounds(
            "rounds-quantile", "Being off by one: P(T < r) for P(T <= r).", 1000, 10, 0.99
        ),
        quantile_of_rounds(
            "rounds-quantile-median", "Returning the mean for the median.", 100, 3, 0.5
        ),
        cost_bounds("cost-bounds-thousand", "Taking rounds for accesses.", 1000, 10),
        cost_bounds("cost-bounds-one", "Being wrong for m = k = 1.", 1, 1),
        cost_bounds("cost-bounds-huge", "Overflowing in 4mk.", 2**50, 2**20),
    )


def _prefixes() -> tuple[Vector, ...]:
    return (
        prefixes("prefix-square", "Rounding sqrt(mk) up though it is whole.", 1000, 10),
        prefixes("prefix-above-square", "Rounding sqrt(mk) down.", 1001, 10),
        prefixes(
            "prefix-huge",
            "Taking the root in doubles, which are off by one here.",
            2**60 + 2**31 + 2,
            1,
        ),
        prefixes("prefix-all", "Reading more than m items when k = m.", 12, 12),
        prefixes("prefix-one", "Failing for m = 1.", 1, 1),
        cheapest("cheapest-equal", "Ignoring that both doors cost the same.", 10**4, 10, (1, 1)),
        cheapest("cheapest-dear-random", "Swapping the two prices.", 10**4, 10, (1, 25)),
        cheapest(
            "cheapest-free-sorted",
            "Reading beyond the list when sorted access is almost free.",
            100,
            10,
            (Fraction(1, 1000), 1),
        ),
        cheapest(
            "cheapest-dear-sorted",
            "Reading k items by sorted access though random access to all is cheaper.",
            100,
            10,
            (1000, 1),
        ),
        cheapest(
            "cheapest-fractions",
            "Rounding prices that are no whole numbers.",
            5000,
            3,
            (Fraction(2, 3), Fraction(5, 7)),
        ),
        candidates(
            "candidates-quantile", "Taking the mean for the quantile.", (1000, 10, 100), 0.99
        ),
        candidates(
            "candidates-without-bar", "Having a bar before k items are read.", (50, 5, 4), 0.5
        ),
        candidates("candidates-none-left", "Expecting candidates after all m.", (50, 5, 50), 0.9),
    )


def _lower() -> tuple[Vector, ...]:
    half = Fraction(1, 2)
    hypotheses: dict[str, Number] = {
        "epsilon": 1,
        "delta": Fraction(1, 100),
        "beta": Fraction(1, 100),
    }
    return (
        bound(
            "lower-random",
            "Forgetting to square 1 - beta.",
            "lower-random",
            ("ours:lower-random", "thm:lower-random"),
            {"m": 1000, "beta": Fraction(1, 10)},
            {"bound": random_access_bound(1000, Fraction(1, 10))},
            EXACT,
        ),
        bound(
            "lower-sorted",
            "Assuming accuracy, or taking e^epsilon for e^-epsilon.",
            "lower-sorted",
            ("ours:lower-sorted", "thm:lower-sorted"),
            {"m": 1000, "epsilon": 1.0, "delta": 0.125},
            {"bound": sorted_access_bound(1000, 1.0, 0.125)},
            ROOT,
        ),
        bound(
            "lower-both",
            "Taking the paper's constant 1/1000, or charging both doors the same price.",
            "lower-both",
            ("ours:lower-both", "ours:unequal-costs-lower", "thm:lower-both"),
            {"m": 10**6, "k": 10, "sorted_cost": 3, "random_cost": 2, **hypotheses},
            {
                "bound": both_access_bound(10**6, 10, *hypotheses.values()),
                "price_bound": unequal_price_lower_bound(10**6, 10, 3, 2, *hypotheses.values()),
            },
            ROOT,
        ),
        certified(
            "certificate-one-item",
            "Taking |S_L| = |S|/k, which leaves no high item for k = 1.",
            (400, 1, 20, 10),
            (half, Fraction(0), Fraction(0)),
        ),
        certified(
            "certificate-ten-items",
            "Stopping the sum at the first term, or adding negative ones.",
            (5000, 10, 200, 12),
            (half, Fraction(1, 100), Fraction(1, 20)),
        ),
        certified(
            "certificate-says-nothing",
            "Returning a negative bound where nothing can be said.",
            (100, 5, 10, 1),
            (Fraction(1, 100), Fraction(9, 10), Fraction(1, 20)),
        ),
    )


def _accuracy() -> tuple[Vector, ...]:
    gumbel, laplace = NoiseKind.GUMBEL, NoiseKind.LAPLACE
    return (
        accuracy(
            "accuracy-gumbel",
            "Leaving out the harmonic number, or H_m for H_k.",
            gumbel,
            1.0,
            0.01,
            (10, 1000),
        ),
        accuracy(
            "accuracy-laplace",
            "Leaving out the factor 2: both an item of the top set and another may stray.",
            laplace,
            1.0,
            0.01,
            (10, 1000),
        ),
        accuracy(
            "accuracy-scale",
            "Multiplying by the rate instead of dividing.",
            gumbel,
            0.25,
            0.05,
            (1, 20),
        ),
        accuracy(
            "accuracy-all-items",
            "Finding an error though k = m leaves none.",
            gumbel,
            1.0,
            0.05,
            (7, 7),
        ),
        accuracy(
            "accuracy-huge", "Losing digits for 2^50 items.", gumbel, 1.0, 2.0**-40, (100, 2**50)
        ),
        failure(
            "failure-gumbel",
            "Using the union bound for the probability.",
            gumbel,
            1.0,
            5.0,
            (3, 100),
        ),
        failure(
            "failure-laplace",
            "Integrating one branch of the density only.",
            laplace,
            1.0,
            5.0,
            (3, 100),
        ),
        failure(
            "failure-tiny",
            "Computing 1 - p, which is 0 for a probability of 10^-20.",
            gumbel,
            2.0,
            26.0,
            (2, 50),
        ),
    )
