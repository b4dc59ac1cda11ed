"""Facts about replays with served noise: which subjects pass, and how wrong ones are found."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from conformance.support_oracle import run_case
from conformance.support_selectors import Rounds
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.replay import (
    ReplayInstance,
    ReplaySet,
    ReplayStop,
    instances,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.reference import spec_selector
from privtopk.impl.subjects import batched, online, rank_free, threshold

SET, STOP = ReplaySet(), ReplayStop()
RIGHT = [threshold, online, rank_free, spec_selector, Rounds()]
BUDGET = 0.4


class Strict(Rounds):
    """Stops only if the items are better than the threshold, not if they are as good."""

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select; a list that ends is a reason to stop."""
        best: dict[int, float] = {}
        for _ in range(scores.size):
            best, threshold = self.read_round(best, scores, noises, question.k)
            if len(best) == question.k and min(best.values()) > threshold:
                break
        return list(best)


class OneRoundMore(Strict):
    """Uses the threshold of the round before."""

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select with a stale threshold."""
        best: dict[int, float] = {}
        stale = float("inf")
        for _ in range(scores.size):
            best, threshold = self.read_round(best, scores, noises, question.k)
            if self.is_done(best, question.k, stale):
                break
            stale = threshold
        return list(best)


class Early(Rounds):
    """Stops as soon as it has k items."""

    def is_done(self, best: dict[int, float], k: int, threshold: float) -> bool:
        """Return whether there are k items."""
        return len(best) == k


class WithoutNoise(Rounds):
    """Forgets the noise of the items of the score list."""

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select the best by score alone."""
        return [item for item, _ in scores.top(question.k)]


class Everything(Rounds):
    """Right, but reads everything."""

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select from all."""
        other = dict(noises.top(noises.size))
        noisy = {item: score + other[item] for item, score in scores.top(scores.size)}
        return list(self.best_entries(noisy, question.k))


class Unread(Rounds):
    """Returns items of the noise list whose scores it never read."""

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select the items with the largest noise."""
        return [item for item, _ in noises.top(question.k)]


class Moody(Rounds):
    """Is wrong by chance: not a function of the lists."""

    def __init__(self) -> None:
        self.coins = random.Random(5)

    def is_done(self, best: dict[int, float], k: int, threshold: float) -> bool:
        """Stop at random rounds."""
        return len(best) == k and (self.coins.random() < 0.3 or super().is_done(best, k, threshold))


@pytest.mark.parametrize("selector", [*RIGHT, Everything(), Strict()])
def test_the_right_set_passes(selector: Any) -> None:
    """Every threshold engine, and also a scan, selects the k largest noisy scores."""
    case = run_case(selector, SET, budget=BUDGET)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("selector", RIGHT)
def test_the_right_round_passes(selector: Any) -> None:
    """Every threshold engine stops when the specification does."""
    case = run_case(selector, STOP, budget=BUDGET)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("selector", [Early(), WithoutNoise(), Moody()])
def test_a_wrong_set_is_found(selector: Any) -> None:
    """Stopping early, ignoring noise and being wrong by chance are found."""
    assert run_case(selector, SET, budget=4).verdict is CaseVerdict.FAIL


def test_a_wrong_set_is_reported_by_a_small_instance() -> None:
    """The smallest instance that fails is reported."""
    case = run_case(WithoutNoise(), SET)
    assert case.message.endswith("returned item 1 with noisy score 0 instead of item 2 with 0.125")


def test_an_unread_item_is_found() -> None:
    """A selector that returns an item without reading its score fails."""
    case = run_case(Unread(), SET)
    message = "h=(0,), Z=(0.0,), k=1: returned item 1 without reading its score"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize("selector", [Strict(), OneRoundMore(), Everything(), Early()])
def test_a_wrong_round_is_found(selector: Any) -> None:
    """`>` for `>=`, a stale threshold, a scan and an early stop are found."""
    assert run_case(selector, STOP, budget=4).verdict is CaseVerdict.FAIL


def test_strictness_never_changes_the_set() -> None:
    """`>` for `>=` returns the right set: only the rounds reveal it."""
    assert run_case(Strict(), SET, budget=BUDGET).verdict is CaseVerdict.PASS
    case = run_case(Strict(), STOP)
    message = (
        "h=(0, 0), Z=(0.0, 0.0), k=1: made 2 sorted accesses to the score list; it must stop "
        "after 1"
    )
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def test_rounds_are_asked_of_threshold_selectors_only() -> None:
    """A selector that does not promise rounds is not tested for them."""
    promised = "the subject does not promise the rounds of the threshold algorithm"
    case = run_case(batched, STOP)
    assert (case.verdict, case.message) == (CaseVerdict.SKIP, promised)


def test_replays_need_the_profile() -> None:
    """A selector that accepts no served noise is skipped."""
    case = run_case(batched, SET)
    message = "the subject has no noise-served profile"
    assert (case.verdict, case.message) == (CaseVerdict.SKIP, message)


@given(instances(6))
def test_noisy_scores_are_exact(instance: ReplayInstance) -> None:
    """Noises are multiples of 1/8, so that noisy scores are exact in doubles."""
    assert all((8 * value).is_integer() for value in map(float, instance.noisy))
    assert 1 <= instance.k <= len(instance.scores) == len(instance.noises)
