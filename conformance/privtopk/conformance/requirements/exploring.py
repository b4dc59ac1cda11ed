"""Deterministic requirements on inputs that Hypothesis generates and shrinks."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.subjects.calls import (
    AdapterError,
    CallTimeout,
    DeclinedError,
    SubjectError,
)

Example = TypeVar("Example")

FAILURES: Final = (ViolationError, SubjectError, DeclinedError, AdapterError)
"""What ends an exploration."""

SHRINKING_SECONDS: Final = 5.0
"""How long a failing example is made smaller: a small one reads better, a late one helps nobody."""


def explore(
    trial: Trial, examples: SearchStrategy[Example], check: Callable[[Example], None]
) -> None:
    """Check so many examples; the error that is raised is that of the smallest failing one.

    A subject that fails an example once has failed it, even if it does not do so again.
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
    """The failures of one exploration; Hypothesis meets the smaller ones later."""

    def __init__(self) -> None:
        self.last: Exception | None = None
        self._until = float("inf")

    @property
    def are_enough(self) -> bool:
        """Whether the search for a smaller example is over."""
        return time.monotonic() > self._until

    def note(self, check: Callable[[Example], None], example: Example) -> None:
        """Check an example and remember how it failed."""
        try:
            check(example)
        except FAILURES as failure:
            self.last = failure
            seconds = SHRINKING_SECONDS if can_be_shrunk(failure) else 0.0
            self._until = min(self._until, time.monotonic() + seconds)
            raise


def can_be_shrunk(failure: Exception) -> bool:
    """Return whether to look for a smaller example: a call that hangs would hang again."""
    if isinstance(failure, SubjectError):
        return not isinstance(failure.cause, CallTimeout)
    return isinstance(failure, ViolationError)
