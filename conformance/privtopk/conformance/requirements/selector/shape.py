"""A selector returns k different items that it has read, and refuses invalid questions.

A refusal must come before any score is read and must not depend on the scores: an error that one
vote can cause or prevent reveals that vote.
"""

import math
from dataclasses import replace
from typing import Final

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.subjects.calls import DeclinedError, SubjectError, describe_error
from privtopk.conformance.subjects.doors import Meter, open_doors
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind

SHAPES: Final = ((1, 1), (2, 1), (2, 2), (5, 3), (8, 8), (40, 7), (300, 1), (1000, 10))
"""Pairs (m, k): a single item, all items, and cases in between."""


class Shape(Requirement):
    """A selection is k different items of the domain, each of which was read."""

    id = "selector.shape"
    kind = Kind.SELECTOR
    statement = (
        "A selection is k different items of the domain, and the score of each was read; a "
        "question is declined for all scores or for none."
    )
    claims = ("algo:one-shot", "model:access-cost")
    bug = "the answer is malformed, or names an item whose score was never read"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per size and noise."""
        return tuple(
            Experiment(
                f"m={m}, k={k}, {subject.abilities.law_name(noise)}",
                16,
                (m, Question(k, 2.0 * k, noise=noise)),
            )
            for m, k in SHAPES
            for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Select from flat, skewed and random histograms."""
        m, question = trial.experiment.setting
        declined: list[DeclinedError] = []
        for turn in range(trial.count):
            scores = ListedScores(varied_histogram(trial, m, turn), trial.coins.getrandbits(32))
            try:
                require_read(*select_from(trial, scores, question), m)
            except DeclinedError as refusal:
                declined.append(refusal)
        if 0 < len(declined) < trial.count:
            raise ViolationError(
                f"declined {len(declined)} of {trial.count} histograms and answered the others, "
                f"which reveals something about the scores ({declined[0]})"
            )
        if declined:
            raise declined[0]
        return Observation()


def require_read(items: tuple[int, ...], meter: Meter, m: int) -> None:
    """Raise `ViolationError` unless every selected item was read."""
    unread = set(items) - meter.items
    if unread:
        raise ViolationError(f"returned item {min(unread)} of m={m} without reading its score")


def varied_histogram(trial: Trial, m: int, turn: int) -> list[int]:
    """Return scores that are all tied, far apart, or random with many ties."""
    if turn % 3 == 0:
        return [0] * m
    if turn % 3 == 1:
        return [1000 * trial.coins.randrange(m) for _ in range(m)]
    return [trial.coins.randrange(4) for _ in range(m)]


INVALID_QUESTIONS: Final[dict[str, dict[str, object]]] = {
    "k=0": {"k": 0},
    "k=-1": {"k": -1},
    "k=m+1": {"k": 6},
    "k=1.5": {"k": 1.5},
    "epsilon=0": {"epsilon": 0.0},
    "epsilon=-1": {"epsilon": -1.0},
    "epsilon=nan": {"epsilon": math.nan},
    "epsilon=inf": {"epsilon": math.inf},
    "delta=-0.1": {"delta": -0.1},
    "delta=1": {"delta": 1.0},
    "delta=nan": {"delta": math.nan},
}
"""Invalid questions about m = 5 items."""

RANKED_LAPLACE: Final[dict[str, object]] = {"noise": NoiseKind.LAPLACE, "is_ranked": True}
"""The guarantee of Laplace noise covers the set, not its order."""


class Refusals(Requirement):
    """Invalid questions are refused before any score is read, in the same way for all scores."""

    id = "selector.refusals"
    kind = Kind.SELECTOR
    is_exhaustive = True
    statement = (
        "A question with k, epsilon or delta out of range, or for a ranked list with Laplace "
        "noise, is refused before any score is read, with an error that does not depend on the "
        "scores."
    )
    claims = ("erratum:threshold-edge-cases", "erratum:parameter-ranges", "rem:ranked-release")
    bug = (
        "parameters are not checked or checked too late, or an error reveals something about a "
        "score"
    )

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per invalid question."""
        abilities = subject.abilities
        wrong = dict(INVALID_QUESTIONS)
        if abilities.ranked and NoiseKind.LAPLACE in abilities.noises:
            wrong["a ranked list with Laplace noise"] = RANKED_LAPLACE
        return tuple(Experiment(name, 1, changes) for name, changes in wrong.items())

    def observe(self, trial: Trial) -> Observation:
        """Ask about two histograms and compare the errors."""
        noise = trial.subject.abilities.noises[0]
        question = replace(Question(2, 1.0, noise=noise), **trial.experiment.setting)
        errors = {refusal(trial, scores, question) for scores in ([0] * 5, [9, 0, 4, 4, 7])}
        if len(errors) > 1:
            raise ViolationError(f"{trial.experiment.name}: the error depends on the scores")
        return Observation()


def refusal(trial: Trial, scores: list[int], question: Question) -> str:
    """Return the error with which an invalid question is refused."""
    doors, meter = open_doors(ListedScores(scores))
    name = trial.experiment.name
    try:
        trial.call(trial.subject.select, doors, question)
    except SubjectError as fault:
        if not isinstance(fault.cause, Exception):
            raise
        # A sampler receives all scores with the question.
        if meter.accesses and not trial.subject.abilities.is_sampler:
            raise ViolationError(
                f"{name} was refused only after {meter.accesses} accesses"
            ) from fault
        return describe_error(fault.cause)
    raise ViolationError(f"{name} was accepted; it must be refused")


REQUIREMENTS: Final = (Shape(), Refusals())
