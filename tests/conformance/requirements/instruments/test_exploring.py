"""Facts about exploring: only the error of the smallest failing example is raised."""

import random
import time
from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from privtopk.conformance.evidence.trial import Experiment, Trial, ViolationError
from privtopk.conformance.requirements.instruments.exploring import explore
from privtopk.conformance.subjects.calls import Caller, SubjectError
from privtopk.conformance.subjects.kinds import Abilities
from privtopk.conformance.subjects.subject import Subject


def trial_of(count: int = 100, seed: int = 1, seconds: float = 10.0) -> Trial:
    """Return a trial of nothing."""
    subject = Subject(None, Abilities())
    return Trial(subject, Experiment("", count), count, random.Random(seed), Caller(seconds))


def test_examples_are_counted() -> None:
    """One example is checked per trial."""
    seen: list[int] = []
    explore(trial_of(37), st.integers(), seen.append)
    assert len(seen) == 37


def test_the_seed_decides() -> None:
    """The same seed gives the same examples, another gives others."""
    found: list[list[int]] = [[], [], []]
    for seen, seed in zip(found, (1, 1, 2), strict=True):
        explore(trial_of(seed=seed), st.integers(), seen.append)
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_the_smallest_breach_is_raised() -> None:
    """The breach of the smallest example is raised."""

    def check(number: int) -> None:
        if number >= 17:
            raise ViolationError(f"{number} is too much")

    with pytest.raises(ViolationError) as caught:
        explore(trial_of(), st.integers(0, 10**9), check)
    assert str(caught.value) == "17 is too much"


def test_an_error_of_the_subject_is_raised() -> None:
    """An error of the subject is raised as from a single call."""
    trial = trial_of()

    def check(number: int) -> None:
        trial.call(lambda: 1 // (number - 3))

    with pytest.raises(SubjectError) as caught:
        explore(trial, st.integers(0, 5), check)
    message = "raised ZeroDivisionError: integer division or modulo by zero"
    assert str(caught.value) == message


def test_a_breach_that_does_not_come_again_counts() -> None:
    """A subject that fails by chance has failed; this is no error of the harness."""
    coins = random.Random(3)

    def check(number: int) -> None:
        if coins.random() < 0.1:
            raise ViolationError("by chance")

    with pytest.raises(ViolationError) as caught:
        explore(trial_of(), st.integers(), check)
    assert str(caught.value) == "by chance"


def test_a_breach_that_comes_once_counts() -> None:
    """Even a failure of only the first call is raised."""
    first: Iterator[bool] = iter([True])

    def check(number: int) -> None:
        if next(first, False):
            raise ViolationError("once")

    with pytest.raises(ViolationError) as caught:
        explore(trial_of(), st.integers(), check)
    assert str(caught.value) == "once"


def test_a_subject_that_hangs_is_not_asked_again() -> None:
    """The harness waits for only one call that hangs."""
    trial, started = trial_of(seconds=0.2), time.monotonic()
    with pytest.raises(SubjectError) as caught:
        explore(trial, st.integers(), lambda number: trial.call(time.sleep, 60))
    assert str(caught.value) == "gave no answer within 0.2 s"
    assert time.monotonic() - started < 5


def test_a_mistake_of_the_harness_stays_one() -> None:
    """Any other exception is not treated as a breach."""

    def check(number: int) -> None:
        raise KeyError("ours")

    with pytest.raises(KeyError):
        explore(trial_of(), st.integers(), check)
