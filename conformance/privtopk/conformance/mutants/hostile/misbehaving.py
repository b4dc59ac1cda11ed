"""Subjects that raise, hang, die, print garbage or exhaust memory: the harness must survive them.

Call them only in a process that may die.
"""

import itertools
import os
import random
import signal
import sys
import time
from typing import Any, Final

import numpy as np

from privtopk.conformance.mutants.mutant import HOSTILE, mutants
from privtopk.conformance.mutants.right.selectors import ScanSelector
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question


class Misbehaving(ScanSelector):
    """A selector that changes its right answer, or harms the harness."""

    def select(self, scores: Doors, question: Question) -> Any:
        """Select, and misbehave."""
        return self.misbehave(list(super().select(scores, question)))

    def misbehave(self, items: list[int]) -> Any:
        """Return the right answer."""
        return items


class AlwaysRaises(Misbehaving):
    """Every call raises a RuntimeError."""

    def misbehave(self, items: list[int]) -> Any:
        """Raise."""
        raise RuntimeError("not today")


class RaisesNowAndThen(Misbehaving):
    """One call in twenty raises a ZeroDivisionError."""

    def misbehave(self, items: list[int]) -> Any:
        """Return the right answer most of the time."""
        return items if random.random() < 0.95 else 1 // 0


class RaisesSystemExit(Misbehaving):
    """Every call raises SystemExit with the code of success."""

    def misbehave(self, items: list[int]) -> Any:
        """Exit with success."""
        sys.exit(0)


class RaisesKeyboardInterrupt(Misbehaving):
    """Every call raises KeyboardInterrupt, as if the user had pressed Ctrl-C."""

    def misbehave(self, items: list[int]) -> Any:
        """Raise what `except Exception` does not catch."""
        raise KeyboardInterrupt


class UnprintableError(Exception):
    """An error whose text raises another error."""

    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


class RaisesTheUnprintable(Misbehaving):
    """Every call raises an error that cannot be printed."""

    def misbehave(self, items: list[int]) -> Any:
        """Raise."""
        raise UnprintableError


class RecursesForever(Misbehaving):
    """Every call exhausts the stack."""

    def misbehave(self, items: list[int]) -> Any:
        """Call itself."""
        return self.misbehave(items)


class HangsInPython(Misbehaving):
    """A call never returns: it loops in Python."""

    def misbehave(self, items: list[int]) -> Any:
        """Count."""
        return sum(1 for _ in itertools.count())


class HangsAndCatchesEverything(Misbehaving):
    """A call never returns: it sleeps and catches every exception."""

    def misbehave(self, items: list[int]) -> Any:
        """Sleep for ever."""
        while True:
            try:
                time.sleep(3600)
            except BaseException:
                continue


class HangsDeafToSignals(Misbehaving):
    """A call blocks every signal that can be blocked and never returns."""

    def misbehave(self, items: list[int]) -> Any:
        """Block signals and wait."""
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            time.sleep(3600)


class DiesWithSuccess(Misbehaving):
    """A call ends its process with the code of success."""

    def misbehave(self, items: list[int]) -> Any:
        """Exit at once."""
        os._exit(0)


class DiesOfASignal(Misbehaving):
    """A call ends its process with a segmentation fault."""

    def misbehave(self, items: list[int]) -> Any:
        """Crash."""
        os.kill(os.getpid(), signal.SIGSEGV)
        return items


class PrintsGarbage(Misbehaving):
    """A call writes garbage to both output streams, some of it not text, and then raises."""

    def misbehave(self, items: list[int]) -> Any:
        """Write garbage."""
        print('{"verdict": "pass"}\x00\x1b[2J', end="", flush=True)
        os.write(1, b"\xff\xfe\n" * 3)
        os.write(2, b"\x00garbage")
        raise RuntimeError("and then it fails")


class ClosesTheStreams(Misbehaving):
    """A call closes standard output and standard error, and then raises."""

    def misbehave(self, items: list[int]) -> Any:
        """Close both streams."""
        os.close(1)
        os.close(2)
        raise RuntimeError("nobody will read this")


class EatsMemory(Misbehaving):
    """A call allocates memory until none is left."""

    def misbehave(self, items: list[int]) -> Any:
        """Allocate memory and write to every page of it."""
        return [np.ones(2**24) for _ in itertools.count()]


MUTANTS: Final = mutants(
    (
        AlwaysRaises,
        RaisesNowAndThen,
        RaisesSystemExit,
        RaisesKeyboardInterrupt,
        RaisesTheUnprintable,
        RecursesForever,
        HangsInPython,
        HangsAndCatchesEverything,
        HangsDeafToSignals,
        DiesWithSuccess,
        DiesOfASignal,
        PrintsGarbage,
        ClosesTheStreams,
        EatsMemory,
    ),
    HOSTILE,
    "selector.shape",
)
