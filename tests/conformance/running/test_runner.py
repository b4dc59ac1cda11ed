"""Facts about runs: pieces, their order, executors, and subjects that behave badly."""

from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.trial import Observation
from privtopk.conformance.running.runner import InterruptedRun, Run, RunPlan, pieces_of, run
from privtopk.conformance.running.tasks import prospects
from privtopk.conformance.running.workers import WorkerError
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.subjects.kinds import Kind, Profile
from privtopk.conformance.subjects.loading import AddressError

LAW = ("selector.set-law",)
TAPE = ("selector.tape-law",)


def verdicts(finished: Run) -> dict[str, CaseVerdict | None]:
    """Return the verdicts by requirement."""
    return {case.requirement.id: case.verdict for case in finished.cases}


def paths(finished: Run) -> list[list[tuple[int, float]]]:
    """Return the path of the evidence of each requirement."""
    return [case.path for case in finished.cases]


@pytest.mark.parametrize("trials", [1, 31, 32, 33, 1000])
def test_pieces_grow_and_add_up(trials: int) -> None:
    """The pieces of an experiment have all its trials, each twice the one before."""
    sizes = pieces_of(trials)
    assert sum(sizes) == trials
    assert sizes[:-1] == [32 * 2**i for i in range(len(sizes) - 1)]


def test_a_right_subject_passes() -> None:
    """A scan with the right noise has the right law."""
    finished = run("python:wrong_subjects:right", RunPlan(budget=0.1, only=LAW))
    assert (verdicts(finished), finished.is_conforming) == ({LAW[0]: CaseVerdict.PASS}, True)


def test_a_wrong_subject_fails_and_the_bug_is_named() -> None:
    """A budget that is spent on every item is found and named."""
    finished = run("python:wrong_subjects:careless", RunPlan(only=LAW))
    (case,) = finished.cases
    assert (case.verdict, finished.is_conforming) == (CaseVerdict.FAIL, False)
    assert "it looks like a budget counted once and not for each of the k items" in case.message


@pytest.fixture(scope="module")
def alone() -> dict[str, Run]:
    """The runs of two subjects with one worker."""
    names = ("taped", "wrongly_taped")
    return {
        name: run(f"python:wrong_subjects:{name}", RunPlan(budget=0.2, seed=3, only=TAPE))
        for name in names
    }


def compare(alone: dict[str, Run], plan: RunPlan, executor: Executor | None) -> None:
    """Assert that an executor finds the same evidence."""
    for name, reference in alone.items():
        finished = run(f"python:wrong_subjects:{name}", plan, executor=executor)
        assert paths(finished) == paths(reference)
        assert verdicts(finished) == verdicts(reference)


def test_the_reference_runs_decide(alone: dict[str, Run]) -> None:
    """One of the two subjects passes and the other fails."""
    assert [run.is_conforming for run in alone.values()] == [True, False]


PLAN = RunPlan(budget=0.2, seed=3, jobs=3, only=TAPE)


def test_the_verdict_does_not_depend_on_the_number_of_workers(alone: dict[str, Run]) -> None:
    """Three processes find the same evidence as one, piece by piece."""
    compare(alone, PLAN, None)


def test_threads_find_the_same_evidence(alone: dict[str, Run]) -> None:
    """Threads find the same evidence as processes."""
    with ThreadPoolExecutor(2) as threads:
        compare(alone, PLAN, threads)


@pytest.mark.slow
def test_a_process_pool_finds_the_same_evidence(alone: dict[str, Run]) -> None:
    """A pool of the standard library finds the same evidence."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        compare(alone, PLAN, pool)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_finds_the_same_evidence(alone: dict[str, Run]) -> None:
    """A local Dask cluster of two processes finds the same evidence."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        compare(alone, PLAN, client.get_executor())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("raising", "the subject raised RuntimeError: <script>no & no</script>"),
        ("hanging", "the subject gave no answer within 0.5 s"),
        (
            "dying",
            "the subject ended with exit code 7 (it had printed: garbage) and gave no answer",
        ),
        ("stringy", "must return a sequence of items, got str"),
    ],
)
def test_a_subject_that_behaves_badly_fails_its_requirement(name: str, message: str) -> None:
    """A run continues after a bad call, and the requirement fails with what happened."""
    plan = RunPlan(only=("selector.shape",), call_seconds=0.5)
    finished = run(f"python:wrong_subjects:{name}", plan)
    assert [(case.verdict, case.message) for case in finished.cases] == [
        (CaseVerdict.FAIL, message)
    ]


def test_a_sampler_is_tested_like_any_selector() -> None:
    """A selector that takes the histogram passes if it is right and fails if it is wrong."""
    plan = RunPlan(budget=0.5, only=("selector.shape", "selector.refusals", *LAW))
    assert run("python:wrong_subjects:Sampling", plan).is_conforming
    wrong = run("python:wrong_subjects:CarelessSampling", plan)
    failed = [case.requirement.id for case in wrong.cases if case.verdict is CaseVerdict.FAIL]
    assert failed == list(LAW)


class Nothing(ThreadPoolExecutor):
    """An executor that makes no trials and says that all is done."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """Run a call, and lose the observations of trials."""
        call = function if function is prospects else lambda task: self.found
        return super().submit(call, *arguments, **named)

    found: object = None


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, "the harness failed: TypeError: a worker returned NoneType"),
        (
            Observation(),
            "the harness has received no answer of the subject in the experiment m=1, k=1, gumbel",
        ),
    ],
)
def test_without_an_observation_there_is_no_verdict(found: object, message: str) -> None:
    """A piece of which nothing, or nothing of the subject, comes back is an error, not a pass."""
    with Nothing(1) as executor:
        executor.found = found
        plan = RunPlan(only=("selector.shape",))
        (case,) = run("python:wrong_subjects:right", plan, executor=executor).cases
    assert (case.verdict, case.message) == (CaseVerdict.ERROR, message)


def test_a_worker_that_dies_is_no_verdict_on_a_subject_in_another_process() -> None:
    """The death of a worker accuses a subject only if the subject ran in it."""

    def die(*arguments: object) -> None:
        raise WorkerError("the process was ended by signal 9")

    class Dying(Nothing):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
            call = function if function is prospects else die
            return ThreadPoolExecutor.submit(self, call, *arguments, **named)

    verdicts = []
    for is_in_process in (False, True):
        plan = RunPlan(only=("selector.shape",), is_in_process=is_in_process)
        with Dying(1) as executor:
            (case,) = run("python:wrong_subjects:right", plan, executor=executor).cases
        verdicts.append((case.verdict, case.message))
    death = "the process was ended by signal 9"
    assert verdicts == [
        (CaseVerdict.ERROR, f"a worker of the harness failed: {death}"),
        (CaseVerdict.FAIL, death),
    ]


@pytest.mark.parametrize("is_in_process", [False, True])
def test_a_subject_finds_the_harness_only_in_process(is_in_process: bool) -> None:
    """The scores that a subject takes from the closures of its doors are there in process only."""
    plan = RunPlan(only=("selector.no-peeking",), is_in_process=is_in_process)
    address = "python:privtopk.conformance.mutants.selector.cost:ScoresFromTheClosure"
    (case,) = run(address, plan).cases
    assert (case.verdict is CaseVerdict.FAIL) is is_in_process


@pytest.mark.parametrize("is_in_process", [False, True])
def test_an_interruption_carries_what_is_known(is_in_process: bool) -> None:
    """An interrupted run raises `InterruptedRun` with the verdicts so far."""

    def interrupt(done: int, total: int, at: str) -> None:
        raise KeyboardInterrupt

    plan = RunPlan(only=("selector.shape", "selector.refusals"), is_in_process=is_in_process)
    with pytest.raises(InterruptedRun) as caught:
        run("python:wrong_subjects:stringy", plan, progress=interrupt)
    found = [(case.verdict, case.message) for case in caught.value.run.cases]
    assert found == [
        (CaseVerdict.FAIL, "must return a sequence of items, got str"),
        (CaseVerdict.ERROR, "the run was interrupted before all trials were made"),
    ]


def test_what_a_subject_does_not_offer_is_no_failure() -> None:
    """If some experiments are declined, the others decide; if all are, there is a skip."""
    plan = RunPlan(only=("selector.shape", "selector.refusals"))
    shape, refusals = run("python:wrong_subjects:declining", plan).cases
    assert (shape.verdict, shape.message) == (
        CaseVerdict.PASS,
        "declined 7 of 8 experiments: NotImplementedError: one item of one only",
    )
    assert refusals.verdict is CaseVerdict.SKIP


def test_what_is_declined_must_not_depend_on_the_scores() -> None:
    """A subject that declines only some histograms reveals something about them, and fails."""
    (case,) = run("python:wrong_subjects:choosy", RunPlan(only=("selector.shape",))).cases
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith(
        " of 16 histograms and answered the others, which reveals something about the scores "
        "(NotImplementedError: nothing to select from)"
    )


def test_a_promise_that_makes_no_sense_fails_where_it_is_used() -> None:
    """A rate that is not a number fails the requirement that asks for it, and no other."""
    plan = RunPlan(budget=0.1, only=("selector.shape", *LAW))
    shape, law = run("python:wrong_subjects:undeclared_rate", plan).cases
    assert (shape.verdict, law.verdict) == (CaseVerdict.PASS, CaseVerdict.FAIL)
    assert law.message.startswith(
        "the subject's declaration raised ValueError: rate must be positive and finite"
    )


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "wrong_subjects:right",
            "a subject is given as python:module:attribute or stdio:command, got ",
        ),
        ("python:no_such_module:x", "python:no_such_module:x: cannot import no_such_module: "),
        ("python:wrong_subjects:no", "python:wrong_subjects:no: wrong_subjects has no attribute"),
        (
            "python:wrong_subjects:NeedsArguments",
            "python:wrong_subjects:NeedsArguments: calling the class without arguments raised ",
        ),
    ],
)
def test_a_wrong_address_stops_the_run(address: str, message: str) -> None:
    """A wrong address stops the run before any test, and the error says what is wrong."""
    with pytest.raises(AddressError) as caught:
        run(address, RunPlan(only=LAW))
    assert str(caught.value).startswith(message)


def test_a_module_that_dies_while_it_is_loaded_is_no_verdict() -> None:
    """A module that dies while it is loaded ends a worker, not the harness."""
    with pytest.raises(AdapterError) as caught:
        run("python:dying_module:subject", RunPlan(only=LAW))
    assert str(caught.value) == (
        "python:dying_module:subject: the subject ended with exit code 5 and gave no answer"
    )


def test_a_profile_can_be_chosen() -> None:
    """With a profile, only its requirements are run."""
    plan = RunPlan(budget=0.05, profile=Profile.UNIFORMS_SERVED)
    finished = run("python:wrong_subjects:taped", plan)
    assert {case.requirement.profile for case in finished.cases} == {Profile.UNIFORMS_SERVED}


def test_a_kind_can_be_given() -> None:
    """The caller can give the kind of a subject that does not declare it."""
    plan = RunPlan(only=("predecessor-index.refusals",))
    finished = run(
        "python:privtopk.impl.noise.index.van_emde_boas:VanEmdeBoasIndex",
        plan,
        kind=Kind.PREDECESSOR_INDEX,
    )
    assert finished.abilities.kind is Kind.PREDECESSOR_INDEX


def test_a_requirement_that_does_not_exist_is_refused() -> None:
    """A run in which nothing would be tested is refused."""
    with pytest.raises(AdapterError) as caught:
        run("python:wrong_subjects:right", RunPlan(only=("selector.no-such",)))
    assert str(caught.value) == "no requirement for a selector is called selector.no-such"
