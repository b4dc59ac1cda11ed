"""Subjects that take more than they are given: time, memory, output, and life.

Call them only in a process that may die.
"""

import itertools
import mmap
import os
import time
from collections.abc import Iterator
from typing import Any, Final

from privtopk.conformance.mutants.hostile.forging import write_to_all
from privtopk.conformance.mutants.hostile.misbehaving import Misbehaving
from privtopk.conformance.mutants.mutant import HOSTILE, mutants

LARGE: Final = 1 << 28
"""Bytes of one piece of memory."""

LONG: Final = 3600
"""Seconds that nobody waits for."""


class SlowTextError(Exception):
    """An error whose text takes an hour."""

    def __str__(self) -> str:
        time.sleep(LONG)
        return "at last"


class RaisesASlowText(Misbehaving):
    """Every call raises an error whose text takes an hour."""

    def misbehave(self, items: list[int]) -> Any:
        """Raise."""
        raise SlowTextError


class SlowItems(list[int]):
    """A list whose items take an hour."""

    def __iter__(self) -> Iterator[int]:
        time.sleep(LONG)
        return super().__iter__()


class ReturnsSlowItems(Misbehaving):
    """The answer is a list that takes an hour to be read."""

    def misbehave(self, items: list[int]) -> Any:
        """Return such a list."""
        return SlowItems(items)


class EatsSharedMemory(Misbehaving):
    """A call maps memory that it shares with other processes, until none is left."""

    def misbehave(self, items: list[int]) -> Any:
        """Map memory and write to every page of it."""
        kept = []
        for _ in itertools.count():
            shared = mmap.mmap(-1, LARGE)
            shared.write(b"x" * LARGE)
            kept.append(shared)
        return items


class EatsMemoryFiles(Misbehaving):
    """A call fills files that lie in memory and are mapped nowhere."""

    def misbehave(self, items: list[int]) -> Any:
        """Write to one file without end."""
        file = os.memfd_create("votes")
        page = b"x" * (1 << 20)
        while True:
            os.write(file, page)


class PrintsWithoutEnd(Misbehaving):
    """A call prints until it is ended."""

    def misbehave(self, items: list[int]) -> Any:
        """Print."""
        while True:
            print("a line of no interest " * 1000)


class SendsAnEndlessLine(Misbehaving):
    """A call sends a line without end by the protocol."""

    def misbehave(self, items: list[int]) -> Any:
        """Write to every descriptor, never a newline."""
        while True:
            write_to_all(b"x" * (1 << 20))


class LeavesAProcess(Misbehaving):
    """A call starts a process in a session of its own, which lives for an hour, and then raises."""

    def misbehave(self, items: list[int]) -> Any:
        """Detach a process as a daemon does."""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(LONG)
            os._exit(0)
        raise RuntimeError("somebody stays")


MUTANTS: Final = mutants(
    (
        RaisesASlowText,
        ReturnsSlowItems,
        EatsSharedMemory,
        EatsMemoryFiles,
        PrintsWithoutEnd,
        SendsAnEndlessLine,
        LeavesAProcess,
    ),
    HOSTILE,
    "selector.shape",
)
