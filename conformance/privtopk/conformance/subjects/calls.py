"""Calls a subject with a time limit, and turns whatever it raises into one line of text.

A timer of the operating system interrupts a call that runs too long. It works in the main
thread of a process only. If the subject does not return to Python even then, `workers` ends
its whole process from outside.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Final, TypeVar

Answer = TypeVar("Answer")

LONGEST_TEXT: Final = 300
"""A report repeats at most this many characters of a subject's message."""


class CallTimeout(BaseException):
    """The time limit has passed; not an Exception, so that no subject catches it by accident."""


class AdapterError(Exception):
    """The code between the harness and the implementation failed: the latter gets no verdict."""


class DeclinedError(Exception):
    """The subject raised `NotImplementedError`: it does not offer what it was asked for."""


class AnswerError(Exception):
    """The subject has answered, and its answer does not have the form that its kind has."""


class ChildFault(BaseException):
    """The process of a Python subject ended or broke the protocol; the text says how.

    Not an Exception, because a subject that ends its process has refused nothing.
    """


class RemoteError(Exception):
    """An error that a subject raised in its own process; the text begins with its name."""


class SubjectError(Exception):
    """A call of the subject raised an error, or did not return in time."""

    def __init__(self, message: str, cause: BaseException) -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(slots=True)
class Caller:
    """Calls a subject."""

    seconds: float
    """The time limit of one call."""

    answers: int = 0
    """The number of calls that were answered, also by an error."""

    def __call__(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Return the answer.

        `SubjectError` is raised for a fault of the subject, `DeclinedError` if it does not offer
        what was asked, and `AdapterError` if the fault is not its own.
        """
        try:
            with self._timer():
                return self._call(function, *arguments)
        except CallTimeout as error:
            message = f"gave no answer within {self.seconds:g} s"
            raise SubjectError(message, error) from None

    def _call(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Return the answer, or raise an error of ours; its text is made within the time limit."""
        try:
            answer = function(*arguments)
        except (KeyboardInterrupt, CallTimeout, AdapterError):
            raise
        except ChildFault as fault:
            raise SubjectError(str(fault), fault) from fault
        except BaseException as error:
            self.answers += 1
            raise _error_of_ours(error) from error
        self.answers += 1
        return answer

    @contextlib.contextmanager
    def _timer(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _error_of_ours(error: BaseException) -> Exception:
    """Return the error that says what it means that a subject raised another."""
    if isinstance(error, AnswerError):
        return AnswerError(*error.args)
    if isinstance(error, NotImplementedError):
        return DeclinedError(describe_error(error))
    if is_missing_package(error):
        return AdapterError(missing_package(error))
    return SubjectError(f"raised {describe_error(error)}", error)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise CallTimeout


def is_missing_package(error: BaseException | None) -> bool:
    """Return whether an error, or one that caused it, says that a package is not installed."""
    while error is not None and not isinstance(error, ModuleNotFoundError):
        error = error.__cause__
    return error is not None


def missing_package(error: BaseException) -> str:
    """Return the text about an error that says that a package is not installed."""
    return f"a package is missing: {describe_error(error)}"


def describe_error(error: BaseException) -> str:
    """Return an exception's type and the beginning of its text."""
    text = error_text(error)
    if isinstance(error, RemoteError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def error_text(error: BaseException) -> str:
    """Return the beginning of an exception's text, in one line."""
    try:
        text = str(error)
    except Exception:
        text = "(its text cannot be printed)"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "..."
