"""One piece of a test: some trials of one experiment on one subject."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from privtopk.conformance.evidence.e_process import Null, Observations
from privtopk.conformance.subjects.calls import Caller
from privtopk.conformance.subjects.subject import Subject


class ViolationError(Exception):
    """The subject certainly breaks a requirement; the text says how."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A setting in which a requirement tries a subject, and the null hypotheses about it."""

    name: str

    trials: int
    """The number of trials of a full run."""

    setting: Any = None
    """The parameters with which the requirement carries it out."""

    streams: Mapping[str, Null] = field(default_factory=dict)
    """The null hypothesis of every stream of observations; none if nothing is random."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The argument of `Requirement.observe`."""

    subject: Subject
    experiment: Experiment
    count: int
    """The number of trials to make now."""

    coins: random.Random
    """The harness's own coins, from the seed of this piece."""

    call: Caller
    """Calls the subject with a time limit; a fault of the subject raises `SubjectError`."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What some trials showed."""

    values: Mapping[str, Observations] = field(default_factory=dict)
    """The observations of each stream, in order."""

    violation: str | None = None
    """How the subject certainly broke the requirement, if it did."""

    declined: str | None = None
    """Why the subject declined the experiment, if it did."""

    measured: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Numbers for the report that decide nothing."""

    answers: int = 0
    """The number of calls that the subject answered, as the harness counted them."""

    seconds: float = 0.0

    @property
    def received(self) -> int:
        """The number of trials that it can show at most; 0 if nothing came from the subject."""
        return max([self.answers, *map(len, self.values.values())])
