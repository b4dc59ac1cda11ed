"""The law of what a selector returns is the exact law of the mechanism that it declares.

Small domains have few outcomes, so the whole law is compared. Scores, rates and sizes are
chosen so that a wrong scale, another noise, a favoured item and a wrong treatment of ties are all
found. The rate is never 1, which would hide a confusion of rate and scale.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import selections
from privtopk.conformance.requirements.instruments.outcome_laws import (
    Law,
    gains,
    law_of,
    usual_mistakes,
)
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.values import Histogram

SETTINGS: Final[tuple[tuple[Histogram, int, float], ...]] = (
    ((0, 2), 1, 0.7),
    ((3, 0, 0, 1), 1, 0.4),
    ((1, 4, 4, 0, 2), 2, 0.6),
    ((5, 5, 0, 0, 3), 3, 0.35),
    ((0, 1, 2, 3, 4, 5), 2, 0.5),
    ((7, 0, 0, 0, 0, 0, 2), 2, 0.45),
    ((0, 0, 0, 6), 3, 0.55),
    ((2**53 - 2, 2**53 - 1, 2**53 - 2), 1, 1.6),
)
"""Scores, k and rate: two items, leaders first and last, ties at the k-th place, k = m - 1, and
scores so large that a sum with noise in doubles loses the noise.
"""

TRIALS: Final = 1000


class OutcomeLaw(Requirement):
    """A requirement that compares the outcomes of many selections with their exact law."""

    kind = Kind.SELECTOR

    def observe(self, trial: Trial) -> Observation:
        """Select often, and return the outcomes by their number."""
        law: Law = trial.experiment.setting
        numbers = {outcome: number for number, outcome in enumerate(law.outcomes)}
        seen = np.empty(trial.count)
        for turn, items in enumerate(self.selections(trial, law)):
            outcome = items if law.question.is_ranked else tuple(sorted(items))
            if outcome not in numbers:
                raise ViolationError(f"returned {outcome}, which is impossible")
            seen[turn] = numbers[outcome]
        return Observation({"outcomes": seen})

    def selections(self, trial: Trial, law: Law) -> Iterator[tuple[int, ...]]:
        """Yield one selection per trial."""
        return selections(trial, law.histogram, law.question)

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the usual mistakes."""
        law: Law = experiment.setting
        return gains(law, observed.values["outcomes"], usual_mistakes(law))


class SetLaw(OutcomeLaw):
    """The set has the law of the declared mechanism."""

    id = "selector.set-law"
    statement = (
        "The selected set has exactly the law of the declared mechanism: the k largest sums "
        "of score and i.i.d. noise, or k choices by permute-and-flip."
    )
    claims = ("algo:one-shot", "ours:batched-exact")
    share = 12
    bug = "the noise has the wrong scale or shape, is not independent, or some items are favoured"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per small histogram and noise."""
        return tuple(
            experiment_of(subject, histogram, question_at(rate, k, noise))
            for noise in subject.abilities.noises
            for histogram, k, rate in SETTINGS
        )


class RankedLaw(OutcomeLaw):
    """The ranked list has the law of the declared mechanism."""

    id = "selector.ranked-law"
    statement = (
        "The ranked list has exactly the law of the declared mechanism: the k largest noisy "
        "scores, best first, or k choices by permute-and-flip, in order."
    )
    claims = ("rem:ranked-release", "algo:one-shot")
    share = 6
    bug = "the order of the list is not that of the noisy scores, or their law is wrong"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that returns sets only."""
        if not abilities.ranked:
            return "the subject returns no ranked lists"
        return super().reason_to_skip(abilities)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per small histogram, with Gumbel noise."""
        return tuple(
            experiment_of(subject, histogram, question_at(rate, k, is_ranked=True))
            for histogram, k, rate in SETTINGS
        )


def experiment_of(subject: Subject, histogram: Histogram, question: Question) -> Experiment:
    """Return the experiment that compares all outcomes with their exact probabilities."""
    rate = subject.rate(question, len(histogram))
    mechanism = subject.abilities.mechanism
    law = law_of(histogram, question.k, rate, question.noise, question.is_ranked, mechanism)
    outcomes = tuple(law)
    labels = tuple(" ".join(map(str, outcome)) for outcome in outcomes)
    claimed = subject.abilities.law_name(question.noise)
    name = f"h={histogram}, k={question.k}, rate {rate:.3g}, {claimed}"
    null = Categories(tuple(law.values()), labels)
    setting = Law(histogram, question, rate, outcomes, mechanism)
    return Experiment(name, TRIALS, setting, {"outcomes": null})


REQUIREMENTS: Final = (SetLaw(), RankedLaw())
