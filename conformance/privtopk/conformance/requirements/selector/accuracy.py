"""The errors of a selection keep to their exact quantile.

For every list of scores the error exceeds its quantile alpha with probability at most beta. The
tests use two values: the k best items score just above alpha, all others score 0. This comes as
close to beta as whole scores allow. The k best are random items, so a selector that considers
only part of the domain misses some of them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import MeanAtMost
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.requirements.instruments.noisy_scores import (
    NoisyScoresRequirement,
    affordable_trials,
)
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import error_quantile

BETA: Final = 0.05
RATE: Final = 0.05
"""The scale of the noise is 20 votes, so rounding to whole scores matters little."""

SIZES: Final = ((100, 1), (100, 10), (2_000, 1), (2_000, 10))
TRIALS: Final = 192


@dataclass(frozen=True, slots=True)
class TwoScores:
    """A domain in which k items are above all others by more than the allowed error."""

    m: int
    question: Question
    alpha: float

    @property
    def height(self) -> int:
        """The score of the best items: the smallest error above alpha."""
        return math.floor(self.alpha) + 1


class Accuracy(NoisyScoresRequirement):
    """Large errors are as rare as they must be."""

    id = "selector.accuracy"
    statement = (
        "The probability that a selected item falls short of the k-th best by more than the exact "
        "quantile of the error is at most beta."
    )
    claims = ("def:accuracy", "fact:utility", "ours:utility-gumbel", "ours:utility-laplace")
    share = 8
    bug = "the noise is too large, or part of the domain is never selected"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return scores with two values at several sizes, per noise."""
        settings = {
            two_scores(subject, m, k, noise)
            for noise in subject.abilities.noises
            for m, k in SIZES
            if k < min(m, subject.abilities.largest)
        }
        return tuple(
            experiment_of(subject, setting)
            for setting in sorted(settings, key=lambda one: (one.question.noise, one.m, one.alpha))
        )

    def observe(self, trial: Trial) -> Observation:
        """Count how often the error is too large."""
        setting: TwoScores = trial.experiment.setting
        large = [error(trial, setting) > setting.alpha for _ in range(trial.count)]
        return Observation({"large errors": np.array(large, dtype=float)})

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the mistake that makes nearly every error large."""
        errors = observed.values["large errors"]
        odds = math.log((1 - BETA) / BETA)
        bug = "a choice that ignores the scores, or part of the domain"
        return {bug: odds * float(2 * errors.sum() - len(errors))}


def two_scores(subject: Subject, m: int, k: int, noise: NoiseKind) -> TwoScores:
    """Return the scores that make an error above the allowed one most likely."""
    size = min(m, subject.abilities.largest)
    question = question_at(RATE, k, noise)
    alpha = error_quantile(noise, subject.rate(question, size), BETA, k, size)
    return TwoScores(size, question, alpha)


def experiment_of(subject: Subject, setting: TwoScores) -> Experiment:
    """Return the experiment on scores with two values."""
    m, k = setting.m, setting.question.k
    name = f"m={m}, k={k}, error above {setting.alpha:.4g}, {setting.question.noise}"
    trials = affordable_trials(subject.abilities, m, TRIALS)
    return Experiment(name, trials, setting, {"large errors": MeanAtMost(BETA)})


def error(trial: Trial, setting: TwoScores) -> float:
    """Return by how much the worst selected item falls short of the k-th best."""
    best = trial.coins.sample(range(1, setting.m + 1), setting.question.k)
    scores = SparseScoreList(setting.m, dict.fromkeys(best, setting.height))
    items, _ = select_from(trial, scores, setting.question)
    return setting.height - min(map(scores.score, items))


REQUIREMENTS: Final = (Accuracy(),)
