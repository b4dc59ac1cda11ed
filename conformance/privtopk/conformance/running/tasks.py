"""What a worker does: load the subject, make some trials, and return what they showed.

A task can be sent to any process. It holds the address of the subject, the requirement, the
experiment, the piece and the seed of the run. Its result depends on these and on the subject
only, not on which process performs it or when.
"""

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TypeAlias

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.registry import requirement_of, requirements_for
from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.subjects.calls import (
    AnswerError,
    Caller,
    ChildFault,
    DeclinedError,
    SubjectError,
    describe_error,
)
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.subject import Subject

Finder: TypeAlias = Callable[[str], Requirement]
"""Returns the requirement with an id. It is a function of a module, so any process can use it."""


@dataclass(frozen=True, slots=True)
class TrialTask:
    """Some trials of one experiment."""

    address: str
    kind: Kind
    find: "Finder"
    requirement: str
    experiment: int
    piece: int
    count: int
    seed: int
    seconds: float
    """The time limit of one call of the subject."""

    is_in_process: bool = False
    """Whether a Python subject is called in the process of the worker."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The experiments that a requirement makes on a subject, or why it makes none."""

    requirement: str
    experiments: tuple[Experiment, ...] = ()
    skipped: str | None = None
    violation: str | None = None
    """What went wrong when the subject was asked what it declares."""


def prospects(
    address: str,
    kind: Kind | None,
    prefixes: tuple[str, ...],
    seconds: float,
    *,
    is_in_process: bool = False,
) -> tuple[Abilities, tuple[Prospect, ...]]:
    """Load a subject, and return what it declares and what there is to test."""
    abilities = subject_at(address, kind, is_in_process=is_in_process).abilities
    find = partial(
        prospect, address, abilities, requirement_of, seconds=seconds, is_in_process=is_in_process
    )
    return abilities, tuple(find(one.id) for one in requirements_for(abilities.kind, prefixes))


def prospect(
    address: str,
    abilities: Abilities,
    find: Finder,
    name: str,
    *,
    seconds: float,
    is_in_process: bool = False,
) -> Prospect:
    """Return the experiments of one requirement on the subject at an address."""
    load = partial(
        Caller(seconds), _experiments, address, abilities.kind, find, name, is_in_process
    )
    return prospect_of(find(name), abilities, lambda: load()[1])


def prospect_of(
    requirement: Requirement,
    abilities: Abilities,
    experiments: Callable[[], tuple[Experiment, ...]],
) -> Prospect:
    """Return the experiments that a call to the subject yields, or why there are none."""
    name, reason = requirement.id, requirement.reason_to_skip(abilities)
    if reason is not None:
        return Prospect(name, skipped=reason)
    try:
        return Prospect(name, experiments())
    except DeclinedError as refusal:
        return Prospect(name, skipped=f"the subject declines: {refusal}")
    except (SubjectError, AnswerError) as fault:
        return Prospect(name, violation=f"the subject's declaration {fault}")


@lru_cache(maxsize=256)
def _experiments(
    address: str, kind: Kind, find: Finder, name: str, is_in_process: bool
) -> tuple[Subject, tuple[Experiment, ...]]:
    subject = subject_at(address, kind, is_in_process=is_in_process)
    return subject, find(name).experiments(subject)


def seed_of_piece(seed: int, requirement: str, experiment: int, piece: int) -> int:
    """Return the seed of a piece, which differs for every piece of every experiment."""
    words = (seed, requirement, experiment, piece)
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:16])


def perform(task: TrialTask) -> Observation:
    """Make the trials of a task, and return what they showed and how long they took."""
    started = time.perf_counter()
    try:
        observation = observe(task.find(task.requirement), trial_of(task))
    except ChildFault as fault:
        observation = Observation(violation=f"the subject's declaration {fault}")
    return replace(observation, seconds=time.perf_counter() - started)


def trial_of(task: TrialTask) -> Trial:
    """Return the trials of a task, with the coins of its piece."""
    subject, experiments = _experiments(
        task.address, task.kind, task.find, task.requirement, task.is_in_process
    )
    seed = seed_of_piece(task.seed, task.requirement, task.experiment, task.piece)
    experiment, coins = experiments[task.experiment], random.Random(seed)
    return Trial(subject, experiment, task.count, coins, Caller(task.seconds))


def observe(requirement: Requirement, trial: Trial) -> Observation:
    """Make trials; a breach, or what the subject declines, is part of the observation."""
    return replace(_observation(requirement, trial), answers=trial.call.answers)


def _observation(requirement: Requirement, trial: Trial) -> Observation:
    try:
        return requirement.observe(trial)
    except (ViolationError, AnswerError) as violation:
        return Observation(violation=str(violation))
    except DeclinedError as refusal:
        return Observation(declined=str(refusal))
    except SubjectError as fault:
        return Observation(violation=f"the subject {fault}")
    except MemoryError as error:
        return Observation(violation=f"the subject left no memory: {describe_error(error)}")
