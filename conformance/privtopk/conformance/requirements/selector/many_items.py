"""Many items at once: here the accounting decides the scale of the noise.

For a few items all ways to share a budget lead to nearly the same noise. For 64 items the
approximate bounds allow several times less noise than the pure bound. So a bound that does not
hold, or a delta that was not granted, is found. The gap is chosen so that all leaders win with
probability 1/2 under the noise that the subject declares.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from privtopk.conformance.evidence.trial import Experiment
from privtopk.conformance.requirements.instruments.races import (
    LeaderRace,
    RaceRequirement,
    leaders_win,
    race_experiment,
)
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.upper_bounds.utility import error_quantile

M: Final = 256
K: Final = 64
BUDGETS: Final = ((1.0, 0.0), (1.0, 1e-6), (0.15, 0.01))
"""Pairs of epsilon and delta; the last halves the Laplace noise, by Theorem N."""

TRIALS: Final = 128


class ManyItems(RaceRequirement):
    """The noise for many items is the one that the subject declares for the budget."""

    id = "selector.many-items"
    statement = (
        "With k = 64, the leaders are selected with the exact probability under the noise that "
        "the subject declares for epsilon and delta."
    )
    claims = (
        "ours:accounting-pure",
        "ours:accounting-laplace",
        "fact:gumbel-approximate",
        "ours:noisy-values",
    )
    share = 6
    bug = "the budget of many items is composed by a bound that does not hold"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one race per noise, relation and budget."""
        return tuple(
            replace(race_experiment(subject, race), name=race_name(race), trials=TRIALS)
            for race in races(subject)
        )


def races(subject: Subject) -> Iterator[LeaderRace]:
    """Yield the races; the accounting treats l-infinity like swap."""
    if subject.abilities.largest < M:
        return
    for noise in subject.abilities.noises:
        for relation in (Relation.ADD_REMOVE, Relation.SWAP):
            for epsilon, delta in BUDGETS:
                question = Question(K, epsilon, delta, noise, relation)
                if subject.abilities.offers(question):
                    yield race_of(subject, question)


def race_of(subject: Subject, question: Question) -> LeaderRace:
    """Return the race in which the leaders win with probability about 1/2."""
    rate = subject.rate(question, M)
    gap = max(1, round(error_quantile(question.noise, rate, 0.5, K, M)))
    return LeaderRace(M, question, rate, leaders_win(question.noise, rate, K, M, gap), gap)


def race_name(race: LeaderRace) -> str:
    """Return the name of a race: its budget."""
    asked = race.question
    return f"epsilon {asked.epsilon}, delta {asked.delta}, {asked.relation}, {asked.noise}"


REQUIREMENTS: Final = (ManyItems(),)
