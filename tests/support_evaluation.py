"""For the tests of the study: small cells, and an executor that runs them at once."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, ClassVar

from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.study.cell import Cell


class AtOnce(Executor):
    """Runs each call in this thread, at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return a future that is done; an exception is raised here, as Ctrl-C would be."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


MEASURED: list[str] = []
"""The names of the cells that were measured, in order."""


@dataclass(frozen=True, slots=True)
class DrawnCell(Cell):
    """A cell that draws one number; the third may be interrupted."""

    topic: ClassVar[str] = "drawn"

    place: int

    def measure(self) -> list[Row]:
        """Return one row with the number drawn."""
        MEASURED.append(self.name)
        return [{"number": self.generator.random()}]


@dataclass(frozen=True, slots=True)
class ClockCell(DrawnCell):
    """A cell that draws one number and counts as a measurement of time."""

    topic: ClassVar[str] = "clock"
    is_timed: ClassVar[bool] = True
