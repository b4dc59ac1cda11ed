"""Checks that a subject can be loaded and called, before its answers are judged.

If a subject cannot be loaded, or raises on the simplest question, the adapter is probably wrong
and not the implementation. The verdicts of a run are meaningful only after this check passes.
"""

import contextlib
import shlex
import time
from concurrent.futures import Executor
from typing import Final

from privtopk.conformance.evidence.trial import ViolationError
from privtopk.conformance.requirements.instruments.answers import checked_items
from privtopk.conformance.requirements.source.opening import open_source
from privtopk.conformance.running.addresses import origin_of, subject_at
from privtopk.conformance.running.runner import RunPlan
from privtopk.conformance.running.workers import GuardedExecutor, WorkerError
from privtopk.conformance.subjects.calls import (
    AdapterError,
    AnswerError,
    Caller,
    DeclinedError,
    SubjectError,
    describe_error,
)
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.loading import AddressError, command_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.conformance.wire.faults import ProtocolError
from privtopk.conformance.wire.remote import session_of

SPEED_SECONDS: Final = 0.5
"""Calls are repeated for this long to measure how fast a child answers."""


def smoke(address: str, plan: RunPlan, kind: Kind | None = None) -> tuple[list[str], bool]:
    """Return what happened, line by line, and whether the subject can be tested."""
    with GuardedExecutor(1, plan.piece_seconds, plan.mebibytes) as workers:
        try:
            abilities = _abilities(workers, address, kind, plan)
        except (AddressError, AdapterError, WorkerError) as error:
            again = reproduction_lines(address, kind, plan, error)
            return [f"adapter fault: {error}", *again], False
        found = f"loaded {address}" + (
            " in the process of the harness" if is_inside(address, plan) else ""
        )
        lines = [found, *ability_lines(abilities)]
        call = workers.submit(first_call, address, abilities.kind, plan)
        again = reproduction_lines(address, abilities.kind, plan, call.exception())
        try:
            line, is_usable = call.result()
        except (AdapterError, WorkerError) as error:
            line, is_usable = f"adapter fault: in the simplest call {error}", False
        lines.append(line)
        if is_usable and not is_inside(address, plan):
            speed = workers.submit(round_trips, address, abilities.kind, SPEED_SECONDS).result()
            lines.append(f"speed     {speed:,.0f} round trips per second")
    return [*lines, *again], is_usable


def is_inside(address: str, plan: RunPlan) -> bool:
    """Return whether a subject is called in the process of the harness."""
    return plan.is_in_process and command_of(address) is None


def _abilities(workers: Executor, address: str, kind: Kind | None, plan: RunPlan) -> Abilities:
    try:
        return workers.submit(abilities_at, address, kind, plan).result()
    except (AddressError, AdapterError, WorkerError):
        raise
    except Exception as error:
        raise AddressError(f"{address}: {describe_error(error)}") from error


def abilities_at(address: str, kind: Kind | None, plan: RunPlan) -> Abilities:
    """Load a subject and return what it declares; a child has a time limit to start."""
    if command_of(address) is None:
        return subject_at(address, kind, is_in_process=plan.is_in_process).abilities
    return Caller(plan.call_seconds)(subject_at, address, kind).abilities


def ability_lines(abilities: Abilities) -> list[str]:
    """Return what a subject declares, line by line."""
    return [
        f"kind      {abilities.kind}",
        f"mechanism {abilities.mechanism}",
        f"noises    {', '.join(abilities.noises)}",
        f"profiles  {', '.join(abilities.profiles)}",
        f"ranked    {'yes' if abilities.ranked else 'no'}",
        f"cost      {abilities.cost}",
        f"largest   m = {abilities.largest:,}",
        *([f"extras    {', '.join(abilities.extras)}"] if abilities.extras else []),
    ]


def first_call(address: str, kind: Kind, plan: RunPlan) -> tuple[str, bool]:
    """Ask the simplest question of a kind; return a line of text, and whether the call worked."""
    subject = subject_at(address, kind, is_in_process=plan.is_in_process)
    try:
        answer = SIMPLEST[kind](subject, Caller(plan.call_seconds))
    except DeclinedError as refusal:
        return f"adapter fault: the simplest call is declined: {refusal}", False
    except SubjectError as fault:
        return f"adapter fault: the simplest call {fault}", False
    except (ViolationError, AnswerError) as violation:
        return f"implementation fault: it answers, but {violation}", True
    return f"answers   {answer}", True


def round_trips(address: str, kind: Kind, seconds: float) -> float:
    """Return how many messages per second a child answers."""
    subject = subject_at(address, kind)
    session = session_of(origin_of(address, kind))
    before, started = session.round_trips, time.perf_counter()
    while time.perf_counter() - started < seconds:
        with contextlib.suppress(ViolationError, AnswerError):
            (SIMPLEST | TALKATIVE)[kind](subject, Caller(RunPlan().call_seconds))
    return (session.round_trips - before) / (time.perf_counter() - started)


def select_one(subject: Subject, call: Caller) -> str:
    """Select 1 of 3 items."""
    doors, _ = open_doors(ListedScores((2, 0, 1)))
    question = Question(1, 2.0, noise=subject.abilities.noises[0])
    return str(checked_items(call(subject.select, doors, question), 1, 3))


def select_some(subject: Subject, call: Caller) -> str:
    """Select 10 of 500 tied items, or fewer if the largest domain is smaller."""
    m = min(500, subject.abilities.largest)
    k = min(10, m)
    doors, _ = open_doors(ListedScores([0] * m))
    question = Question(k, 1.0 * k, noise=subject.abilities.noises[0])
    return str(checked_items(call(subject.select, doors, question), k, m))


def read_noise(subject: Subject, call: Caller) -> str:
    """Read one entry of a noise list through each door."""
    noises = call(subject.thing, 3, 0.5, subject.abilities.noises[0])
    item, value = call(noises.sorted_access)
    return f"item {item} at {value:.3f}, item 1 at {call(noises.random_access, 1):.3f}"


def read_position(subject: Subject, call: Caller) -> str:
    """Read one order statistic."""
    noises = call(subject.thing, 3, 0.5, subject.abilities.noises[0])
    return f"{call(noises.value, 2):.3f}"


def draw_noise(subject: Subject, call: Caller) -> str:
    """Draw two values."""
    values = list(call(subject.thing, 0.5, subject.abilities.noises[0], 2))
    return ", ".join(f"{value:.3f}" for value in values)


def search(subject: Subject, call: Caller) -> str:
    """Insert two keys and look between them."""
    index = call(subject.thing, 100)
    call(index.insert, 3)
    call(index.insert, 90)
    return f"between {call(index.predecessor, 50)} and {call(index.successor, 50)}"


def read_source(subject: Subject, call: Caller) -> str:
    """Read a page and a score."""
    with open_source(call, subject.thing, (2, 0, 1)) as source:
        (score,) = call(source.scores, [2])
        return f"{list(call(source.top, 1, 2))}, item 2 scores {score}"


SIMPLEST = {
    Kind.SELECTOR: select_one,
    Kind.NOISE_ORACLE: read_noise,
    Kind.ORDER_STATISTICS: read_position,
    Kind.NOISE_SAMPLER: draw_noise,
    Kind.PREDECESSOR_INDEX: search,
    Kind.SOURCE: read_source,
}
"""The simplest call of each kind."""

TALKATIVE = {Kind.SELECTOR: select_some}
"""Calls with more messages, for kinds whose simplest call has few."""


def reproduction_lines(
    address: str, kind: Kind | None, plan: RunPlan, error: BaseException | None
) -> list[str]:
    """Return commands that repeat the check, with the harness and without it."""
    words = ["privtopk-conformance", "smoke", address, *(["--kind", kind] if kind else [])]
    words += ["--in-process"] if is_inside(address, plan) else []
    again = [f"again     {shlex.join(words)}"]
    if isinstance(error, ProtocolError) and error.reproduction:
        again.append(f"by hand   {error.reproduction}")
    return again
