"""Subjects that want a verdict which they do not deserve, by other means than their answers.

They return the best items without noise, and attack what they can reach from their process: the
modules of the harness, the descriptors of the protocol, and the processes above them. Never call
them in a process of your own: there some of them would succeed.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

from privtopk.conformance.evidence import decision
from privtopk.conformance.evidence.trial import Observation
from privtopk.conformance.mutants.hostile.misbehaving import Misbehaving
from privtopk.conformance.mutants.mutant import HOSTILE, mutant
from privtopk.conformance.mutants.right.selectors import Entries
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.wire import session

DESCRIPTORS: Final = range(3, 64)
FORGED: Final = b"".join(b'{"type":"items","items":[1],"seq":%d}\n' % seq for seq in range(64))


class ExactAnswer(Misbehaving):
    """A selector without noise."""

    def entries(self, scores: Doors, question: Question) -> Entries:
        """Return the best items only."""
        return scores.top(question.k)


class ReplacesTheHarness(ExactAnswer):
    """A call replaces the functions by which the harness observes and decides."""

    def misbehave(self, items: list[int]) -> Any:
        """Replace what decides about it in every module that is loaded."""
        for name, module in list(sys.modules.items()):
            if name.startswith("privtopk.conformance.running"):
                for function in ("perform", "observe", "prospects"):
                    setattr(module, function, lambda *arguments, **named: Observation())
        decision.Case.take = lambda *arguments: None  # type: ignore[method-assign]
        decision.Case.fail = decision.Case.skip  # type: ignore[assignment, method-assign]
        session.ChildSession.say = lambda *arguments: {}  # type: ignore[method-assign]
        return items


class WritesForgedLines(ExactAnswer):
    """A call writes answers to later questions to every descriptor that is open."""

    def misbehave(self, items: list[int]) -> Any:
        """Write to all of them."""
        write_to_all(FORGED)
        return items


class AnswersLater(ExactAnswer):
    """A thread writes answers to the protocol when nobody has asked."""

    def misbehave(self, items: list[int]) -> Any:
        """Start a thread that writes for a while."""

        def write() -> None:
            for _ in range(1000):
                write_to_all(FORGED)
                time.sleep(0.001)

        threading.Thread(target=write, daemon=True).start()
        return items


def write_to_all(text: bytes) -> None:
    """Write a text to every descriptor that takes it."""
    for descriptor in DESCRIPTORS:
        with contextlib.suppress(OSError):
            os.write(descriptor, text)


class CodeError(Exception):
    """An error that ends the process which unpickles it, with the code of success."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (0,)


class RaisesCode(ExactAnswer):
    """A call raises an error that runs code where it is unpickled."""

    def misbehave(self, items: list[int]) -> Any:
        """Raise."""
        raise CodeError("unpickle me")


class KillsItsParent(ExactAnswer):
    """A call kills the process that started its own."""

    def misbehave(self, items: list[int]) -> Any:
        """Kill the parent, and answer as if nothing had happened."""
        os.kill(os.getppid(), signal.SIGKILL)
        return items


class UnequalNumber(int):
    """A number that differs from every other, also from itself."""

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return id(self)


class RepeatsUnequalNumbers(Misbehaving):
    """All items of the answer are the same, but as objects that compare as different."""

    def misbehave(self, items: list[int]) -> Any:
        """Return the first item only."""
        return [UnequalNumber(items[0]) for _ in items]


class ChangingItems(list[int]):
    """A list that gives other items each time it is read."""

    def __iter__(self) -> Iterator[int]:
        self.reverse()
        return iter([self[0]] * len(self))


class ReturnsChangingItems(Misbehaving):
    """The answer is a list that repeats one item when it is read, and shows others when asked."""

    def misbehave(self, items: list[int]) -> Any:
        """Return such a list."""
        return ChangingItems(items)


MUTANTS: Final = (
    mutant(ReplacesTheHarness, HOSTILE, "selector.set-law"),
    mutant(WritesForgedLines, HOSTILE, "selector.shape"),
    mutant(AnswersLater, HOSTILE, "selector.shape"),
    mutant(RaisesCode, HOSTILE, "selector.shape"),
    mutant(KillsItsParent, HOSTILE, "selector.shape"),
    mutant(RepeatsUnequalNumbers, HOSTILE, "selector.shape"),
    mutant(ReturnsChangingItems, HOSTILE, "selector.shape"),
)
