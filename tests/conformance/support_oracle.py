"""Runs one requirement of the oracle on one object, in this process and without addresses."""

import random

from privtopk.conformance.evidence.decision import Case
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Observation, Trial, ViolationError
from privtopk.conformance.running.runner import RunPlan, case_for, pieces_of
from privtopk.conformance.running.tasks import Prospect, TrialTask, seed_of
from privtopk.conformance.subjects.calls import Caller, DeclinedError, SubjectError
from privtopk.conformance.subjects.kinds import Kind, abilities_of
from privtopk.conformance.subjects.subject import Subject


def judged(
    thing: object,
    requirement: Requirement,
    *,
    kind: Kind | None = None,
    budget: float = 1.0,
    seed: int = 0,
    alarm: float = 1e-6,
    seconds: float = 10.0,
) -> Case:
    """Return what a requirement decides about an object, as a run would.

    The object is whatever an address would lead to; its kind is the requirement's unless one
    is given. The budget multiplies the number of trials, the alarm is the whole run's
    false-alarm probability (the requirement gets its share), and one call of the object may
    take so many seconds. Pieces, their order and their seeds are those of a real run; it stops
    at the first failure. Look at `verdict`, `message`, `trials`, `log_e` and `values`.
    """
    subject = Subject(thing, abilities_of(thing, kind or requirement.kind))
    plan = RunPlan(seed=seed, budget=budget, alarm=alarm, call_seconds=seconds)
    reason = requirement.reason_to_skip(subject.abilities)
    if reason is not None:
        return case_for(Prospect(requirement.id, skipped=reason), plan)
    try:
        experiments = Caller(seconds)(requirement.experiments, subject)
    except SubjectError as fault:
        text = f"what the subject says of itself {fault}"
        return case_for(Prospect(requirement.id, violation=text), plan)
    case = case_for(Prospect(requirement.id, experiments), plan)
    for index, piece, count in order_of_pieces(case):
        coins = random.Random(seed_of(task_of(requirement, index, piece, count, plan)))
        experiment = experiments[index]
        trial = Trial(subject, experiment, count, coins, Caller(seconds))
        case.take(index, count, observed(requirement, trial))
        if case.verdict is not None:
            return case
    case.finish()
    return case


def order_of_pieces(case: Case) -> list[tuple[int, int, int]]:
    """Return (experiment, piece, trials): the first of every experiment before any second."""
    sizes = [pieces_of(experiment.trials) for experiment in case.experiments]
    return [
        (index, piece, sizes[index][piece])
        for piece in range(max(map(len, sizes), default=0))
        for index in range(len(sizes))
        if piece < len(sizes[index])
    ]


def task_of(
    requirement: Requirement, index: int, piece: int, count: int, plan: RunPlan
) -> TrialTask:
    """Return the task that a run would give to a worker; the address plays no part."""
    return TrialTask(
        "",
        requirement.kind,
        lambda name: requirement,
        requirement.id,
        index,
        piece,
        count,
        plan.seed,
        plan.call_seconds,
    )


def observed(requirement: Requirement, trial: Trial) -> Observation:
    """Make the trials; a breach, or what is not offered, becomes part of what was seen."""
    try:
        return requirement.observe(trial)
    except ViolationError as violation:
        return Observation(violation=str(violation))
    except DeclinedError as refusal:
        return Observation(declined=str(refusal))
    except SubjectError as fault:
        return Observation(violation=f"the subject {fault}")
