"""What a worker does: load the subject, make some trials, report what they showed.

A task names everything by text and number, so that any process can perform it: the address
of the subject, the requirement, the experiment, the piece and the seed of the run. What it
returns depends on these and on the subject alone, not on who performs it or when.
"""

import hashlib
import random
import time
from dataclasses import dataclass, replace
from functools import lru_cache

from privtopk.conformance.calls import AdapterError, Caller, DeclinedError, SubjectError, described
from privtopk.conformance.games.catalogue import is_match, match_at
from privtopk.conformance.requirement import Requirement
from privtopk.conformance.requirements import requirement_of, requirements_for
from privtopk.conformance.subject import Subject, subject_at
from privtopk.conformance.subjects import Abilities, Kind
from privtopk.conformance.trial import Experiment, Observation, Trial, ViolationError


@dataclass(frozen=True, slots=True)
class Task:
    """Some trials of one experiment."""

    address: str
    kind: Kind
    requirement: str
    experiment: int
    piece: int
    count: int
    seed: int
    seconds: float
    """How long one call of the subject may take."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a requirement would do with a subject, or why it does nothing."""

    requirement: str
    experiments: tuple[Experiment, ...] = ()
    skipped: str | None = None
    violation: str | None = None
    """What went wrong when the subject was asked what it promises."""


def prospects(
    address: str, kind: Kind | None, prefixes: tuple[str, ...], seconds: float
) -> tuple[Abilities, tuple[Prospect, ...]]:
    """Load a subject and return what it says of itself and what there is to test."""
    abilities = subject_at(address, kind).abilities
    wanted = requirements_for(abilities.kind, prefixes)
    return abilities, tuple(prospect(address, abilities, one.id, seconds) for one in wanted)


def match_prospects(
    address: str, kind: Kind | None, matches: tuple[str, ...], seconds: float
) -> tuple[Abilities, tuple[Prospect, ...]]:
    """Load a subject and return what it says of itself and which games there are to play."""
    abilities = subject_at(address, kind).abilities
    if abilities.kind is not Kind.SELECTOR:
        raise AdapterError(f"games are played by selectors, {address} is a {abilities.kind}")
    return abilities, tuple(prospect(address, abilities, name, seconds) for name in matches)


def requirement_named(name: str) -> Requirement:
    """Return the requirement, or the game, that a task names."""
    return match_at(name) if is_match(name) else requirement_of(name)


def prospect(address: str, abilities: Abilities, name: str, seconds: float) -> Prospect:
    """Return what one requirement would do."""
    reason = requirement_named(name).reason_to_skip(abilities)
    if reason is not None:
        return Prospect(name, skipped=reason)
    try:
        _, experiments = Caller(seconds)(_experiments, address, abilities.kind, name)
        return Prospect(name, experiments)
    except DeclinedError as refusal:
        return Prospect(name, skipped=f"the subject declines: {refusal}")
    except SubjectError as fault:
        return Prospect(name, violation=f"what the subject says of itself {fault}")


@lru_cache(maxsize=256)
def _experiments(address: str, kind: Kind, name: str) -> tuple[Subject, tuple[Experiment, ...]]:
    subject = subject_at(address, kind)
    return subject, requirement_named(name).experiments(subject)


def seed_of(task: Task) -> int:
    """Return the seed of a piece: another one for every piece of every experiment."""
    words = (task.seed, task.requirement, task.experiment, task.piece)
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:16])


def perform(task: Task) -> Observation:
    """Make the trials; a breach of the requirement is part of what is returned."""
    subject, experiments = _experiments(task.address, task.kind, task.requirement)
    experiment = experiments[task.experiment]
    coins = random.Random(seed_of(task))
    trial = Trial(subject, experiment, task.count, coins, Caller(task.seconds))
    started = time.perf_counter()
    try:
        seen = requirement_named(task.requirement).observe(trial)
    except ViolationError as violation:
        seen = Observation(violation=str(violation))
    except DeclinedError as refusal:
        seen = Observation(declined=str(refusal))
    except SubjectError as fault:
        seen = Observation(violation=f"the subject {fault}")
    except MemoryError as error:
        seen = Observation(violation=f"the subject left no memory: {described(error)}")
    return replace(seen, seconds=time.perf_counter() - started)
