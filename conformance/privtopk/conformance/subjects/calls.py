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


class SubjectError(Exception):
    """A call of the subject raised an error, or did not return in time."""

    def __init__(self, message: str, cause: BaseException) -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Caller:
    """Calls a subject."""

    seconds: float
    """The time limit of one call."""

    def __call__(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Return the answer.

        `SubjectError` is raised for a fault of the subject, `DeclinedError` if it does not offer
        what was asked, and `AdapterError` if the fault is not its own.
        """
        try:
            with self._timer():
                return function(*arguments)
        except CallTimeout as error:
            message = f"gave no answer within {self.seconds:g} s"
            raise SubjectError(message, error) from None
        except (KeyboardInterrupt, AdapterError):
            raise
        except NotImplementedError as error:
            raise DeclinedError(describe_error(error)) from error
        except BaseException as error:
            if is_missing_package(error):
                raise AdapterError(f"a package is missing: {describe_error(error)}") from error
            raise SubjectError(f"raised {describe_error(error)}", error) from error

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


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise CallTimeout


def is_missing_package(error: BaseException | None) -> bool:
    """Return whether an error, or one that caused it, says that a package is not installed."""
    while error is not None and not isinstance(error, ModuleNotFoundError):
        error = error.__cause__
    return error is not None


def describe_error(error: BaseException) -> str:
    """Return an exception's type and the beginning of its text."""
    try:
        text = str(error)
    except Exception:
        text = "(its text cannot be printed)"
    text = " ".join(text.split())
    if len(text) > LONGEST_TEXT:
        text = text[:LONGEST_TEXT] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
