"""One piece of a test: some trials of one experiment on one subject."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from privtopk.conformance.evidence.e_process import Null, Observations
from privtopk.conformance.subjects.calls import Caller
from privtopk.conformance.subjects.subject import Subject


class ViolationError(Exception):
    """A requirement that this run of the subject breaks for certain; the text says how."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A setting in which a requirement tries a subject, and what it then expects to see."""

    name: str

    trials: int
    """How many trials a full run makes."""

    setting: Any = None
    """What the requirement needs to know to carry it out."""

    streams: Mapping[str, Null] = field(default_factory=dict)
    """The null hypothesis of every stream of observations; none if nothing is random."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What `Requirement.observe` is given."""

    subject: Subject
    experiment: Experiment
    count: int
    """How many trials to make now."""

    coins: random.Random
    """The harness's own coins, from the seed of this piece."""

    call: Caller
    """Calls the subject within its limits; a fault of the subject becomes `ViolationError`."""

    @property
    def numpy_coins(self) -> np.random.Generator:
        """A numpy generator from the same seed."""
        return np.random.default_rng(self.coins.getrandbits(128))


@dataclass(frozen=True, slots=True)
class Observation:
    """What some trials showed."""

    values: Mapping[str, Observations] = field(default_factory=dict)
    """The observations of each stream, in order."""

    violation: str | None = None
    """What was broken for certain, if anything."""

    declined: str | None = None
    """Why the subject does not offer what the experiment asks for, if it does not."""

    measured: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Numbers for the report that decide nothing."""

    seconds: float = 0.0
