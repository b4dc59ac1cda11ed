"""Facts about `selector.accuracy`: which selectors err too often."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.accuracy import (
    BETA,
    Accuracy,
    TwoScores,
    two_scores,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject
from privtopk.impl import subjects
from privtopk.impl.subjects.selectors import ServedSource
from privtopk.impl.top_k import top_k
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import failure_probability


@dataclass(frozen=True)
class Scaled:
    """The default engine with noise that is too large by a factor."""

    factor: float
    cost: str = "batched"
    coins: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Select with noise that is too large."""
        epsilon = question.epsilon / self.factor
        return top_k(
            ServedSource(scores), question.k, epsilon=epsilon, noise=question.noise, rng=self.coins
        ).items


@dataclass(frozen=True)
class RandomSubset:
    """A selector that ignores the scores."""

    coins: random.Random = field(default_factory=lambda: random.Random(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Return any items."""
        return self.coins.sample(range(1, scores.size + 1), question.k)


class PartOfTheDomain:
    """A selector that ignores the last fifth of the items."""

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Return the best of the items that it looks at."""
        items = range(1, 1 + max(question.k, scores.size * 4 // 5))
        values = dict(zip(items, scores.values(items), strict=True))
        return sorted(items, key=lambda item: -values[item])[: question.k]


@pytest.mark.parametrize("name", ["batched", "rank_free", "threshold", "one_shot"])
def test_a_right_engine_is_accurate(name: str) -> None:
    """Engines of the right law pass."""
    case = run_case(getattr(subjects, name), Accuracy(), budget=0.1)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_a_random_subset_fails() -> None:
    """A choice that ignores the scores fails, and the message says so."""
    case = run_case(RandomSubset(), Accuracy(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith(
        "; it looks like a choice that ignores the scores, or part of the domain"
    )


def test_twice_the_noise_fails() -> None:
    """Noise of twice the scale errs too often."""
    assert run_case(Scaled(2.0), Accuracy(), budget=4).verdict is CaseVerdict.FAIL


def test_a_part_of_the_domain_fails() -> None:
    """A selector without noise that misses a fifth of the items fails."""
    assert run_case(PartOfTheDomain(), Accuracy(), budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize("noise", list(NoiseKind))
def test_two_values_come_close_to_the_allowed_probability(noise: NoiseKind) -> None:
    """On the scores of the experiments a large error has nearly the probability beta."""
    subject = Subject(subjects.batched, abilities_of(subjects.batched))
    setting = two_scores(subject, 10_000, 10, noise)
    rate = subject.rate(setting.question, setting.m)
    chance = failure_probability(noise, rate, setting.height, 10, 10_000)
    assert 0.9 * BETA < chance <= BETA


def test_the_best_items_stand_just_above_the_allowed_error() -> None:
    """The height is the smallest whole number above alpha, also if alpha is whole."""
    heights = [TwoScores(9, Question(1, 1.0), alpha).height for alpha in (2.5, 3.0)]
    assert heights == [3, 4]
