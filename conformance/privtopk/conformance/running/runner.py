"""Runs the requirements on a subject and collects the verdicts.

The trials of an experiment are split into pieces, which go to an executor. Results arrive in any
order but are counted in a fixed order, so that a verdict does not depend on the number of
workers. The first pieces are small and come first: a wrong subject usually fails within a second.
"""

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation
from privtopk.conformance.requirements.registry import requirement_of
from privtopk.conformance.running.tasks import Finder, Prospect, TrialTask, perform, prospects
from privtopk.conformance.running.workers import GuardedExecutor, WorkerError
from privtopk.conformance.subjects.calls import AdapterError, describe_error
from privtopk.conformance.subjects.kinds import Abilities, Kind, Profile
from privtopk.conformance.subjects.loading import AddressError, command_of

FIRST_PIECE: Final = 32
GROWTH: Final = 2
"""Pieces grow: early ones decide soon, and the evidence is computed only a few times."""

INTERRUPTED: Final = "the run was interrupted before all trials were made"

AHEAD: Final = 4
"""Pieces that wait per worker, so that no worker is idle."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The options of a run."""

    seed: int = 0
    budget: float = 1.0
    """Multiplies the number of trials of every experiment."""

    alarm: float = 1e-6
    """The largest probability that the run fails a right subject."""

    jobs: int = 1
    call_seconds: float = 10.0
    piece_seconds: float = 120.0
    mebibytes: int = 2048
    only: tuple[str, ...] = ()
    """Beginnings of the ids of the requirements to run; empty means all."""

    profile: Profile | None = None
    """The only profile to test; None means every profile of the subject."""

    is_in_process: bool = False
    """Whether Python subjects are called in the processes of the harness."""


@dataclass(frozen=True, slots=True)
class Run:
    """The verdicts on one subject."""

    address: str
    abilities: Abilities
    plan: RunPlan
    cases: tuple[Case, ...]
    seconds: float

    def count(self, verdict: CaseVerdict) -> int:
        """Return the number of requirements with a verdict."""
        return sum(case.verdict is verdict for case in self.cases)

    @property
    def is_in_process(self) -> bool:
        """Whether the subject was called in the processes of the harness."""
        return self.plan.is_in_process and command_of(self.address) is None

    @property
    def is_conforming(self) -> bool:
        """Whether nothing failed, nothing is undecided, and something was tested."""
        undecided = self.count(CaseVerdict.FAIL) + self.count(CaseVerdict.ERROR)
        return undecided == 0 and self.count(CaseVerdict.PASS) > 0


class InterruptedRun(KeyboardInterrupt):
    """The user has stopped a run; it has the verdicts so far, and the others are undecided."""

    def __init__(self, run: Run) -> None:
        super().__init__(f"the run of {run.address} was interrupted")
        self.run = run


Progress = Callable[[int, int, str], None]
"""Called with the number of pieces done, the number of all pieces, and the current requirement."""


def run(
    address: str,
    plan: RunPlan | None = None,
    *,
    kind: Kind | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Run:
    """Test a subject and return the verdicts.

    An executor that is passed in is not shut down. Without one, guarded processes of this
    machine are used.
    """
    wanted = plan or RunPlan()
    prepare = partial(prepare_cases, address, kind, wanted)
    return conduct_cases(address, wanted, prepare, requirement_of, executor, progress)


def conduct_cases(
    address: str,
    plan: RunPlan,
    prepare: Callable[[Executor], tuple[Abilities, Sequence[Case]]],
    find: Finder,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Run:
    """Prepare cases in a worker, conduct them, and return their verdicts."""
    with contextlib.ExitStack() as stack:
        workers = executor or stack.enter_context(
            GuardedExecutor(plan.jobs, plan.piece_seconds, plan.mebibytes)
        )
        started = time.perf_counter()
        try:
            abilities, cases = prepare(workers)
        except KeyboardInterrupt:
            stop(workers)
            raise
        campaign = _Campaign(address, abilities.kind, find, plan, cases, workers, progress)
        try:
            campaign.conduct()
        except KeyboardInterrupt:
            stop(workers)
            campaign.give_up()
            seconds = time.perf_counter() - started
            raise InterruptedRun(Run(address, abilities, plan, tuple(cases), seconds)) from None
    return Run(address, abilities, plan, tuple(cases), time.perf_counter() - started)


def stop(workers: Executor) -> None:
    """End the work of an executor at once; one of the caller only takes no more work of ours."""
    if isinstance(workers, GuardedExecutor):
        workers.abort()


def prepare_cases(
    address: str, kind: Kind | None, plan: RunPlan, workers: Executor
) -> tuple[Abilities, list[Case]]:
    """Find out in a worker what there is to test; this process never loads the subject."""
    asked = workers.submit(
        prospects,
        address,
        kind,
        plan.only,
        plan.piece_seconds,
        is_in_process=plan.is_in_process,
    )
    abilities, found = prospects_from(asked, address, plan)
    wanted = [one for one in found if is_wanted(requirement_of(one.requirement), plan)]
    if not wanted:
        names = ", ".join(plan.only) or "any"
        raise AdapterError(
            f"no requirement for a {abilities.kind} is called {names}"
            + (f" and has the profile {plan.profile}" if plan.profile else "")
        )
    return abilities, [case_for(one, plan) for one in wanted]


def prospects_from(
    asked: "Future[tuple[Abilities, tuple[Prospect, ...]]]", address: str, plan: RunPlan
) -> tuple[Abilities, tuple[Prospect, ...]]:
    """Return a worker's prospects of a subject; if the worker fails, that is no verdict."""
    try:
        return asked.result(timeout=plan.piece_seconds)
    except (AddressError, AdapterError):
        raise
    except Exception as error:
        raise AdapterError(f"{address}: {describe_error(error)}") from error


def is_wanted(requirement: Requirement, plan: RunPlan) -> bool:
    """Return whether a plan asks for a requirement's profile."""
    return plan.profile is None or requirement.profile is plan.profile


def case_for(prospect: Prospect, plan: RunPlan) -> Case:
    """Return the case of a requirement, with as many trials as the budget allows."""
    requirement = requirement_of(prospect.requirement)
    experiments = sized_experiments(prospect, requirement, plan)
    return settle_at_once(
        Case(requirement, experiments, plan.alarm * requirement.share / 100), prospect
    )


def sized_experiments(
    prospect: Prospect, requirement: Requirement, plan: RunPlan
) -> tuple[Experiment, ...]:
    """Return the experiments with as many trials as the budget allows."""
    return tuple(
        replace(experiment, trials=trials_of(experiment, requirement, plan))
        for experiment in prospect.experiments
    )


AnyCase = TypeVar("AnyCase", bound=Case)


def settle_at_once(case: AnyCase, prospect: Prospect) -> AnyCase:
    """Return a case, already decided if there is nothing to try."""
    if prospect.skipped is not None:
        case.skip(prospect.skipped)
    elif prospect.violation is not None:
        case.fail(None, prospect.violation)
    elif not case.experiments:
        case.skip("nothing that the subject offers would test it")
    return case


def trials_of(experiment: Experiment, requirement: Requirement, plan: RunPlan) -> int:
    """Return the number of trials; the budget does not change that of an exhaustive test."""
    if requirement.is_exhaustive:
        return experiment.trials
    return max(1, round(plan.budget * experiment.trials))


def reason_undecided(error: Exception) -> str:
    """Return why there is no verdict on the implementation."""
    if isinstance(error, AdapterError):
        return f"the adapter failed: {error}"
    return f"the harness failed: {describe_error(error)}"


def pieces_of(trials: int) -> list[int]:
    """Return the sizes of the pieces of a number of trials."""
    sizes: list[int] = []
    size = FIRST_PIECE
    while trials > 0:
        sizes.append(min(size, trials))
        trials -= sizes[-1]
        size *= GROWTH
    return sizes


def ordered_pieces(cases: Sequence[AnyCase]) -> Iterator[tuple[AnyCase, int, int, int]]:
    """Yield case, experiment, piece and trials: all first pieces, then all second ones, ..."""
    sizes = [
        (case, index, pieces_of(experiment.trials))
        for case in cases
        for index, experiment in enumerate(case.experiments)
    ]
    for piece in range(max((len(pieces) for _, _, pieces in sizes), default=0)):
        for case, index, pieces in sizes:
            if piece < len(pieces):
                yield case, index, piece, pieces[piece]


@dataclass(slots=True)
class _Campaign:
    """The pieces of all cases on their way through an executor."""

    address: str
    kind: Kind
    find: Finder
    plan: RunPlan
    cases: Sequence[Case]
    executor: Executor
    progress: Progress | None
    _pending: deque[tuple[Case, TrialTask, Future[Observation]]] = field(default_factory=deque)
    _done: int = 0

    def conduct(self) -> None:
        """Run every piece that can still change a verdict."""
        waiting = list(ordered_pieces(self.cases))
        total = len(waiting)
        for case, index, piece, count in waiting:
            if case.verdict is None:
                task = self._task(case, index, piece, count)
                future = self.executor.submit(perform, task)
                self._pending.append((case, task, future))
            else:
                self._done += 1
            while len(self._pending) >= AHEAD * self.plan.jobs:
                self._collect(total)
        while self._pending:
            self._collect(total)
        for case in self.cases:
            case.finish()

    def give_up(self) -> None:
        """Leave undecided what the user did not wait for."""
        for case in self.cases:
            if case.verdict is None:
                case.give_up(INTERRUPTED)

    def _task(self, case: Case, index: int, piece: int, count: int) -> TrialTask:
        return TrialTask(
            address=self.address,
            kind=self.kind,
            find=self.find,
            requirement=case.requirement.id,
            experiment=index,
            piece=piece,
            count=count,
            seed=self.plan.seed,
            seconds=self.plan.call_seconds,
            is_in_process=self.plan.is_in_process,
        )

    def _collect(self, total: int) -> None:
        """Count the next piece in order."""
        case, task, future = self._pending.popleft()
        if future.cancelled():
            self._done += 1
            return
        if case.verdict is None:
            self._count(case, task, future)
        if case.verdict is not None:
            self._cancel_pieces(case)
        self._done += 1
        if self.progress is not None:
            self.progress(self._done, total, case.requirement.id)

    def _count(self, case: Case, task: TrialTask, future: Future[Observation]) -> None:
        """Add a piece to its case; without an observation there is no verdict."""
        try:
            observation = future.result(timeout=self.plan.piece_seconds * (AHEAD + 1))
            if not isinstance(observation, Observation):
                raise TypeError(f"a worker returned {type(observation).__name__}")
        except WorkerError as death:
            if not self.plan.is_in_process:
                case.give_up(f"a worker of the harness failed: {death}")
                return
            observation = Observation(violation=str(death), seconds=death.seconds)
        except Exception as error:
            case.give_up(reason_undecided(error))
            return
        case.take(task.experiment, task.count, observation)

    def _cancel_pieces(self, case: Case) -> None:
        """Cancel the pieces of a decided case that have not started."""
        for waiting, _, future in self._pending:
            if waiting is case:
                future.cancel()
