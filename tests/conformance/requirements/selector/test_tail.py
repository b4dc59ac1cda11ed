"""Facts about `selector.tail`: which selectors fail far out in the tail, and why."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.tail import Tail
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.impl import subjects
from privtopk.impl.subjects.selectors import ServedSource
from privtopk.impl.top_k import top_k


@dataclass(frozen=True)
class Scaled:
    """The default engine with noise that is too small by a factor."""

    factor: float
    largest: int = 2**60
    cost: str = "batched"
    coins: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Select with noise of the wrong scale."""
        epsilon = question.epsilon * self.factor
        return top_k(
            ServedSource(scores), question.k, epsilon=epsilon, noise=question.noise, rng=self.coins
        ).items


@dataclass(frozen=True)
class Noiseless:
    """The exact top items, as if items that were not read had no noise."""

    largest: int = 2**60
    cost: str = "batched"

    def select(self, scores: Doors, question: Question) -> list[int]:
        """Return the first items of the sorted list."""
        return [item for item, _ in scores.top(question.k)]


@dataclass(frozen=True)
class LowHalf:
    """A selector whose leader wins as often as it must, but never an item of the upper half."""

    largest: int = 2**60
    cost: str = "batched"
    coins: random.Random = field(default_factory=lambda: random.Random(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Toss for one leader against an item of the lower half."""
        if question.k > 1:
            return subjects.batched.select(scores, question)
        ((leader, gap),) = scores.top(1)
        others = (scores.size - 1) * math.exp(-question.epsilon * gap)
        is_won = self.coins.random() < 1 / (1 + others)
        return [leader if is_won else self.coins.randrange(1, scores.size // 2)]


@pytest.mark.parametrize("name", ["batched", "rank_free", "one_shot", "automatic"])
def test_a_right_engine_passes(name: str) -> None:
    """Engines of the right law pass, lazy ones and scans."""
    case = run_case(getattr(subjects, name), Tail(), budget=0.125)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(("factor", "direction"), [(1.05, "small"), (1 / 1.05, "large")])
def test_noise_five_per_cent_off_fails(factor: float, direction: str) -> None:
    """Noise that is 5 % off is found, and the message says in which direction."""
    case = run_case(Scaled(factor), Tail(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert f"it looks like noise too {direction} by a factor of" in case.message


def test_items_without_noise_are_missed() -> None:
    """A selector that gives no noise to items it has not read fails, and the message says so."""
    case = run_case(Noiseless(), Tail(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith(
        "; it looks like noise whose tail is cut off, or items that were not read and get no noise"
    )


def test_a_favoured_half_of_the_domain_fails() -> None:
    """A selector that never names an item of the upper half fails."""
    assert run_case(LowHalf(), Tail(), budget=4).verdict is CaseVerdict.FAIL
