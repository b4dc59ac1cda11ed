"""Evidence against a null hypothesis that may be looked at after every trial.

Each null hypothesis has an e-process: a positive martingale (or supermartingale) under the
null, 1 before the first observation. By Ville's inequality it ever reaches 1/alpha with
probability at most alpha, however often one looks and whenever one stops. An average of
e-processes on one sequence of trials is an e-process. Thus several alternatives, and several
streams of a requirement, share one error budget.

All values are kept as natural logarithms.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Observations: TypeAlias = NDArray[np.float64]

CONCENTRATIONS: Final = (4.0, 64.0, 1024.0)
"""Alternatives far from the null find large defects early; those near it find small defects."""

BINNINGS: Final[tuple[tuple[float, ...], ...]] = (
    (0.0, 0.5, 1.0),
    tuple(i / 16 for i in range(17)),
    (0.0, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.9999, 0.999999, 1.0),
)
"""Cells of the unit interval: a shift, a change of shape, and both tails."""

EXPONENTS: Final = (0.1, 0.25, 0.5, 0.75, 0.9)
"""Calibrators kappa u^(kappa - 1) of a p-value, for strong and for faint evidence."""

BETS: Final = (0.02, 0.1, 0.3, 0.6, 0.9)
"""Shares of the largest bet that can never lose everything."""


class Process(Protocol):
    """An e-process that takes observations."""

    @property
    def log_e(self) -> float:
        """The logarithm of the evidence so far."""

    def update(self, values: Observations) -> None:
        """Add further observations, in order."""


class Null(Protocol):
    """A null hypothesis about a stream of observations."""

    def process(self) -> Process:
        """Return a fresh e-process against it."""


def log_mean(logs: Sequence[float]) -> float:
    """Return the logarithm of the mean of numbers given by their logarithms."""
    largest = max(logs)
    if not -math.inf < largest < math.inf:
        return largest
    return largest + math.log(math.fsum(math.exp(log - largest) for log in logs) / len(logs))


@dataclass(slots=True)
class DirichletProcess:
    """Bets on a multinomial law other than the null, by mixtures of Dirichlet priors.

    The prior of concentration A has mean p, so its evidence is the ratio of the
    Dirichlet-multinomial probability of what was seen to the null's.
    """

    probabilities: NDArray[np.float64]
    counts: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        """Start with nothing seen."""
        self.counts = np.zeros(len(self.probabilities), dtype=np.int64)

    @property
    def log_e(self) -> float:
        """The logarithm of the evidence so far."""
        if self.counts[self.probabilities == 0].any():
            return math.inf
        possible = self.probabilities > 0
        p, n = self.probabilities[possible], self.counts[possible]
        return log_mean([self._against(p, n, a) for a in CONCENTRATIONS])

    @staticmethod
    def _against(p: NDArray[np.float64], n: NDArray[np.int64], a: float) -> float:
        total = int(n.sum())
        predicted = gammaln(a) - gammaln(a + total) + (gammaln(a * p + n) - gammaln(a * p)).sum()
        return float(predicted - (n * np.log(p)).sum())

    def update(self, values: Observations) -> None:
        """Add further categories."""
        self.counts += np.bincount(values.astype(np.int64), minlength=len(self.counts))


@dataclass(frozen=True, slots=True)
class Categories:
    """Each observation is category i with probability p_i, whatever came before."""

    probabilities: tuple[float, ...]
    labels: tuple[str, ...]

    def process(self) -> DirichletProcess:
        """Return a fresh e-process against it."""
        p = np.array(self.probabilities)
        return DirichletProcess(p / p.sum())


@dataclass(slots=True)
class BinnedProcess:
    """Bets on several binnings of the unit interval at once."""

    edges: tuple[tuple[float, ...], ...]
    bins: list[DirichletProcess] = field(init=False)

    def __post_init__(self) -> None:
        """Start with nothing seen."""
        self.bins = [DirichletProcess(np.diff(edges)) for edges in self.edges]

    @property
    def log_e(self) -> float:
        """The logarithm of the evidence so far."""
        return log_mean([process.log_e for process in self.bins])

    def update(self, values: Observations) -> None:
        """Add further numbers of the unit interval."""
        for edges, process in zip(self.edges, self.bins, strict=True):
            cells = np.searchsorted(edges, values, side="right") - 1
            process.update(np.clip(cells, 0, len(edges) - 2))


@dataclass(frozen=True, slots=True)
class Uniform:
    """Each observation is uniform on (0, 1), whatever came before."""

    binnings: tuple[tuple[float, ...], ...] = BINNINGS

    def process(self) -> BinnedProcess:
        """Return a fresh e-process against it."""
        return BinnedProcess(self.binnings)


@dataclass(slots=True)
class ProductProcess:
    """A mean over alternatives of products of factors, one factor per observation."""

    log_factors: Callable[[Observations], NDArray[np.float64]]
    """Returns the logarithm of the product over some observations, for each alternative."""

    logs: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))

    @property
    def log_e(self) -> float:
        """The logarithm of the evidence so far."""
        return log_mean(self.logs.tolist())

    def update(self, values: Observations) -> None:
        """Add further observations."""
        self.logs = self.logs + self.log_factors(values)


def log_calibrators(values: Observations) -> NDArray[np.float64]:
    """Return log of the product of kappa u^(kappa - 1) over some p-values, for each kappa."""
    kappas = np.array(EXPONENTS)
    with np.errstate(divide="ignore"):
        total = np.log(np.minimum(values, 1.0)).sum()
    logs: NDArray[np.float64] = len(values) * np.log(kappas) + (kappas - 1) * total
    return logs


def log_bets(values: Observations, bound: float) -> NDArray[np.float64]:
    """Return log of the product of 1 + s (x/bound - 1) over some numbers, for each stake s."""
    stakes = np.array(BETS)[:, None]
    logs: NDArray[np.float64] = np.log1p(stakes * (values[None, :] / bound - 1)).sum(axis=1)
    return logs


@dataclass(frozen=True, slots=True)
class SuperUniform:
    """Each observation is a p-value: P(u <= t) <= t for every t, whatever came before."""

    def process(self) -> ProductProcess:
        """Return a fresh e-process that bets on p-values that are too small."""
        return ProductProcess(log_calibrators)


@dataclass(frozen=True, slots=True)
class MeanAtMost:
    """Each observation lies in [0, 1] and its mean, given what came before, is at most a bound."""

    bound: float

    def process(self) -> ProductProcess:
        """Return a fresh e-process that bets on a larger mean."""
        return ProductProcess(partial(log_bets, bound=self.bound))
