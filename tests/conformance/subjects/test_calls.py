"""Facts about calls of a subject: what comes back, and how faults are reported."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable

import pytest

from privtopk.conformance.subjects.calls import (
    LONGEST_TEXT,
    AdapterError,
    Caller,
    CallTimeout,
    SubjectError,
    describe_error,
)


class MuteError(Exception):
    """An exception whose text cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def fault(function: object, *arguments: object, seconds: float = 5.0) -> SubjectError:
    """Return the fault of a call."""
    with pytest.raises(SubjectError) as caught:
        Caller(seconds)(function, *arguments)  # type: ignore[arg-type]
    return caught.value


def test_an_answer_comes_back() -> None:
    """A call returns what the subject returns."""
    assert Caller(5.0)(divmod, 7, 3) == (2, 1)


def test_an_exception_is_reported_with_its_cause() -> None:
    """Whatever the subject raises becomes one kind of error, with the exception as its cause."""
    error = fault(divmod, 1, 0)
    assert str(error).startswith("raised ZeroDivisionError: ")
    assert isinstance(error.cause, ZeroDivisionError)
    assert error.__cause__ is error.cause


def miss_a_package() -> None:
    """Raise what the import of a missing package raises."""
    raise ModuleNotFoundError("No module named 'sums'", name="sums")


def miss_a_package_politely() -> None:
    """Raise an error of its own, caused by a missing package."""
    try:
        miss_a_package()
    except ModuleNotFoundError as error:
        raise ValueError("sums is not installed") from error


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (miss_a_package, "ModuleNotFoundError: No module named 'sums'"),
        (miss_a_package_politely, "ValueError: sums is not installed"),
    ],
)
def test_a_missing_package_is_no_verdict(call: Callable[[], None], expected: str) -> None:
    """A missing package is an error of the adapter, not a fault of the implementation."""
    with pytest.raises(AdapterError) as caught:
        Caller(5.0)(call)
    assert str(caught.value) == f"a package is missing: {expected}"


@pytest.mark.parametrize("leaving", [SystemExit(3), GeneratorExit()])
def test_leaving_is_a_fault(leaving: BaseException) -> None:
    """`SystemExit` in a subject is a fault, and does not end the harness."""

    def leave() -> None:
        raise leaving

    assert fault(leave).cause is leaving


def test_the_person_at_the_keyboard_is_obeyed() -> None:
    """An interrupt by the user is raised, and is no fault of the subject."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Caller(5.0)(interrupt)


def test_a_call_that_takes_too_long_is_ended() -> None:
    """A call is interrupted when its time is over."""
    started = time.monotonic()
    error = fault(time.sleep, 60, seconds=0.1)
    assert str(error) == "gave no answer within 0.1 s"
    assert isinstance(error.cause, CallTimeout)
    assert time.monotonic() - started < 10


def test_a_subject_does_not_catch_the_timer_by_accident() -> None:
    """Code that suppresses every `Exception` is interrupted all the same."""

    def stubborn() -> None:
        with contextlib.suppress(Exception):
            time.sleep(60)

    assert str(fault(stubborn, seconds=0.1)) == "gave no answer within 0.1 s"


def test_the_timer_is_gone_afterwards() -> None:
    """After a call there is no alarm, and the old handler is back."""
    before = signal.getsignal(signal.SIGALRM)
    Caller(5.0)(divmod, 7, 3)
    fault(divmod, 1, 0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_in_another_thread_there_is_no_timer() -> None:
    """Outside the main thread a call has no time limit, and its errors are still caught."""
    outcomes: list[object] = []

    def work() -> None:
        outcomes.append(Caller(0.01)(divmod, 7, 3))
        outcomes.append(str(fault(divmod, 1, 0)).split(":")[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert outcomes == [(2, 1), "raised ZeroDivisionError"]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no"), "ValueError: no"),
        (ValueError("two\n  lines"), "ValueError: two lines"),
        (ValueError(), "ValueError"),
        (MuteError(), "MuteError: (its text cannot be printed)"),
        (ValueError("x" * 1000), "ValueError: " + "x" * LONGEST_TEXT + "..."),
    ],
)
def test_an_exception_is_one_line(error: Exception, text: str) -> None:
    """An exception is described by its type and the beginning of its text, in one line."""
    assert describe_error(error) == text
