"""Explores inputs that Hypothesis generates, and shrinks those that fail."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.subjects.calls import (
    AdapterError,
    AnswerError,
    CallTimeout,
    ChildFault,
    DeclinedError,
    SubjectError,
)

Example = TypeVar("Example")

FAILURES: Final = (ViolationError, AnswerError, SubjectError, DeclinedError, AdapterError)
"""The errors that end an exploration."""

SHRINKING_SECONDS: Final = 5.0
"""Time for shrinking a failing example: small ones are easier to read, but must not come late."""


def explore(
    trial: Trial, examples: SearchStrategy[Example], check: Callable[[Example], None]
) -> None:
    """Check `trial.count` examples, and raise the error of the smallest one that fails.

    A failure counts even if the subject does not fail on the same example again.
    """
    failures = _Failures()

    @seed(trial.coins.getrandbits(64))
    @settings(
        max_examples=trial.count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )
    @given(examples)
    def every_example(example: Example) -> None:
        if not failures.are_enough:
            failures.note(check, example)

    try:
        every_example()
    except (Flaky, *FAILURES):
        if failures.last is None:
            raise
    if failures.last is not None:
        raise failures.last


class _Failures:
    """The failures of one exploration; Hypothesis finds smaller ones later."""

    def __init__(self) -> None:
        self.last: Exception | None = None
        self._until = float("inf")

    @property
    def are_enough(self) -> bool:
        """Whether the search for a smaller example is over."""
        return time.monotonic() > self._until

    def note(self, check: Callable[[Example], None], example: Example) -> None:
        """Check an example and remember its failure."""
        try:
            check(example)
        except FAILURES as failure:
            self.last = failure
            seconds = SHRINKING_SECONDS if can_be_shrunk(failure) else 0.0
            self._until = min(self._until, time.monotonic() + seconds)
            raise


def can_be_shrunk(failure: Exception) -> bool:
    """Return whether to search for a smaller example; not if a call hangs or dies."""
    if isinstance(failure, SubjectError):
        return not isinstance(failure.cause, CallTimeout | ChildFault)
    return isinstance(failure, ViolationError | AnswerError)
