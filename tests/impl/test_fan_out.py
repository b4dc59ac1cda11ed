"""Facts about many selections through an executor."""

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from privtopk.impl.fan_out import selections
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.accounting.assumptions import NoiseSource
from privtopk.spec.model.errors import Reason
from support import refusal

TIED = np.zeros(1000, dtype=np.int64)
TRIALS = 200
FEW = 20
"""If each of 200 draws is uniform on 1000 items, at most 20 different ones come out with a
probability below C(1000, 20) (20/1000)^200 < 1e-290: that is the rate of false alarms. One draw
that is repeated by all trials, or by all of a worker, is always found."""


@contextmanager
def threads() -> Iterator[Executor]:
    """Yield three threads."""
    with ThreadPoolExecutor(3) as pool:
        yield pool


@contextmanager
def processes() -> Iterator[Executor]:
    """Yield two processes."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@contextmanager
def cluster() -> Iterator[Executor]:
    """Yield a Dask cluster of two workers in this process, with the executor it offers."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as workers,
        distributed.Client(workers) as client,
    ):
        yield client.get_executor()


EXECUTORS = pytest.mark.parametrize(
    "executor",
    [
        threads,
        pytest.param(processes, marks=pytest.mark.slow),
        pytest.param(cluster, marks=pytest.mark.slow),
    ],
)


def items_of(found: tuple[Selection, ...]) -> list[tuple[object, ...]]:
    """Return the items of selections."""
    return [selection.items for selection in found]


@EXECUTORS
def test_no_draw_is_repeated(executor: Any) -> None:
    """Selections from tied scores differ, in one call and from one call to the next."""
    with executor() as workers:
        once, again = (
            selections(TIED, 1, TRIALS, epsilon=1, executor=workers, per_task=5) for _ in "12"
        )
    assert len(once) == TRIALS
    assert len(set(items_of(once))) > FEW
    assert len(set(items_of(again))) > FEW
    assert items_of(once) != items_of(again)
    sources = {selection.guarantee.noise_source for selection in once}
    assert sources == {NoiseSource.CRYPTOGRAPHIC}


def draw(scores: Integers) -> tuple[object, ...]:
    """Select once; all calls have equal arguments."""
    return top_k(scores, 1, epsilon=1).items


@pytest.mark.slow
def test_dask_repeats_what_it_takes_for_pure() -> None:
    """The control: Dask runs equal calls once, and all get the same draw."""
    with cluster() as workers:
        tasks = [workers.submit(draw, TIED) for _ in range(TRIALS)]
        assert len({task.result() for task in tasks}) == 1


@EXECUTORS
@pytest.mark.parametrize("per_task", [1, 7, 100])
def test_a_seed_decides(executor: Any, per_task: int) -> None:
    """With a seed, neither the executor nor the size of a task makes a difference."""
    expected = [
        top_k(TIED, 3, epsilon=1, rng=np.random.default_rng(child)).items
        for child in np.random.SeedSequence(5).spawn(20)
    ]
    with executor() as workers:
        found = selections(TIED, 3, 20, epsilon=1, executor=workers, seed=5, per_task=per_task)
    assert items_of(found) == expected
    assert {selection.guarantee.noise_source for selection in found} == {NoiseSource.SEEDED}


def test_seeds_differ_among_trials() -> None:
    """One seed makes many draws, not one: the same bound on false alarms holds."""
    with threads() as workers:
        found = selections(TIED, 1, TRIALS, epsilon=1, executor=workers, seed=0)
    assert len(set(items_of(found))) > FEW


def outcome(selection: Selection) -> tuple[object, ...]:
    """Return everything of a selection except its duration."""
    audit = selection.audit
    return selection.items, selection.is_ranked, selection.guarantee, audit.engine, audit.accesses


@pytest.mark.parametrize(
    "options",
    [
        {"delta": 1e-3},
        {"noise": "laplace"},
        {"neighbours": "swap"},
        {"engine": "threshold"},
        {"costs": (1, 20), "engine": "batched"},
        {"ranked": False},
    ],
    ids=str,
)
def test_other_parameters_reach_the_selection(options: Any) -> None:
    """The options of `top_k` are passed on and take effect."""
    scores = IndexedScores(np.arange(2000))
    (child,) = np.random.SeedSequence(5).spawn(1)
    expected = top_k(scores, 60, epsilon=1, rng=np.random.default_rng(child), **options)
    recording = Recording()
    (found,) = selections(scores, 60, 1, epsilon=1, executor=recording, seed=5, **options)
    (plain,) = selections(scores, 60, 1, epsilon=1, executor=recording, seed=5)
    assert outcome(found) == outcome(expected) != outcome(plain)


@pytest.mark.parametrize("domain", ["public", ["fig", "pear"], range(1, 3)], ids=str)
def test_the_domain_reaches_the_selection(domain: Any) -> None:
    """A mapping is selected from with the domain that the caller declares."""
    items = ["fig", "pear"] if domain == "public" else list(domain)
    votes = dict.fromkeys(items, 5)
    (found,) = selections(votes, 2, 1, epsilon=1, executor=Recording(), seed=5, domain=domain)
    (child,) = np.random.SeedSequence(5).spawn(1)
    expected = top_k(votes, 2, epsilon=1, domain=domain, rng=np.random.default_rng(child))
    assert outcome(found) == outcome(expected)


def test_the_columns_reach_the_selection() -> None:
    """A table is selected from by the names of columns that the caller passes."""
    table = pytest.importorskip("polars").DataFrame({"n": [900, 1], "fruit": ["fig", "pear"]})
    columns: Any = {"item": "fruit", "score": "n"}
    (found,) = selections(
        table, 1, 1, epsilon=1, executor=Recording(), seed=5, domain="public", **columns
    )
    assert found.items == ("fig",)


class Recording(Executor):
    """An executor that runs a task when it is submitted, and keeps its arguments."""

    def __init__(self) -> None:
        self.submitted: list[tuple[Any, ...]] = []

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Run a call."""
        assert not named
        self.submitted.append(arguments)
        future: Future[Any] = Future()
        future.set_result(function(*arguments))
        return future


@pytest.mark.parametrize(("per_task", "sizes"), [(1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (9, [5])])
def test_trials_are_divided_into_tasks(per_task: int, sizes: list[int]) -> None:
    """Trials are divided into tasks; the last one may be smaller."""
    recording = Recording()
    found = selections(TIED, 1, 5, epsilon=1, executor=recording, per_task=per_task)
    assert len(found) == 5
    assert [len(coins) for *_, coins in recording.submitted] == sizes


@pytest.mark.parametrize("seed", [None, 3])
def test_no_two_tasks_are_equal(seed: int | None) -> None:
    """Each trial has something that no other trial of the call has."""
    recording = Recording()
    selections(TIED, 1, 50, epsilon=1, executor=recording, seed=seed)
    assert len({repr(coins) for *_, coins in recording.submitted}) == 50


class Failing:
    """A source that fails in the second selection, and blocks all others until the end."""

    size = 2

    def __init__(self) -> None:
        self.calls = 0
        self.is_over = threading.Event()
        self._lock = threading.Lock()

    def top(self, start: int, count: int) -> Page:
        """Return a page."""
        return Page(np.arange(count), np.zeros(count, dtype=np.int64))

    def scores(self, items: Integers) -> Integers:
        """Return scores, or fail."""
        with self._lock:
            self.calls += 1
            call = self.calls
        if call == 2:
            raise OSError
        if not self.is_over.wait(10):
            self.is_over.set()  # it will never be over: let the test fail soon
        return np.zeros(len(items), dtype=np.int64)

    def name(self, item: int) -> object:
        """Return a name."""
        return item


def test_an_error_reaches_the_caller_and_cancels_the_rest() -> None:
    """A failure is raised although an earlier task still runs; waiting tasks never run.

    One of the two workers runs trial 1, the other runs at most trials 2 and 3.
    """
    source = Failing()
    with ThreadPoolExecutor(2) as pool:
        assert refusal(
            lambda: selections(source, 1, 500, epsilon=1, executor=pool, engine="one-shot")
        ) == (Reason.FAULTY_SOURCE, "the source raised OSError")
        source.is_over.set()
        assert pool.submit(str, 5).result() == "5"
    assert source.calls <= 3


class Closing(Recording):
    """An executor that is shut down after three tasks, none of which has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.futures: list[Future[Any]] = []

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Accept a call, or refuse it."""
        if len(self.futures) == 3:
            raise RuntimeError("closed")
        self.futures.append(Future())
        return self.futures[-1]


def test_tasks_are_cancelled_if_the_executor_closes() -> None:
    """Tasks that were submitted before an executor closes are cancelled."""
    closing = Closing()
    with pytest.raises(RuntimeError, match=r"^closed$"):
        selections(TIED, 1, 5, epsilon=1, executor=closing)
    assert [future.cancelled() for future in closing.futures] == [True] * 3


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"trials": 0}, (Reason.SIZE_OUT_OF_RANGE, "trials must be at least 1, got 0")),
        ({"trials": 2.0}, (Reason.WRONG_TYPE, "trials must be an integer, got 2.0")),
        ({"per_task": 0}, (Reason.SIZE_OUT_OF_RANGE, "per_task must be at least 1, got 0")),
        ({"seed": -1}, (Reason.SIZE_OUT_OF_RANGE, "seed must be at least 0, got -1")),
        ({"seed": 0.5}, (Reason.WRONG_TYPE, "seed must be an integer, got 0.5")),
        (
            {"executor": None},
            (Reason.WRONG_TYPE, "executor must have a method submit, got None"),
        ),
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, Any], error: tuple[Reason, str]) -> None:
    """Parameters are checked before anything is submitted."""
    recording = Recording()
    given: dict[str, Any] = {"trials": 5, "executor": recording, "epsilon": 1, **wrong}
    assert refusal(lambda: selections(TIED, 1, **given)) == error
    assert recording.submitted == []


def test_parameters_of_the_selection_are_refused_by_it() -> None:
    """A wrong k is reported by the first trial."""
    with threads() as workers:
        assert refusal(lambda: selections(TIED, 1001, 5, epsilon=1, executor=workers)) == (
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=1000, got 1001",
        )
