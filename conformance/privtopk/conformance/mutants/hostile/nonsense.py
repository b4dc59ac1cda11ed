"""Subjects that answer nonsense: the harness must report a failure, and not fail itself."""

import itertools
import random
import time
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from privtopk.conformance.mutants.hostile.misbehaving import Misbehaving
from privtopk.conformance.mutants.mutant import HOSTILE, mutant
from privtopk.conformance.mutants.right.lists import NoiseSampler, RankFreeList
from privtopk.conformance.mutants.right.stores import BisectIndex, HistogramSource
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.question import Question


class ReturnsNone(Misbehaving):
    """The answer is None."""

    def misbehave(self, items: list[int]) -> Any:
        """Return nothing."""
        return None


class ReturnsAGenerator(Misbehaving):
    """The answer is a generator, which can be read only once."""

    def misbehave(self, items: list[int]) -> Iterator[int]:
        """Return the items on demand."""
        return (item for item in items)


class ReturnsAnEndlessGenerator(Misbehaving):
    """The answer is an endless generator."""

    def misbehave(self, items: list[int]) -> Iterator[int]:
        """Return the items again and again."""
        return itertools.cycle(items)


class ReturnsStrings(Misbehaving):
    """The items are strings of digits."""

    def misbehave(self, items: list[int]) -> Any:
        """Return text."""
        return [str(item) for item in items]


class ReturnsFloats(Misbehaving):
    """The items are doubles."""

    def misbehave(self, items: list[int]) -> Any:
        """Return numbers that are not integers."""
        return [float(item) for item in items]


class ReturnsAMask(Misbehaving):
    """The answer is a numpy mask of the items, true where one is selected."""

    def misbehave(self, items: list[int]) -> Any:
        """Return booleans."""
        return np.isin(np.arange(1, max(items) + 1), items)


class ReturnsItemsFromZero(Misbehaving):
    """The items of the answer are numbered from 0."""

    def misbehave(self, items: list[int]) -> Any:
        """Return indices."""
        return [item - 1 for item in items]


class ReturnsTooMuch(Misbehaving):
    """The answer is ten million items long."""

    def misbehave(self, items: list[int]) -> Any:
        """Return the items again and again."""
        return items * (10_000_000 // len(items))


class LyingList(list[int]):
    """A list that reports a wrong length."""

    def __len__(self) -> int:
        return -1


class ReturnsALyingList(Misbehaving):
    """The answer is a list whose length is negative."""

    def misbehave(self, items: list[int]) -> Any:
        """Return a list of negative length."""
        return LyingList(items)


class ChangesTheQuestion(Misbehaving):
    """A call changes the question that it was asked, and answers the changed one."""

    def select(self, scores: Doors, question: Question) -> Any:
        """Select one item, whatever k is."""
        object.__setattr__(question, "k", 1)
        return super().select(scores, question)


class SeedsTheWorld(Misbehaving):
    """Every call seeds the global generators that it uses, and so repeats itself."""

    def select(self, scores: Doors, question: Question) -> Any:
        """Select with the global generator."""
        random.seed(7)
        np.random.seed(7)
        return super().select(scores, question)

    def coins(self) -> Any:
        """Return the coins of the global generator."""
        return lambda: random.uniform(2**-53, 1 - 2**-53)


class ListThatRaises(RankFreeList):
    """The third sorted access of a noise list raises a KeyError."""

    def sorted_access(self) -> tuple[int, float]:
        """Return an entry, or raise."""
        if self.delivered == 2:
            raise KeyError("lost")
        return super().sorted_access()


class ListOfNothing(RankFreeList):
    """The noises of a list are not numbers."""

    def value(self, level: float) -> float:
        """Return NaN."""
        return float("nan")


class ConstructorThatRaises(RankFreeList):
    """The constructor of a noise list raises."""

    def __init__(self, m: int, rate: float, noise: str) -> None:
        """Raise."""
        raise RuntimeError("some day")


@NoiseSampler
def nan_values(noise: Any, level: Any) -> float:
    """Some values are not numbers."""
    return float("nan") if level() < 0.1 else float(-np.log(level()))


class WordSampler:
    """Values are words."""

    kind = Kind.NOISE_SAMPLER

    def __init__(self, rate: float, noise: str, n: int) -> None:
        """Take the number of words."""
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index: int) -> str:
        if index >= self.n:
            raise IndexError(index)
        return "noise"


class IndexThatHangs(BisectIndex):
    """A predecessor search never ends."""

    def predecessor(self, key: int) -> int | None:
        """Search for ever."""
        while True:
            pass


class IndexThatRaises(BisectIndex):
    """A search without an answer raises instead of returning None."""

    def successor(self, key: int) -> int | None:
        """Return the next key, or raise."""
        found = super().successor(key)
        if found is None:
            raise IndexError(key)
        return found


class SourceOfNothing(HistogramSource):
    """A page is None."""

    def top(self, start: int, count: int) -> Any:
        """Return nothing."""
        return None


class SourceThatHangs(HistogramSource):
    """Random access waits for a server that does not answer."""

    def scores(self, items: Any) -> Any:
        """Wait."""
        while True:
            time.sleep(3600)


MUTANTS: Final = (
    mutant(ReturnsNone, HOSTILE, "selector.shape"),
    mutant(ReturnsAGenerator, HOSTILE, "selector.shape"),
    mutant(ReturnsAnEndlessGenerator, HOSTILE, "selector.shape"),
    mutant(ReturnsStrings, HOSTILE, "selector.shape"),
    mutant(ReturnsFloats, HOSTILE, "selector.shape"),
    mutant(ReturnsAMask, HOSTILE, "selector.shape"),
    mutant(ReturnsItemsFromZero, HOSTILE, "selector.shape"),
    mutant(ReturnsTooMuch, HOSTILE, "selector.shape"),
    mutant(ReturnsALyingList, HOSTILE, "selector.shape"),
    mutant(ChangesTheQuestion, HOSTILE, "selector.shape"),
    mutant(SeedsTheWorld, HOSTILE, "selector.freshness"),
    mutant(ListThatRaises, HOSTILE, "noise-oracle.doors"),
    mutant(ListOfNothing, HOSTILE, "noise-oracle.doors"),
    mutant(ConstructorThatRaises, HOSTILE, "noise-oracle.doors"),
    mutant(nan_values, HOSTILE, "noise-sampler.shape"),
    mutant(WordSampler, HOSTILE, "noise-sampler.shape"),
    mutant(IndexThatHangs, HOSTILE, "predecessor-index.neighbours"),
    mutant(IndexThatRaises, HOSTILE, "predecessor-index.neighbours"),
    mutant(SourceOfNothing, HOSTILE, "source.agreement"),
    mutant(SourceThatHangs, HOSTILE, "source.agreement"),
)
