"""Every selection draws fresh noise.

Selections with the same arguments are independent. Pairs of them are compared on small domains,
where every pair of answers has an exact probability. On the largest domain an item hardly ever
comes twice, which reveals noise that is drawn from only a few seeds.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Categories, MeanAtMost, Null, SuperUniform
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.requirements.instruments.noisy_scores import GAP, sizes_for
from privtopk.conformance.requirements.instruments.outcome_laws import law_of
from privtopk.conformance.subjects.kinds import Cost, Kind
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.scores import ListedScores, SparseScoreList
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.values import Histogram
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import error_quantile

REPEATED: Final[tuple[tuple[Histogram, float], ...]] = (((0, 0, 0, 0), 0.7), ((2, 0, 1, 0), 0.6))
"""Scores and rates of the small domains, one flat and one skewed."""

TRIALS: Final = 384
LEADER_LOSES: Final = 0.98
"""A leader keeps the cost small, but nearly always another item is selected."""

CALLS: Final = 16
"""Selections per trial from the largest domain; only one if a selection reads everything."""

LONG_TRIALS: Final = 96


@dataclass(frozen=True, slots=True)
class SmallDomain:
    """A small histogram from which the same selection is made repeatedly."""

    histogram: Histogram
    question: Question


@dataclass(frozen=True, slots=True)
class LargeDomain:
    """A large domain in which an item is hardly ever selected twice."""

    m: int
    question: Question
    calls: int


class Freshness(Requirement):
    """Selections with the same arguments are independent."""

    id = "selector.freshness"
    kind = Kind.SELECTOR
    statement = "Selections are independent of each other, even with the same arguments."
    claims = ("algo:one-shot", "erratum:parameter-ranges")
    share = 10
    bug = "noise is reused: a fixed or short seed, a cached answer, a generator that is reset"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return small domains for pairs of answers, and a large domain for repetitions."""
        noise = subject.abilities.noises[0]
        pairs = [
            pairs_experiment(subject, histogram, question_at(rate, 1, noise))
            for histogram, rate in REPEATED
        ]
        return (*pairs, large_domain_experiment(subject, noise))

    def observe(self, trial: Trial) -> Observation:
        """Ask the same question repeatedly."""
        setting = trial.experiment.setting
        if isinstance(setting, SmallDomain):
            return observe_pairs(trial, setting)
        return observe_repetitions(trial, setting)

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the mistakes of answers that are repeated at once, or some time later."""
        if not isinstance(experiment.setting, SmallDomain):
            surprise = -np.log(observed.values["repetitions"]).sum()
            return {"noise that is drawn from a few seeds only": float(surprise)}
        first, second = np.divmod(
            observed.values["first and second"], len(experiment.setting.histogram)
        )
        again = (first == second).sum()
        # A mistake repeats nine in ten answers; chance repeats one in three or four.
        gain = again * math.log(0.9 * 3) + (len(first) - again) * math.log(0.1)
        return {"an answer that is repeated": float(gain)}


def pairs_experiment(subject: Subject, histogram: Histogram, question: Question) -> Experiment:
    """Return the experiment on two answers to the same question."""
    m = len(histogram)
    rate = subject.rate(question, m)
    law = law_of(histogram, 1, rate, question.noise, False, subject.abilities.mechanism)
    once = [law[item,] for item in range(1, m + 1)]
    null = Categories(
        tuple(p * q for p, q in product(once, once)),
        tuple(f"{i} then {j}" for i, j in product(range(1, m + 1), repeat=2)),
    )
    name = f"h={histogram}, rate {rate:.3g}, {subject.abilities.law_name(question.noise)}"
    streams = {"first and second": null, "second and third": null, "first and third": null}
    return Experiment(name, TRIALS, SmallDomain(histogram, question), streams)


def observe_pairs(trial: Trial, setting: SmallDomain) -> Observation:
    """Ask four times and compare the first three answers with each other.

    The number is even, so that noise reused in pairs of calls always meets the same comparison.
    """
    m = len(setting.histogram)
    scores = ListedScores(setting.histogram)
    answers = np.array(
        [
            [select_from(trial, scores, setting.question)[0][0] - 1 for _ in range(4)]
            for _ in range(trial.count)
        ]
    )
    first, second, third, _ = answers.T
    return Observation(
        {
            "first and second": (m * first + second).astype(float),
            "second and third": (m * second + third).astype(float),
            "first and third": (m * first + third).astype(float),
        }
    )


def large_domain_experiment(subject: Subject, noise: NoiseKind) -> Experiment:
    """Return the experiment on the largest domain."""
    abilities = subject.abilities
    m = max(2, sizes_for(abilities, noise)[-1])
    rate = max(error_quantile(NoiseKind.GUMBEL, 1.0, LEADER_LOSES, 1, m), 0.1) / GAP
    calls = 1 if abilities.cost is Cost.SCAN else CALLS
    setting = LargeDomain(m, question_at(rate, 1, noise), calls)
    streams: dict[str, Null] = {
        "repetitions": SuperUniform(),
        "at once": MeanAtMost(1 / (m - 1)),
    }
    return Experiment(f"m={m}, the same item again, {noise}", LONG_TRIALS, setting, streams)


def observe_repetitions(trial: Trial, setting: LargeDomain) -> Observation:
    """Ask the same question many times, and return the evidence of repetitions.

    An answer that is not the leader is repeated at once with probability at most 1/(m - 1).

    The other items are alike, so given the past an answer is one of j items seen before with
    probability at most j/(m - 1). By a union bound, at least c of n answers are repetitions with
    probability at most lambda^c/c!, where lambda = n (n - 1)/(2 (m - 1)).
    """
    leader = trial.coins.randrange(1, setting.m + 1)
    scores = SparseScoreList(setting.m, {leader: GAP})
    answers = [
        select_from(trial, scores, setting.question)[0][0]
        for _ in range(setting.calls * trial.count)
    ]
    others = [item for item in answers if item != leader]
    again = len(others) - len(set(others))
    at_once = [float(item == before != leader) for before, item in pairwise(answers)]
    n = len(answers)
    mean = n * (n - 1) / (2 * (setting.m - 1))
    log_p = again * math.log(mean) - math.lgamma(again + 1) if again else 0.0
    p = math.exp(min(0.0, max(-700.0, log_p)))
    return Observation({"repetitions": np.array([p]), "at once": np.array(at_once)})


REQUIREMENTS: Final = (Freshness(),)
