"""Statistics that are shown beside a verdict and decide nothing.

Only e-processes decide. Engineers know Kolmogorov-Smirnov and chi-square, so both are computed
for every stream that they fit, and corrected by Holm over the whole run. A pass is shown with
the smallest defect that would have failed.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from statsmodels.api import OLS, add_constant
from statsmodels.stats.multitest import multipletests

from privtopk.conformance.evidence.e_process import (
    BETS,
    CONCENTRATIONS,
    EXPONENTS,
    Categories,
    MeanAtMost,
    Null,
    Observations,
    SuperUniform,
    Uniform,
)

LEAST_EXPECTED: Final = 5.0
"""The chi-square approximation is usable for cells with at least this expected count."""

POWER: Final = 0.9
QUANTILE: Final = 1.3
"""In 9 of 10 runs, log evidence is at most this many standard deviations below its mean."""

SMALLEST_EXPONENT: Final = 0.01
"""The search for a smallest defect goes down to p-values with the law u^0.01."""


@dataclass(frozen=True, slots=True)
class ClassicalTest:
    """A classical test of one stream."""

    name: str
    p_value: float


def classical_test(null: Null, values: Observations) -> ClassicalTest | None:
    """Return the classical test of a null hypothesis, or None if none fits."""
    if not len(values):
        return None
    if isinstance(null, Uniform):
        return ClassicalTest("Kolmogorov-Smirnov", float(stats.kstest(values, "uniform").pvalue))
    if isinstance(null, SuperUniform):
        found = stats.kstest(values, "uniform", alternative="greater")
        return ClassicalTest("one-sided Kolmogorov-Smirnov", float(found.pvalue))
    if isinstance(null, Categories):
        p_value = chi_square(null, values)
        return None if p_value is None else ClassicalTest("chi-square", p_value)
    return None


def cells(null: Categories, values: Observations) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the observed and the expected count of every category."""
    p = np.array(null.probabilities)
    counts = np.bincount(values.astype(np.int64), minlength=len(p)).astype(np.int64)
    return counts, len(values) * p / p.sum()


def chi_square(null: Categories, values: Observations) -> float | None:
    """Return the p-value of chi-square, or None if fewer than two cells are left."""
    observed, expected = cells(null, values)
    if observed[expected == 0].any():
        return 0.0
    merged = merged_cells(observed, expected)
    if len(merged) < 2:
        return None
    seen, due = zip(*merged, strict=True)
    return float(stats.chisquare(seen, due, sum_check=False).pvalue)


def merged_cells(
    observed: NDArray[np.int64], expected: NDArray[np.float64]
) -> list[tuple[int, float]]:
    """Merge cells, those with the least expected count first, until each expects at least 5."""
    merged: list[tuple[int, float]] = []
    seen, due = 0, 0.0
    for index in np.argsort(expected, kind="stable"):
        seen, due = seen + int(observed[index]), due + float(expected[index])
        if due >= LEAST_EXPECTED:
            merged.append((seen, due))
            seen, due = 0, 0.0
    if due > 0 and merged:
        merged[-1] = (merged[-1][0] + seen, merged[-1][1] + due)
    return merged


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values adjusted by Holm; None stays None."""
    present = [index for index, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    if present:
        corrected = multipletests([p_values[index] for index in present], method="holm")[1]
        for index, p in zip(present, corrected, strict=True):
            adjusted[index] = float(p)
    return adjusted


@dataclass(frozen=True, slots=True)
class Defect:
    """The smallest defect that a test of this size finds in 9 of 10 runs.

    A subject that deviates more than this would almost certainly fail; one that deviates less
    may pass. Read it as the tolerance of the test. It is the Kullback-Leibler divergence of what
    the subject does from what it should do, in nats per observation: x nats are an even chance
    that is off by sqrt(x/2).
    """

    nats: float | None
    """None if nothing is random: then every breach that shows is found."""

    text: str
    """What such a defect looks like."""

    @property
    def short(self) -> str:
        """The size alone."""
        return self.text if self.nats is None else f"{self.nats:.2g} nats"


def smallest_defect(null: Null, n: int, alpha: float, streams: int) -> Defect | None:
    """Return the smallest defect that one of several streams can show; None if n is too small."""
    if n == 0:
        return None
    needed = -math.log(alpha) + math.log(streams)
    if isinstance(null, SuperUniform):
        return _smaller_p_values(n, needed)
    if isinstance(null, MeanAtMost):
        return _larger_mean(null.bound, n, needed)
    laws = _laws(null)
    nats = max(_divergence(len(law), n, needed + math.log(len(laws))) for law in laws)
    largest = max(-math.log(min(p for p in law if p > 0)) for law in laws)
    if nats > largest:
        return None
    return Defect(nats, _equivalent_event(nats))


def _equivalent_event(nats: float) -> str:
    """Return a change of one event's probability that has the same divergence."""
    shift = math.sqrt(nats / 2)
    if shift < 0.5:
        return f"an even chance off by {shift:.2g}"
    return f"an event of probability {math.exp(-nats):.2g} that always happens"


def _laws(null: Null) -> list[tuple[float, ...]]:
    if isinstance(null, Categories):
        return [null.probabilities]
    if isinstance(null, Uniform):
        return [tuple(np.diff(edges).tolist()) for edges in null.binnings]
    raise TypeError(f"no smallest defect is known for {type(null).__name__}")


def _divergence(cells: int, n: int, needed: float) -> float:
    """Return the divergence at which the best Dirichlet mixture reaches the needed evidence.

    The prior of concentration A loses ((K - 1)/2) ln(1 + n/A) for not knowing the alternative,
    and shrinks what it sees towards the null by the factor n/(n + A).
    """
    needed += math.log(len(CONCENTRATIONS))
    cost = min((1 + a / n) * (needed + (cells - 1) / 2 * math.log1p(n / a)) for a in CONCENTRATIONS)
    root = (QUANTILE * math.sqrt(2) + math.sqrt(2 * QUANTILE**2 + 4 * cost)) / 2
    return root**2 / n


def _smaller_p_values(n: int, needed: float) -> Defect | None:
    """Return the defect of the law u^kappa of p-values nearest to uniform that is found."""
    bets = np.array(EXPONENTS)

    def surplus(kappa: float) -> float:
        growth = n * (np.log(bets) + (1 - bets) / kappa)
        spread = math.sqrt(n) * (1 - bets) / kappa
        return float((growth - QUANTILE * spread).max()) - needed - math.log(len(bets))

    kappa = _border(surplus, SMALLEST_EXPONENT, 1.0)
    if kappa is None:
        return None
    text = f"p-values below 0.05 with probability {0.05**kappa:.2g}"
    return Defect(math.log(kappa) + 1 / kappa - 1, text)


def _larger_mean(bound: float, n: int, needed: float) -> Defect | None:
    """Return the smallest mean above the bound that the bets find.

    Among all laws on [0, 1] with a given mean, the bets grow least for values 0 and 1.
    """
    stakes = np.array(BETS)
    win, loss = np.log1p(stakes * (1 / bound - 1)), np.log1p(-stakes)

    def surplus(mean: float) -> float:
        growth = n * (mean * win + (1 - mean) * loss)
        spread = math.sqrt(n * mean * (1 - mean)) * (win - loss)
        return float((growth - QUANTILE * spread).max()) - needed - math.log(len(stakes))

    mean = _border(surplus, 1.0, bound)
    if mean is None:
        return None
    nats = float(stats.entropy([mean, 1 - mean], [bound, 1 - bound]))
    return Defect(nats, f"a mean of {mean:.3g} where {bound:.3g} is allowed")


def _border(surplus: Callable[[float], float], found: float, unseen: float) -> float | None:
    """Return where the surplus of evidence changes its sign; None if it is never positive."""
    if surplus(found) <= 0:
        return None
    return float(brentq(surplus, found, unseen))


def smallest_breach(trials: int, *, is_exhaustive: bool = False) -> Defect | None:
    """Return how often a certain breach must occur to be found in 9 of 10 runs."""
    if not trials:
        return None
    if is_exhaustive:
        return Defect(None, "any breach")
    return Defect(None, f"a breach in {100 * (1 - (1 - POWER) ** (1 / trials)):.2g} %")


@dataclass(frozen=True, slots=True)
class Slope:
    """A straight line through logarithms, with a 95 % confidence interval of its slope."""

    slope: float
    low: float
    high: float
    intercept: float


def fit_slope(sizes: Sequence[float], costs: Sequence[float]) -> Slope | None:
    """Fit log cost on log size by least squares (HC3 errors); None for fewer than three sizes."""
    if len(set(sizes)) < 3:
        return None
    fit = OLS(np.log(costs), add_constant(np.log(sizes))).fit(cov_type="HC3")
    low, high = fit.conf_int(alpha=0.05)[1]
    return Slope(float(fit.params[1]), float(low), float(high), float(fit.params[0]))
