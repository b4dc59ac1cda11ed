"""Facts about `selector.freshness`."""

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.freshness import Freshness
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.impl import subjects
from privtopk.impl.subjects.selectors import ServedSource
from privtopk.impl.top_k import top_k


@dataclass(frozen=True)
class Seeded:
    """The default engine with one of a few seeds."""

    seeds: int
    largest: int = 2**60
    cost: str = "batched"
    coins: random.Random = field(default_factory=lambda: random.Random(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Select with noise that others can reproduce."""
        seed = self.coins.randrange(self.seeds)
        return top_k(ServedSource(scores), question.k, epsilon=question.epsilon, rng=seed).items


@dataclass(frozen=True)
class Delayed:
    """An engine that repeats every answer some calls later."""

    lag: int
    cost: str = "batched"
    largest: int = 100
    given: deque[Sequence[object]] = field(default_factory=deque)

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Answer from memory, except for the first few questions about a small domain."""
        if scores.size == self.largest or len(self.given) < self.lag:
            self.given.append(subjects.batched.select(scores, question))
        self.given.append(self.given.popleft())
        return self.given[-1]


@pytest.mark.parametrize("name", ["batched", "rank_free", "one_shot"])
def test_a_right_engine_is_fresh(name: str) -> None:
    """Engines that draw fresh noise pass."""
    case = run_case(getattr(subjects, name), Freshness(), budget=0.25)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_one_seed_fails() -> None:
    """A generator that is reset with every call fails, and the message says so."""
    case = run_case(Seeded(1), Freshness(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith("; it looks like an answer that is repeated")


def test_a_thousand_seeds_fail() -> None:
    """Noise from a thousand seeds fails on the largest domain: items come again."""
    case = run_case(Seeded(1000), Freshness(), budget=4)
    assert (case.verdict, case.failed_experiment) == (CaseVerdict.FAIL, 2)
    assert case.message.endswith("; it looks like noise that is drawn from a few seeds only")


def test_a_cached_answer_fails() -> None:
    """A selector that always gives its first answer again fails."""
    assert run_case(Delayed(1), Freshness(), budget=4).verdict is CaseVerdict.FAIL


def test_two_answers_in_turn_fail() -> None:
    """A selector that repeats every answer two calls later fails."""
    assert run_case(Delayed(2), Freshness(), budget=4).verdict is CaseVerdict.FAIL
