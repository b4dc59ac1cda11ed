"""Neighbours can be distinguished no better than the budget allows.

Four tests of the same fact, from the cheapest to the one with the weakest assumptions:

- the accounting allows the noise that the subject declares;
- on all neighbours of a few small histograms that noise satisfies the budget exactly;
- selections have the law of that noise, for every neighbour relation and with a delta;
- an experiment, without any law, distinguishes neighbours no better than epsilon and delta allow.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import MeanAtMost
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.requirements.instruments.outcome_laws import (
    Law,
    Mistake,
    gains,
    law_of,
    usual_mistakes,
)
from privtopk.conformance.requirements.selector.output_law import OutcomeLaw, experiment_of
from privtopk.conformance.subjects.kinds import Kind, Mechanism
from privtopk.conformance.subjects.question import Question, largest_allowed_rate
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.accounting.guarantee import guarantee
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.privacy import hockey_stick
from privtopk.spec.model.values import Histogram
from privtopk.spec.noise.distributions import NoiseKind

BUDGETS: Final = tuple(product((1, 3, 10, 500), (0.3, 2.0), (0.0, 1e-3)))
"""The grid of k, epsilon and delta for the accounting."""

BUDGET_SIZE: Final = 1000
ROUNDING: Final = 1e-9
"""Relative excess over epsilon that is taken for rounding."""

CORPUS: Final[tuple[tuple[Histogram, int], ...]] = (
    ((0, 6), 1),
    ((0, 6, 6), 2),
    ((0, 0, 6), 1),
)
"""Small histograms and k; a vote changes a probability most if items are far apart."""

EXACT_BUDGETS: Final = ((0.8, 0.0), (1.5, 0.05))
FLOAT_ERROR: Final = 1e-12

LAW_SETTINGS: Final[tuple[tuple[Histogram, int, float], ...]] = (
    ((0, 3, 7, 3), 1, 0.6),
    ((1, 6, 6, 0, 3), 3, 1.3),
)
"""Scores, k and epsilon; the rates are well below 1, so rate and scale clearly differ."""

LAW_TRIALS: Final = 320
SPENT_DELTA: Final = 0.05

AUDIT_EPSILON: Final = 1.0
AUDITS: Final = (
    (Relation.ADD_REMOVE, 1, 0.0),
    (Relation.ADD_REMOVE, 2, 0.0),
    (Relation.SWAP, 1, 0.0),
    (Relation.SWAP, 2, SPENT_DELTA),
    (Relation.L_INFINITY, 1, 0.0),
)
"""Relation, k and delta of the audits."""

AUDIT_TRIALS: Final = 576
FLAT_SCORE: Final = 2


def noises_and_relations(subject: Subject) -> Iterator[tuple[NoiseKind, Relation]]:
    """Yield every noise of a subject with every neighbour relation that it supports."""
    return product(subject.abilities.noises, subject.abilities.relations)


class Declaration(Requirement):
    """A requirement on the noise that the subject declares."""

    kind = Kind.SELECTOR
    is_exhaustive = True

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise and neighbour relation."""
        return tuple(
            Experiment(f"{relation}, {subject.abilities.law_name(noise)}", 1, (noise, relation))
            for noise, relation in noises_and_relations(subject)
        )


def law_name(trial: Trial) -> str:
    """Return the name of the law that the subject declares in an experiment."""
    noise, _ = trial.experiment.setting
    return trial.subject.abilities.law_name(noise)


class PrivacyBudget(Declaration):
    """The accounting allows the noise that the subject declares."""

    id = "selector.privacy-budget"
    statement = (
        "The noise that the subject declares satisfies epsilon and delta of the question, by the "
        "accounting of the specification."
    )
    claims = (
        "ours:accounting-pure",
        "ours:accounting-laplace",
        "ours:noisy-values",
        "erratum:neighbour-relation",
    )
    bug = "the budget is counted once instead of once per item, or for another neighbour relation"

    def observe(self, trial: Trial) -> Observation:
        """Account for the declared rate on a grid of budgets."""
        noise, relation = trial.experiment.setting
        for k, epsilon, delta in BUDGETS:
            question = Question(k, epsilon, delta, noise, relation)
            if not trial.subject.abilities.offers(question):
                continue
            rate = trial.call(trial.subject.rate, question, BUDGET_SIZE)
            spent = spent_by(trial.subject.abilities.accounting_question(question), rate)
            if spent > epsilon * (1 + ROUNDING):
                raise ViolationError(
                    f"declares noise of scale {1 / rate:.4g} for k={k}, epsilon={epsilon:g}, "
                    f"delta={delta:g}, {relation}, {law_name(trial)}: that spends {spent:.4g}"
                )
        return Observation()


def spent_by(question: Question, rate: float) -> float:
    """Return the smallest epsilon that noise of a given rate is known to guarantee."""
    known = guarantee(
        question.noise,
        rate,
        question.k,
        BUDGET_SIZE,
        question.relation,
        question.delta,
    )
    return float(known.epsilon)


class PrivacyExact(Declaration):
    """On small histograms the declared noise satisfies the definition of privacy."""

    id = "selector.privacy-exact"
    statement = (
        "With the noise that the subject declares, the exact laws of the outputs on all "
        "neighbours of a small histogram satisfy the definition of privacy for epsilon and delta."
    )
    claims = ("def:differential-privacy", "ours:hockey-stick", "ours:relations")
    bug = "the noise is too small for the neighbour relation that was asked for"

    def observe(self, trial: Trial) -> Observation:
        """Compare the exact laws of all neighbours of each small histogram."""
        noise, relation = trial.experiment.setting
        for (histogram, k), (epsilon, delta) in product(CORPUS, EXACT_BUDGETS):
            question = Question(k, epsilon, delta, noise, relation)
            if not trial.subject.abilities.offers(question):
                continue
            rate = trial.call(trial.subject.rate, question, len(histogram))
            mechanism = trial.subject.abilities.mechanism
            for other in neighbours(histogram, relation):
                excess = needed_delta(histogram, other, question, rate, mechanism)
                if excess > delta + FLOAT_ERROR:
                    raise ViolationError(
                        f"{histogram} and {other} are {relation} neighbours: with the declared "
                        f"scale {1 / rate:.4g} epsilon={epsilon:g} needs delta={excess:.3g}, "
                        f"not {delta:g} (k={k}, {law_name(trial)})"
                    )
        return Observation()


def neighbours(histogram: Histogram, relation: Relation) -> Iterator[Histogram]:
    """Yield the neighbours of a histogram; for add/remove, those with one client more."""
    steps = (0, 1) if relation is Relation.ADD_REMOVE else (-1, 0, 1)
    for change in product(steps, repeat=len(histogram)):
        other = tuple(score + step for score, step in zip(histogram, change, strict=True))
        if min(other) >= 0:
            yield other


def needed_delta(
    first: Histogram,
    second: Histogram,
    question: Question,
    rate: float,
    mechanism: Mechanism = Mechanism.NOISY_TOP_K,
) -> float:
    """Return the delta that two histograms need at the question's epsilon, in both directions."""
    p, q = (
        {outcome: Fraction(probability) for outcome, probability in law.items()}
        for law in (
            law_of(histogram, question.k, rate, question.noise, False, mechanism)
            for histogram in (first, second)
        )
    )
    ratio = Fraction(math.exp(question.epsilon))
    return float(max(hockey_stick(p, q, ratio), hockey_stick(q, p, ratio)))


class PrivacyLaw(OutcomeLaw):
    """The set has the right law for every neighbour relation and with a delta."""

    id = "selector.privacy-law"
    statement = (
        "For every neighbour relation, with and without delta, the selected set has exactly the "
        "law that the subject declares for the budget."
    )
    claims = ("ours:accounting-pure", "ours:accounting-laplace", "erratum:neighbour-relation")
    share = 8
    bug = "the noise ignores the neighbour relation or delta"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return small histograms with every budget but the plain one, which `SetLaw` tests."""
        settings = (
            (histogram, Question(k, epsilon, delta, noise, relation))
            for noise, relation in noises_and_relations(subject)
            for delta in (0.0, SPENT_DELTA)
            for histogram, k, epsilon in LAW_SETTINGS
            if is_tested_budget(noise, relation, delta)
        )
        return tuple(
            law_experiment(subject, histogram, question)
            for histogram, question in settings
            if subject.abilities.offers(question)
        )

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the parts of the question that may be ignored, and the usual mistakes."""
        law: Law = experiment.setting
        return gains(law, observed.values["outcomes"], (*oversights(law), *usual_mistakes(law)))


def is_tested_budget(noise: NoiseKind, relation: Relation, delta: float) -> bool:
    """Return whether a budget adds to the plain one, which `SetLaw` tests.

    Laplace noise does not depend on delta, so one delta per relation is enough.
    """
    if noise is NoiseKind.LAPLACE:
        return (relation is Relation.ADD_REMOVE) == (delta > 0)
    return relation is not Relation.ADD_REMOVE or delta > 0


def law_experiment(subject: Subject, histogram: Histogram, question: Question) -> Experiment:
    """Return the experiment on one histogram, with the budget in its name."""
    plain = experiment_of(subject, histogram, question)
    name = f"{plain.name}, {question.relation}, delta {question.delta:g}"
    return replace(plain, name=name, trials=LAW_TRIALS)


def oversights(law: Law) -> Iterator[Mistake]:
    """Yield the parts of a question that may be ignored, with the rates that this leads to."""
    question, m = law.question, len(law.histogram)
    other = Relation.SWAP if question.relation is Relation.ADD_REMOVE else Relation.ADD_REMOVE
    ignored = {
        f"noise for {other} neighbours": replace(question, relation=other),
        "a delta that is not spent": replace(question, delta=0.0),
        "a delta and a relation that are ignored": replace(question, delta=0.0, relation=other),
    }
    for text, misread in ignored.items():
        yield text, largest_allowed_rate(misread, m), question.noise


@dataclass(frozen=True, slots=True)
class AuditSetting:
    """Three equal items; in the neighbour one has a vote more, or each other also a vote less."""

    question: Question

    def histogram(self, special: int, is_moved: bool) -> Histogram:
        """Return the flat histogram, or its neighbour in which the special item is ahead."""
        rest = FLAT_SCORE - (self.question.relation is not Relation.ADD_REMOVE)
        flat, ahead = (FLAT_SCORE, FLAT_SCORE), (FLAT_SCORE + 1, rest)
        own, other = ahead if is_moved else flat
        return tuple(own if item == special else other for item in (1, 2, 3))


class PrivacyAudit(Requirement):
    """An experiment cannot distinguish neighbours.

    A fair coin chooses the flat histogram or its neighbour. Let S be the event that the item
    which is ahead in the neighbour is *not* selected. Let X be 1 if S happens on the flat one,
    -e^epsilon if S happens on the neighbour, and 0 otherwise. The mean of X is (P(S) - e^epsilon
    P'(S))/2, which by the definition of privacy is at most delta/2, whatever the law. So Y = (X +
    e^epsilon)/(1 + e^epsilon) lies in [0, 1], with mean at most (delta/2 + e^epsilon)/(1 +
    e^epsilon).
    """

    id = "selector.privacy-audit"
    kind = Kind.SELECTOR
    statement = (
        "One vote more for an item makes it at most e^epsilon times less likely to be left out, "
        "up to delta."
    )
    claims = ("def:differential-privacy", "ours:relations")
    share = 8
    bug = "there is no noise, or at most a quarter of what is needed"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise and budget."""
        questions = (
            Question(k, AUDIT_EPSILON, delta, noise, relation)
            for noise in subject.abilities.noises
            for relation, k, delta in AUDITS
        )
        return tuple(
            audit_experiment(AuditSetting(question))
            for question in questions
            if subject.abilities.offers(question)
        )

    def observe(self, trial: Trial) -> Observation:
        """Choose histogram and item at random, and observe whether the item is left out."""
        audit: AuditSetting = trial.experiment.setting
        ratio = math.exp(audit.question.epsilon)
        seen = np.empty(trial.count)
        for turn in range(trial.count):
            is_moved, special = trial.coins.random() < 0.5, trial.coins.randrange(1, 4)
            histogram = audit.histogram(special, is_moved)
            scores = ListedScores(histogram, trial.coins.getrandbits(32))
            items, _ = select_from(trial, scores, audit.question)
            x = 0.0 if special in items else -ratio if is_moved else 1.0
            seen[turn] = (x + ratio) / (1 + ratio)
        return Observation({"advantage": seen})


def audit_experiment(audit: AuditSetting) -> Experiment:
    """Return the experiment on one question."""
    question = audit.question
    ratio = math.exp(question.epsilon)
    null = MeanAtMost((question.delta / 2 + ratio) / (1 + ratio))
    name = f"{question.relation}, k={question.k}, delta {question.delta:g}, {question.noise}"
    return Experiment(name, AUDIT_TRIALS, audit, {"advantage": null})


REQUIREMENTS: Final = (PrivacyBudget(), PrivacyExact(), PrivacyLaw(), PrivacyAudit())
