"""Calls into a subject: timed, and whatever it raises is caught and told in one line.

A call that runs too long is interrupted by a timer of the operating system, which works in
the main thread of a process only; a subject that does not return to Python even then is
ended together with its process, from outside (`workers`).
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
"""Characters of a subject's own message that a report repeats."""


class CallTimeout(BaseException):
    """The timer went off; not an Exception, so that a subject does not catch it by accident."""


class AdapterError(Exception):
    """What is between the harness and the implementation failed: no verdict on the latter."""


class DeclinedError(Exception):
    """The subject raised `NotImplementedError`: it does not offer what it was asked for."""


class SubjectError(Exception):
    """A call into the subject that raised or did not return in time."""

    def __init__(self, message: str, cause: BaseException) -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes calls into a subject."""

    seconds: float
    """How long one call may take."""

    def __call__(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Return the answer, or raise `SubjectError`; what is not its fault has its own errors."""
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
    """Return whether an error comes from a package that is not installed, at its root or above."""
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
