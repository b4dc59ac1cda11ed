"""Bounds by parameters: rounds, accesses and prices from above and below, and accuracy."""

from fractions import Fraction
from typing import Final

from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group, Tolerance
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


def law_of_rounds(m: int, k: int) -> Solution:
    """Compute the law of the meeting round."""
    law = sorted(rounds_law(m, k).items())
    return Solution(
        intermediates={"tails": [rounds_tail(m, k, r) for r in range(m + 1)]},
        expected={"rounds_law": [{"rounds": r, "probability": p} for r, p in law]},
        claims=("ours:rounds-law",),
    )


def mean_of_rounds(m: int, k: int) -> Solution:
    """Compute the mean of the meeting round."""
    return Solution(
        intermediates={"bound": theorem_u_rounds(m, k)},
        expected={"rounds": expected_rounds(m, k)},
        claims=("ours:rounds-law", "ours:theorem-u"),
        tolerance=SUMMED,
    )


def quantile_of_rounds(m: int, k: int, probability: float) -> Solution:
    """Compute a quantile of the meeting round."""
    return Solution(
        expected={"rounds": rounds_quantile(m, k, probability)},
        claims=("ours:rounds-law", "lem:cost-tail"),
    )


def cost_bounds(m: int, k: int) -> Solution:
    """Compute the closed bounds of rounds and cost."""
    return Solution(
        expected={
            "rounds": theorem_u_rounds(m, k),
            "cost": theorem_u_cost(m, k),
            "paper_cost": paper_cost_bound(m, k),
        },
        claims=("ours:theorem-u", "thm:access-cost", "erratum:gamma-chain"),
        tolerance=ROOT,
    )


def prefixes(m: int, k: int) -> Solution:
    """Compute the prefixes of the two-phase algorithm."""
    default, optimal = default_prefix(m, k), optimal_prefix(m, k)
    return Solution(
        intermediates={"default_candidates": expected_candidates_bound(m, k, default)},
        expected={
            "default_prefix": default,
            "default_cost": two_phase_cost_bound(m, k, default),
            "optimal_prefix": optimal,
            "optimal_cost": two_phase_cost_bound(m, k, optimal),
        },
        claims=("ours:batched-cost", "ours:batched-candidates"),
    )


def prefix_for_prices(m: int, k: int, sorted_cost: Number, random_cost: Number) -> Solution:
    """Compute the cheapest prefix for two prices."""
    sizes_and_prices = (m, k, sorted_cost, random_cost)
    prefix = cheapest_prefix(*sizes_and_prices)
    price = two_phase_price_bound(m, k, prefix, sorted_cost, random_cost)
    return Solution(
        intermediates={"balanced_prefix": balanced_prefix(*sizes_and_prices)},
        expected={"prefix": prefix, "price": price},
        claims=("ours:unequal-costs",),
    )


def quantile_of_candidates(m: int, k: int, prefix: int, probability: float) -> Solution:
    """Compute a quantile of the number of candidates."""
    return Solution(
        intermediates={"mean": expected_candidates_bound(m, k, prefix)},
        expected={"quantile": candidates_quantile(m, k, prefix, probability)},
        claims=("ours:batched-candidates",),
    )


def bound_by_random_access(m: int, beta: Fraction) -> Solution:
    """Compute what accuracy costs by random access."""
    return Solution(
        expected={"bound": random_access_bound(m, beta)},
        claims=("ours:lower-random", "thm:lower-random"),
    )


def bound_by_sorted_access(m: int, epsilon: float, delta: float) -> Solution:
    """Compute what privacy costs by sorted access."""
    return Solution(
        expected={"bound": sorted_access_bound(m, epsilon, delta)},
        claims=("ours:lower-sorted", "thm:lower-sorted"),
        tolerance=ROOT,
    )


def bound_by_both_accesses(
    m: int,
    k: int,
    sorted_cost: Number,
    random_cost: Number,
    epsilon: Number,
    delta: Number,
    beta: Number,
) -> Solution:
    """Compute what privacy and accuracy cost together."""
    hypotheses = (epsilon, delta, beta)
    price = unequal_price_lower_bound(m, k, sorted_cost, random_cost, *hypotheses)
    return Solution(
        expected={"bound": both_access_bound(m, k, *hypotheses), "price_bound": price},
        claims=("ours:lower-both", "ours:unequal-costs-lower", "thm:lower-both"),
        tolerance=ROOT,
    )


def certificate(
    m: int,
    k: int,
    set_size: int,
    low_size: int,
    shrinkage: Fraction,
    delta: Fraction,
    beta: Fraction,
) -> Solution:
    """Compute the bound of a certificate."""
    sizes, chances = (k, set_size, low_size), (shrinkage, delta, beta)
    return Solution(
        intermediates={"report_probability": report_probability(*sizes, *chances)},
        expected={"bound": certificate_exact(m, *sizes, *chances)},
        claims=("ours:certificate", "thm:lower-both", "erratum:low-set-size"),
    )


def accuracy(noise: NoiseKind, rate: float, beta: float, k: int, m: int) -> Solution:
    """Compute how far below the k-th best score a selected item may fall."""
    return Solution(
        intermediates={"harmonic_number": harmonic_number(k)} if noise is GUMBEL else {},
        expected={
            "bound": error_bound(noise, rate, beta, k, m),
            "quantile": error_quantile(noise, rate, beta, k, m),
        },
        claims=("fact:utility", "erratum:utility-constant", f"ours:utility-{noise}"),
        tolerance=SOLVED,
    )


def failure(noise: NoiseKind, rate: float, alpha: float, k: int, m: int) -> Solution:
    """Compute the probability of an error above alpha."""
    return Solution(
        expected={"probability": failure_probability(noise, rate, alpha, k, m)},
        claims=("fact:utility", f"ours:utility-{noise}"),
        tolerance=SOLVED,
    )


def group() -> Group:
    """Return all bounds."""
    return Group(
        name="bounds",
        task="Compute the bound from its parameters and compare.",
        operations=OPERATIONS,
        vectors=(
            *vectors_of("rounds-law", law_of_rounds, LAWS_OF_ROUNDS),
            *vectors_of("expected-rounds", mean_of_rounds, MEANS_OF_ROUNDS),
            *vectors_of("rounds-quantile", quantile_of_rounds, QUANTILES_OF_ROUNDS),
            *vectors_of("cost-bounds", cost_bounds, COST_BOUNDS),
            *vectors_of("prefixes", prefixes, PREFIXES),
            *vectors_of("cheapest-prefix", prefix_for_prices, CHEAPEST_PREFIXES),
            *vectors_of("candidates-quantile", quantile_of_candidates, QUANTILES_OF_CANDIDATES),
            *vectors_of("lower-random", bound_by_random_access, RANDOM_ACCESS),
            *vectors_of("lower-sorted", bound_by_sorted_access, SORTED_ACCESS),
            *vectors_of("lower-both", bound_by_both_accesses, BOTH_ACCESSES),
            *vectors_of("certificate", certificate, CERTIFICATES),
            *vectors_of("accuracy", accuracy, ACCURACIES),
            *vectors_of("failure", failure, FAILURES),
        ),
    )


GUMBEL, LAPLACE = NoiseKind
ZERO: Final = Fraction(0)
HALF: Final = Fraction(1, 2)
TWENTIETH: Final = Fraction(1, 20)
HUNDREDTH: Final = Fraction(1, 100)

# fmt: off
LAWS_OF_ROUNDS: Final[Cases] = (
    ("id",               "m", "k", "hunts"),
    ("rounds-law-small", 6,   2,   "Sampling with replacement: a binomial law."),
    ("rounds-law-first", 5,   1,   "Taking k = 1 for a geometric law."),
    ("rounds-law-all",   4,   4,   "Expecting fewer than m rounds when k = m."),
)

MEANS_OF_ROUNDS: Final[Cases] = (
    ("id",                   "m",   "k", "hunts"),
    ("rounds-mean-thousand", 1000,  10,  "Taking the bound for the mean."),
    ("rounds-mean-million",  10**6, 1,   "Summing over all m rounds in order m^2."),
    ("rounds-mean-all",      50,    50,  "Failing for k = m, where the mean is m."),
)

QUANTILES_OF_ROUNDS: Final[Cases] = (
    ("id",                     "m",  "k", "probability", "hunts"),
    ("rounds-quantile",        1000, 10,  0.99,
     "Being off by one: P(T < r) for P(T <= r)."),
    ("rounds-quantile-median", 100,  3,   0.5,
     "Returning the mean for the median."),
)

COST_BOUNDS: Final[Cases] = (
    ("id",                   "m",   "k",   "hunts"),
    ("cost-bounds-thousand", 1000,  10,    "Taking rounds for accesses."),
    ("cost-bounds-one",      1,     1,     "Being wrong for m = k = 1."),
    ("cost-bounds-huge",     2**50, 2**20, "Overflowing in 4mk."),
)

PREFIXES: Final[Cases] = (
    ("id",                  "m",               "k", "hunts"),
    ("prefix-square",       1000,              10,
     "Rounding sqrt(mk) up though it is whole."),
    ("prefix-above-square", 1001,              10,
     "Rounding sqrt(mk) down."),
    ("prefix-huge",         2**60 + 2**31 + 2, 1,
     "Taking the root in doubles, which are off by one here."),
    ("prefix-all",          12,                12,
     "Reading more than m items when k = m."),
    ("prefix-one",          1,                 1,
     "Failing for m = 1."),
)

CHEAPEST_PREFIXES: Final[Cases] = (
    ("id",                   "m",   "k", "sorted_cost",     "random_cost", "hunts"),
    ("cheapest-equal",       10**4, 10,  1,                 1,
     "Ignoring that both doors cost the same."),
    ("cheapest-dear-random", 10**4, 10,  1,                 25,
     "Swapping the two prices."),
    ("cheapest-free-sorted", 100,   10,  Fraction(1, 1000), 1,
     "Reading beyond the list when sorted access is almost free."),
    ("cheapest-dear-sorted", 100,   10,  1000,              1,
     "Reading k items by sorted access though random access to all is cheaper."),
    ("cheapest-fractions",   5000,  3,   Fraction(2, 3),    Fraction(5, 7),
     "Rounding prices that are no whole numbers."),
)

QUANTILES_OF_CANDIDATES: Final[Cases] = (
    ("id",                     "m",  "k", "prefix", "probability", "hunts"),
    ("candidates-quantile",    1000, 10,  100,      0.99,
     "Taking the mean for the quantile."),
    ("candidates-without-bar", 50,   5,   4,        0.5,
     "Having a bar before k items are read."),
    ("candidates-none-left",   50,   5,   50,       0.9,
     "Expecting candidates after all m."),
)

RANDOM_ACCESS: Final[Cases] = (
    ("id",           "m",  "beta",          "hunts"),
    ("lower-random", 1000, Fraction(1, 10), "Forgetting to square 1 - beta."),
)

SORTED_ACCESS: Final[Cases] = (
    ("id",           "m",  "epsilon", "delta", "hunts"),
    ("lower-sorted", 1000, 1.0,       0.125,
     "Assuming accuracy, or taking e^epsilon for e^-epsilon."),
)

BOTH_ACCESSES: Final[Cases] = (
    ("id",         "m",   "k", "sorted_cost", "random_cost", "epsilon", "delta",   "beta", "hunts"),
    ("lower-both", 10**6, 10,  3,             2,             1,         HUNDREDTH, HUNDREDTH,
     "Taking the paper's constant 1/1000, or charging both doors the same price."),
)

CERTIFICATES: Final[Cases] = (
    ("id", "m", "k", "set_size", "low_size", "shrinkage", "delta", "beta", "hunts"),
    ("certificate-one-item", 400, 1, 20, 10, HALF, ZERO, ZERO,
     "Taking |S_L| = |S|/k, which leaves no high item for k = 1."),
    ("certificate-ten-items", 5000, 10, 200, 12, HALF, HUNDREDTH, TWENTIETH,
     "Stopping the sum at the first term, or adding negative ones."),
    ("certificate-says-nothing", 100, 5, 10, 1, HUNDREDTH, Fraction(9, 10), TWENTIETH,
     "Returning a negative bound where nothing can be said."),
)

ACCURACIES: Final[Cases] = (
    ("id",                 "noise", "rate", "beta",   "k", "m", "hunts"),
    ("accuracy-gumbel",    GUMBEL,  1.0,    0.01,     10,  1000,
     "Leaving out the harmonic number, or H_m for H_k."),
    ("accuracy-laplace",   LAPLACE, 1.0,    0.01,     10,  1000,
     "Leaving out the factor 2: both an item of the top set and another may stray."),
    ("accuracy-scale",     GUMBEL,  0.25,   0.05,     1,   20,
     "Multiplying by the rate instead of dividing."),
    ("accuracy-all-items", GUMBEL,  1.0,    0.05,     7,   7,
     "Finding an error though k = m leaves none."),
    ("accuracy-huge",      GUMBEL,  1.0,    2.0**-40, 100, 2**50,
     "Losing digits for 2^50 items."),
)

FAILURES: Final[Cases] = (
    ("id",              "noise", "rate", "alpha", "k", "m", "hunts"),
    ("failure-gumbel",  GUMBEL,  1.0,    5.0,     3,   100,
     "Using the union bound for the probability."),
    ("failure-laplace", LAPLACE, 1.0,    5.0,     3,   100,
     "Integrating one branch of the density only."),
    ("failure-tiny",    GUMBEL,  2.0,    26.0,    2,   50,
     "Computing 1 - p, which is 0 for a probability of 10^-20."),
)
# fmt: on
