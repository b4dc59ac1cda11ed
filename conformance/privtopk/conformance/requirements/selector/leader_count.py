"""The number of leaders among the k selected items, in a domain of a few hundred items.

Noise that is drawn twice for items that were not read, or not drawn for some of them, moves about
one item into or out of the selection. A race reveals that poorly. In a domain of a few hundred
items, an engine that reads few leaves most of them unread, and the number of selected leaders has
an exact law with many likely outcomes.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from scipy.special import expit
from scipy.stats import beta, binom

from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.requirements.instruments.noisy_scores import (
    GAP,
    NoisyScoresRequirement,
    affordable_trials,
    log_likelihood_gains,
    wrong_scales,
)
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind, noise_of

M: Final = 300
K: Final = 8
WEIGHT: Final = 16.0
"""Ratio of the leaders' weight to that of all others together: on average some leaders lose."""

TRIALS: Final = 2000
LOST: Final = 4
"""Losses of at least 4 leaders are one outcome, because they are rare."""

FEWER_TRIALS: Final = 500
"""Trials of further noises, which the subject handles like the first."""

STEP: Final = 0.25
NODES: Final = np.arange(-40, 40 + STEP, STEP)
"""Nodes of the quadrature; twice as many nodes change no probability by 1e-13."""

SMALLEST, LARGEST = math.nextafter(0, 1), math.nextafter(1, 0)
"""Bounds of a tail, which is never 0 or 1, for nodes that are rounded to one of these."""

NEGLIGIBLE: Final = 1e-18
"""Mass of a piece that is left out, because it changes no probability."""


@dataclass(frozen=True, slots=True)
class LeaderDomain:
    """A domain in which k leaders are ahead of all other items by a gap."""

    m: int
    question: Question
    rate: float


class LeaderCount(NoisyScoresRequirement):
    """The number of leaders that are selected has its exact law."""

    id = "selector.leader-count"
    kind = Kind.SELECTOR
    statement = (
        "In a domain of a few hundred items with k leaders, the number of leaders that are "
        "selected has its exact law."
    )
    claims = ("algo:one-shot", "ours:batched-exact", "def:noise")
    share = 4
    bug = "items that were not read have their noise drawn twice, or not at all"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise, with fewer trials for all but the first."""
        m = min(M, subject.abilities.largest)
        if m <= 2 * K:
            return ()
        first, *others = subject.abilities.noises
        return (
            experiment_of(subject, m, first, TRIALS),
            *(experiment_of(subject, m, noise, FEWER_TRIALS) for noise in others),
        )

    def observe(self, trial: Trial) -> Observation:
        """Select with leaders at random items and count them."""
        domain: LeaderDomain = trial.experiment.setting
        return Observation(
            {"lost": np.array([leaders_lost(trial, domain) for _ in range(trial.count)])}
        )

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the usual mistakes."""
        domain: LeaderDomain = experiment.setting
        honest = law_of_lost(domain.question.noise, domain.rate * GAP, domain.m)
        return log_likelihood_gains(
            observed.values["lost"], np.array(honest), usual_mistakes(domain)
        )


def experiment_of(subject: Subject, m: int, noise: NoiseKind, trials: int) -> Experiment:
    """Return the experiment that counts the leaders that lose."""
    question = question_at(math.log(WEIGHT * m / K) / GAP, K, noise)
    rate = subject.rate(question, m)
    labels = (*(f"{lost} lost" for lost in range(LOST)), f"{LOST} or more lost")
    null = Categories(law_of_lost(noise, rate * GAP, m), labels)
    name = f"m={m}, k={K}, rate {rate:.3g}, {noise}"
    wanted = affordable_trials(subject.abilities, m, trials)
    return Experiment(name, wanted, LeaderDomain(m, question, rate), {"lost": null})


def leaders_lost(trial: Trial, domain: LeaderDomain) -> int:
    """Return the number of leaders that were not selected, at most `LOST`."""
    leaders = dict.fromkeys(trial.coins.sample(range(1, domain.m + 1), K), GAP)
    items, _ = select_from(trial, SparseScoreList(domain.m, leaders), domain.question)
    return min(LOST, K - sum(item in leaders for item in items))


def law_of_lost(noise: NoiseKind, lead: float, m: int) -> tuple[float, ...]:
    """Return the law of the number of leaders that are not selected."""
    lost = law_of_count(noise, lead, K, m)[::-1]
    return (*lost[:LOST], sum(lost[LOST:]))


@lru_cache(maxsize=256)
def law_of_count(noise: NoiseKind, lead: float, k: int, m: int) -> tuple[float, ...]:
    """Return the law of the number of leaders among the k best; the lead is in noise scales.

    At least j of k leaders are selected if the j-th best of them beats the r-th best of the
    n = m - k others, where r = k - j + 1. The noise of that item has an upper tail P with law
    Beta(r, n - r + 1). Given P, each leader beats it independently with the same probability.
    """
    at_least = [1.0, *(_probability(noise, lead, k, m, j) for j in range(1, k + 1)), 0.0]
    return tuple(at_least[j] - at_least[j + 1] for j in range(k + 1))


def _probability(noise: NoiseKind, lead: float, k: int, m: int, j: int) -> float:
    """Return the probability that at least j leaders are selected."""
    standard = noise_of(noise, 1.0)
    r, n = k - j + 1, m - k
    law = beta(r, n - r + 1)
    total = 0.0
    for low, high in pairwise(smooth_pieces(noise, lead)):
        tails, weights = quantiles(law, low, high)
        beaten = [standard.survival(standard.upper_quantile(tail) - lead) for tail in tails]
        total += float(weights @ binom.sf(j - 1, k, beaten))
    return total


def smooth_pieces(noise: NoiseKind, lead: float) -> tuple[float, ...]:
    """Return the tails between which the laws of the noise and of noise plus lead are smooth."""
    if noise is NoiseKind.GUMBEL:
        return (0.0, 1.0)
    return (0.0, math.exp(-lead) / 2, 0.5, 1.0)


def quantiles(law: Any, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of the law of a tail between two bounds.

    The trapezoidal rule in the logit of the quantile converges exponentially, whatever the
    powers with which the density approaches its ends.
    """
    mass = law.cdf(high) - law.cdf(low)
    if mass < NEGLIGIBLE:
        return np.empty(0), np.empty(0)
    below = law.cdf(low) + mass * expit(NODES)
    above = law.sf(high) + mass * expit(-NODES)
    is_low = below < above
    nodes = np.concatenate([law.ppf(below[is_low]), law.isf(above[~is_low])])
    return np.clip(nodes, SMALLEST, LARGEST), STEP * mass * expit(NODES) * expit(-NODES)


def usual_mistakes(domain: LeaderDomain) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the usual mistakes of implementations, with the laws that they lead to."""
    noise, lead, m = domain.question.noise, domain.rate * GAP, domain.m
    twice = law_of_lost(noise, lead, 2 * m)
    yield "noise that is drawn twice for items not read", np.array(twice)
    yield "no noise for half of the items", np.array(law_of_lost(noise, lead, m // 2))
    for text, factor in wrong_scales():
        yield text, np.array(law_of_lost(noise, lead * factor, m))


REQUIREMENTS: Final = (LeaderCount(),)
