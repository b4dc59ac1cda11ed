"""Facts about selections with served uniforms: which pass, and how wrong ones are found."""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from conformance.support_oracle import run_case
from conformance.support_selectors import Scan
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.selector.uniforms import (
    LARGEST,
    SMALLEST,
    ServedUniforms,
    TapeDeterminism,
    TapeExtremes,
    TapeLaw,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.reference import spec_selector

DETERMINISM, EXTREMES, LAW = TapeDeterminism(), TapeExtremes(), TapeLaw()


class OwnCoins(Scan):
    """Draws its own random numbers."""

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> Sequence[int]:
        """Ignore what is served."""
        return super().select_with_uniforms(scores, self.uniform, question)


class OneOwnCoin(Scan):
    """Reads the list in an order of its own."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Read everything once, in any order."""
        order = list(range(1, scores.size + 1))
        self.coins.shuffle(order)
        values = dict(zip(order, scores.values(order), strict=True))
        return {item: values[item] for item in sorted(values)}


class Memo(Scan):
    """Draws one uniform more when it is used for the first time."""

    used = False

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> Sequence[int]:
        """Select, and draw a last coin if that is new."""
        items = super().select_with_uniforms(scores, uniform, question)
        if not self.used:
            uniform()
            self.used = True
        return items


class FixedCoins(Scan):
    """Ignores the tape and always draws the same."""

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> Sequence[int]:
        """Draw from a fixed seed."""
        return super().select_with_uniforms(scores, random.Random(0).random, question)


class FromAbove(Scan):
    """Takes the logarithm of 1 - u, which may be rounded."""

    def noise(self, u: float) -> float:
        """Return a Gumbel variable, or fail at an end of the unit interval."""
        return -math.log(-math.log1p(-(u - SMALLEST)))


class Picky(Scan):
    """Demands different noises."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Refuse ties."""
        if len(set(noisy.values())) < len(noisy):
            raise ValueError("two items have the same noisy score")
        return super().best(noisy, question)


class ByScore(Scan):
    """Loses items with the same noisy score."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Look items up by their noisy score."""
        by_score = {value: item for item, value in noisy.items()}
        return [by_score[value] for value in sorted(by_score, reverse=True)][: question.k]


class Waiting(Scan):
    """Waits for a uniform in the upper half."""

    def noise(self, u: float) -> float:
        """Never return for a small coin."""
        while u <= SMALLEST:
            pass
        return super().noise(u)


class Logistic(Scan):
    """Uses logistic noise instead of Gumbel noise."""

    def noise(self, u: float) -> float:
        """Return a logistic variable."""
        return math.log(u) - math.log1p(-u)


class SharedCoins(Scan):
    """Uses every uniform for two items."""

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> Sequence[int]:
        """Serve every coin twice."""
        coins: list[float] = []

        def twice() -> float:
            if not coins:
                coins.extend([uniform()] * 2)
            return coins.pop()

        return super().select_with_uniforms(scores, twice, question)


class HalfScale(Scan):
    """Uses half the noise."""

    def checked_rate(self, question: Question, m: int) -> float:
        """Return twice the rate."""
        return 2 * super().checked_rate(question, m)


@pytest.mark.parametrize("requirement", [DETERMINISM, EXTREMES, LAW])
@pytest.mark.parametrize("selector", [spec_selector, Scan()])
def test_a_right_selector_passes(selector: Any, requirement: Requirement) -> None:
    """The specification and a plain scan are functions of the tape, with the right law."""
    case = run_case(selector, requirement)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_a_selector_without_the_profile_is_skipped() -> None:
    """A subject that accepts no uniforms is skipped."""
    case = run_case(lambda scores, question: [1], DETERMINISM)
    assert (case.verdict, case.message) == (
        CaseVerdict.SKIP,
        "the subject has no uniforms-served profile",
    )


@pytest.mark.parametrize(
    ("selector", "what"),
    [(OwnCoins(), "items"), (OneOwnCoin(), "accesses"), (Memo(), "numbers of draws")],
)
def test_own_random_numbers_are_found(selector: Any, what: str) -> None:
    """The same tape must give the same items, accesses and number of uniforms."""
    case = run_case(selector, DETERMINISM)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith(f": the same uniforms gave different {what}")


def test_a_tape_must_not_be_ignored() -> None:
    """A selector that repeats its answers but never uses the uniforms is found."""
    case = run_case(FixedCoins(), DETERMINISM)
    message = "32 different tapes all selected item 1 of 6 that are tied"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (FromAbove(), "the subject raised ValueError: math domain error"),
        (Picky(), "the subject raised ValueError: two items have the same noisy score"),
        (ByScore(), "must return k=3 items, got 1 (m=6)"),
        (Waiting(), "the subject gave no answer within 0.5 s"),
    ],
)
def test_extreme_uniforms_break_careless_selectors(selector: Any, message: str) -> None:
    """A logarithm of 0, ties of noise, and loops that wait for another uniform are found."""
    case = run_case(selector, EXTREMES, seconds=0.5)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize("selector", [Logistic(), SharedCoins(), HalfScale()])
def test_a_wrong_law_is_found(selector: Any) -> None:
    """Another noise, uniforms used twice and a wrong scale are found."""
    assert run_case(selector, LAW, budget=4).verdict is CaseVerdict.FAIL


def test_a_wrong_scale_is_named() -> None:
    """The message names the mistake."""
    case = run_case(HalfScale(), LAW, budget=4)
    assert case.message.endswith(
        "; it looks like noise of half the scale"
    ) or case.message.endswith(
        "; it looks like a budget counted once and not for each of the k items"
    )


def test_a_tape_serves_given_uniforms_first() -> None:
    """Given uniforms come first, then those of the seed; all of them are counted."""
    tape, other = ServedUniforms(7, (SMALLEST, LARGEST)), ServedUniforms(7)
    assert [tape(), tape(), tape()] == [SMALLEST, LARGEST, other()]
    assert (tape.served, other.served) == (3, 1)


def test_served_uniforms_lie_inside_the_unit_interval() -> None:
    """A uniform is an odd multiple of 2^-53, so neither 0 nor 1."""
    tape = ServedUniforms(1)
    coins = [tape() for _ in range(1000)]
    assert all(0 < coin < 1 and int(coin * 2**53) % 2 == 1 for coin in coins)
