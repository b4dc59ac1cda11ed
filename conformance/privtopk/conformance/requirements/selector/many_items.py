"""Many items at once: where the accounting decides how much noise there is.

For a few items all ways to share a budget come to nearly the same noise. For 64 of them the
approximate bounds allow several times less noise than the pure one, and a bound that does
not hold, or a delta that nobody granted, shows. The leaders stand so far ahead that all of
them win with probability 1/2 under the noise that the subject declares.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.selector.tail import (
    LeaderRace,
    NoisyScoresRequirement,
    experiment_of,
    gains,
    leaders_win,
    race_winner,
)
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import error_quantile

M: Final = 256
K: Final = 64
BUDGETS: Final = ((1.0, 0.0), (1.0, 1e-6), (0.15, 0.01))
"""Epsilon and delta; the last is within the hypotheses of the cited Laplace bound."""

TRIALS: Final = 128


class ManyItems(NoisyScoresRequirement):
    """The noise for many items is that of the budget."""

    id = "selector.many-items"
    statement = (
        "With k = 64, the leaders are selected with the exact probability under the noise that "
        "the subject declares for epsilon and delta."
    )
    claims = (
        "ours:accounting-pure",
        "ours:accounting-laplace",
        "fact:gumbel-approximate",
        "fact:laplace-approximate",
    )
    share = 6
    bug = "the budget of many items is composed by a bound that does not hold"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one race for each noise, relation and budget."""
        return tuple(
            replace(experiment_of(subject, race), name=race_name(race), trials=TRIALS)
            for race in races(subject)
        )

    def observe(self, trial: Trial) -> Observation:
        """Run races with leaders at random items."""
        race: LeaderRace = trial.experiment.setting
        return Observation(
            {"winner": np.array([race_winner(trial, race) for _ in range(trial.count)])}
        )

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the usual slips."""
        return gains(experiment.setting, observed.values["winner"])


def races(subject: Subject) -> Iterator[LeaderRace]:
    """Yield the races; swap and l-infinity are one relation to the accounting."""
    if subject.abilities.largest < M:
        return
    for noise in subject.abilities.noises:
        for relation in (Relation.ADD_REMOVE, Relation.SWAP):
            for epsilon, delta in BUDGETS:
                question = Question(K, epsilon, delta, noise, relation)
                if subject.abilities.offers(question):
                    yield race_of(subject, question)


def race_of(subject: Subject, question: Question) -> LeaderRace:
    """Return the race in which the leaders win about every other time."""
    rate = subject.rate(question, M)
    gap = max(1, round(error_quantile(question.noise, rate, 0.5, K, M)))
    return LeaderRace(M, question, rate, leaders_win(question.noise, rate, K, M, gap), gap)


def race_name(race: LeaderRace) -> str:
    """Return the budget of a race as a name."""
    question = race.question
    noise: NoiseKind = question.noise
    return f"epsilon {question.epsilon}, delta {question.delta}, {question.relation}, {noise}"


REQUIREMENTS: Final = (ManyItems(),)
