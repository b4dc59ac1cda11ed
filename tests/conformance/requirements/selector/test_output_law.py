"""Facts about the law of selections: which subjects pass, and how wrong ones are found."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from conformance.support_oracle import run_case
from conformance.support_selectors import Scan
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.output_law import RankedLaw, SetLaw
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject
from privtopk.impl.subjects import batched

SETS, RANKED = SetLaw(), RankedLaw()
SCAN = Subject(Scan(), abilities_of(Scan()))


class Scaled(Scan):
    """Uses noise of another scale."""

    factor = 1.0

    def checked_rate(self, question: Question, m: int) -> float:
        """Return a wrong rate."""
        return super().checked_rate(question, m) * self.factor


class Undivided(Scan):
    """Spends the whole budget on each item."""

    def checked_rate(self, question: Question, m: int) -> float:
        """Return epsilon itself."""
        return super().checked_rate(question, m) * question.k


class Inverted(Scan):
    """Uses epsilon as the scale."""

    def checked_rate(self, question: Question, m: int) -> float:
        """Return the inverse."""
        return 1 / super().checked_rate(question, m)


class LaplaceNoise(Scan):
    """Uses Laplace noise instead of Gumbel noise."""

    def noise(self, u: float) -> float:
        """Return a standard Laplace variable."""
        return math.log(2 * u) if u < 0.5 else -math.log(2 - 2 * u)


class LowestFirst(Scan):
    """Prefers low numbers: the noise of the first item is raised."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Favour item 1."""
        return super().best({**noisy, 1: noisy[1] + 0.5}, question)


class SameCoin(Scan):
    """Adds one noise to all items."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Draw once."""
        coin = self.uniform()
        return self.select_with_uniforms(scores, lambda: coin, question)


class Shuffled(Scan):
    """Returns the right set in any order."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Shuffle the best."""
        items = list(super().best(noisy, question))
        self.coins.shuffle(items)
        return items


def scaled_scan(factor: float) -> Scaled:
    """Return a scan whose rate is multiplied."""
    selector = Scaled()
    selector.factor = factor
    return selector


@pytest.mark.slow
@pytest.mark.parametrize("selector", [Scan(), batched])
def test_a_right_selector_has_the_law(selector: Any) -> None:
    """Right selectors pass; a false alarm has probability at most 1.6e-7."""
    assert run_case(selector, SETS, budget=0.15).verdict is CaseVerdict.PASS
    assert run_case(selector, RANKED, budget=0.15).verdict is CaseVerdict.PASS


@pytest.mark.parametrize(
    "selector",
    [
        scaled_scan(2),
        scaled_scan(0.5),
        Undivided(),
        Inverted(),
        SameCoin(),
        pytest.param(LowestFirst(), marks=pytest.mark.slow),
        pytest.param(scaled_scan(1.25), marks=pytest.mark.slow),
    ],
)
def test_a_wrong_law_is_found(selector: Any) -> None:
    """Wrong scales, undivided budgets, favoured items and shared noise are found."""
    assert run_case(selector, SETS, budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.slow
def test_another_noise_is_found() -> None:
    """Laplace noise instead of Gumbel noise of the same scale is found."""
    assert run_case(LaplaceNoise(), SETS, budget=3).verdict is CaseVerdict.FAIL


def test_a_wrong_order_is_found() -> None:
    """The right set in a random order fails as a ranked list, and only as such."""
    assert run_case(Shuffled(), RANKED, budget=4).verdict is CaseVerdict.FAIL


def test_a_selector_of_sets_is_not_asked_for_lists() -> None:
    """A subject that returns no ranked lists is skipped."""
    case = run_case(lambda scores, question: [1], RANKED)
    assert (case.verdict, case.message) == (CaseVerdict.SKIP, "the subject returns no ranked lists")
