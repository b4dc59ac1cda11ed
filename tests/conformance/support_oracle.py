"""Runs one requirement of the oracle on one object, in this process and without addresses."""

import random
from collections.abc import Sequence

from privtopk.conformance.evidence.decision import Case
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Trial
from privtopk.conformance.running.runner import AnyCase, RunPlan, case_for, ordered_pieces
from privtopk.conformance.running.tasks import observe, prospect_of, seed_of_piece
from privtopk.conformance.subjects.calls import Caller
from privtopk.conformance.subjects.kinds import Kind, abilities_of
from privtopk.conformance.subjects.subject import Subject


def run_case(
    thing: object,
    requirement: Requirement,
    *,
    kind: Kind | None = None,
    budget: float = 1.0,
    seed: int = 0,
    alarm: float = 1e-6,
    seconds: float = 10.0,
) -> Case:
    """Run one requirement on an object as a real run would, and return the finished case.

    The object is whatever an address would lead to; its kind is the requirement's unless one
    is given. The budget multiplies the number of trials, the alarm is the whole run's
    false-alarm probability (the requirement gets its share), and one call of the object may
    take a number of seconds. Pieces, their order and their seeds are those of a real run; it
    stops at the first failure. Look at `verdict`, `message`, `trials`, `log_e` and `values`.
    """
    subject = Subject(thing, abilities_of(thing, kind or requirement.kind))
    plan = RunPlan(seed=seed, budget=budget, alarm=alarm, call_seconds=seconds)
    found = prospect_of(
        requirement,
        subject.abilities,
        lambda: Caller(seconds)(requirement.experiments, subject),
    )
    return conduct_case(case_for(found, plan), requirement, subject, found.experiments, plan)


def conduct_case(
    case: AnyCase,
    requirement: Requirement,
    subject: Subject,
    experiments: Sequence[Experiment],
    plan: RunPlan,
) -> AnyCase:
    """Make the trials of a case in the pieces and with the coins of a real run, and return it."""
    for _, index, piece, count in ordered_pieces([case]):
        coins = random.Random(seed_of_piece(plan.seed, requirement.id, index, piece))
        trial = Trial(subject, experiments[index], count, coins, Caller(plan.call_seconds))
        case.take(index, count, observe(requirement, trial))
        if case.verdict is not None:
            return case
    case.finish()
    return case
