"""Facts about faulty sources and extreme inputs: which subjects pass, and how others are found."""

import contextlib
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from conformance.support_flips import Flips
from conformance.support_oracle import run_case
from conformance.support_selectors import Scan
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.instruments.faulty_list import DoorsError
from privtopk.conformance.requirements.selector.robustness import (
    CERTAIN,
    EXTREMES,
    Degenerate,
    FaultySource,
    chance_of_another,
)
from privtopk.conformance.subjects.checked_doors import CheckedDoors
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.reference import HarnessList, spec_selector
from privtopk.impl.subjects import (
    automatic,
    batched,
    one_shot,
    online,
    rank_free,
    threshold,
)
from privtopk.spec.algorithms.private_threshold import noise_list, private_threshold
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.noise.distributions import NoiseKind, noise_of

FAULTY, DEGENERATE = FaultySource(), Degenerate()
ENGINES = [batched, one_shot, automatic, threshold, online, rank_free, spec_selector]


class Downwards(Scan):
    """A scan that reads by sorted access."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Return all entries of the sorted list."""
        return dict(scores.top(scores.size))


class Careless(Scan):
    """Accepts everything that the source returns."""

    def require_histogram(self, values: dict[int, float], m: int) -> dict[int, float]:
        """Check nothing."""
        return values


class CarelessDownwards(Downwards, Careless):
    """Accepts everything that sorted access returns."""


class Swallowing(Scan):
    """Uses 0 for scores that it cannot read."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Return scores as far as they can be read."""
        values = dict.fromkeys(range(1, scores.size + 1), 0.0)
        with contextlib.suppress(Exception):
            for item in values:
                values[item] = scores.random_access(item)
        return values


class Forgetful(Scan):
    """Replaces the source's exception by one of its own."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Return the scores, or raise without the reason."""
        try:
            return super().read(scores)
        except Exception:
            pass
        raise RuntimeError("something went wrong")


class Wrapping(Scan):
    """Raises an exception of its own from the source's."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Return the scores, or raise with the reason."""
        try:
            return super().read(scores)
        except DoorsError as error:
            raise RuntimeError("the source failed") from error


class Hanging(Scan):
    """Waits for a source that is gone."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Repeat the read forever."""
        while True:
            with contextlib.suppress(Exception):
                return super().read(scores)


class UncheckedOrder(CheckedDoors):
    """Doors whose scores may rise."""

    def require_order(self, score: int) -> None:
        """Accept every score."""


class UncheckedRepetition(CheckedDoors):
    """Doors whose items may come twice."""

    def require_first_delivery(self, item: int) -> None:
        """Accept every item."""


class UncheckedAgreement(CheckedDoors):
    """Doors that may disagree on a score."""

    def require_agreement(self, item: int, score: int) -> None:
        """Accept every score."""


class CarelessRounds:
    """The threshold algorithm with a check left out."""

    cost = "threshold"

    def __init__(self, doors: type[CheckedDoors]) -> None:
        self.doors = doors
        self.coins = random.Random(4)

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select from a list that is not checked enough."""
        noise = noise_of(question.noise, question.epsilon / question.k)
        tape = seeded_tape(self.coins.getrandbits(64))
        noises = noise_list(noise, scores.size, tape)
        served = HarnessList(self.doors(scores))
        return sorted(private_threshold(served, noises, question.k).items)


@pytest.mark.parametrize("selector", [*ENGINES, Scan(), Downwards(), Wrapping()])
def test_a_careful_selector_passes(selector: Any) -> None:
    """Every engine and every careful scan raises an error when it receives a fault."""
    case = run_case(selector, FAULTY)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (
            Careless(),
            "received a score that is not a whole number of at least 0, but raised no error",
        ),
        (
            Swallowing(),
            "received an exception of its source, but raised no error",
        ),
        (
            Forgetful(),
            "the exception of the source is lost: RuntimeError: something went wrong was not "
            "raised from it",
        ),
        (
            CarelessRounds(UncheckedOrder),
            "received scores that rise in sorted order, but raised no error",
        ),
        (
            CarelessRounds(UncheckedRepetition),
            "received the same item at two ranks, but raised no error",
        ),
        (
            CarelessRounds(UncheckedAgreement),
            "received two different scores of an item that it selected, but raised no error",
        ),
    ],
)
def test_a_careless_selector_is_found(selector: Any, message: str) -> None:
    """A selector that answers in spite of evidence fails, and the message names the evidence."""
    case = run_case(selector, FAULTY)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def test_an_unknown_item_is_not_passed_on() -> None:
    """A scan that accepts item 0 or m + 1 fails."""
    case = run_case(CarelessDownwards(), FAULTY)
    assert case.verdict is CaseVerdict.FAIL


def test_waiting_for_a_source_that_is_gone_is_no_error() -> None:
    """A selector that hangs on a faulty source fails."""
    case = run_case(Hanging(), FAULTY, seconds=0.3)
    message = "the subject gave no answer within 0.3 s"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


class Exponentials(Scan):
    """The exponential mechanism by doubles: weights overflow."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select by weights, item by item."""
        rate, values = self.checked_rate(question, scores.size), self.read(scores)
        chosen: list[int] = []
        for _ in range(question.k):
            left = [item for item in values if item not in chosen]
            weights = [math.exp(rate * values[item]) for item in left]
            chosen += self.coins.choices(left, weights)
        return sorted(chosen)


class Underflowing(Scan):
    """The same with weights relative to the best, in which all others vanish."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select by cumulated weights; items of weight 0 are left out."""
        rate, values = self.checked_rate(question, scores.size), self.read(scores)
        top = max(values.values())
        weights = {item: math.exp(rate * (value - top)) for item, value in values.items()}
        possible = [item for item in values if weights[item] > 0]
        return sorted(self.coins.sample(possible, question.k))


class Bottom(Scan):
    """Returns the worst items."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Return the k worst."""
        return sorted(noisy, key=lambda item: noisy[item])[: question.k]


class Narrow(Scan):
    """Keeps scores in 32 bits."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Return what is left of the scores."""
        return {item: int(value) % 2**32 for item, value in super().read(scores).items()}


class Single(Scan):
    """Assumes that at least one item is left out."""

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Compare with the best item that is left out."""
        order = sorted(noisy, key=lambda item: -noisy[item])
        assert noisy[order[question.k]] <= noisy[order[question.k - 1]]
        return order[: question.k]


class Flat(Scan):
    """Ignores the scores."""

    def read(self, scores: Doors) -> dict[int, float]:
        """Read and forget."""
        return dict.fromkeys(super().read(scores), 0.0)


@pytest.mark.parametrize("selector", [*ENGINES, Scan()])
def test_a_right_selector_passes_extremes(selector: Any) -> None:
    """Every engine gives the obvious answer to extreme inputs."""
    case = run_case(selector, DEGENERATE)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("selector", [Exponentials(), Underflowing(), Narrow(), Single(), Flat()])
def test_a_selector_that_breaks_at_extremes_is_found(selector: Any) -> None:
    """Overflow, underflow, narrow integers, k = m and ignored scores are found."""
    assert run_case(selector, DEGENERATE, budget=4).verdict is CaseVerdict.FAIL


def test_the_worst_items_are_not_the_best() -> None:
    """A wrong sign is reported with the histogram."""
    case = run_case(Bottom(), DEGENERATE)
    message = "h=(0, 3, 1, 2, 4), rate 1e+06: must select [2, 5], got [1, 3]"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


class Cautious(Scan):
    """Declares and uses much more noise than the budget needs."""

    def rate(self, question: Question, m: int) -> float:
        """Return a tiny rate."""
        return 1e-3

    def checked_rate(self, question: Question, m: int) -> float:
        """Return a tiny rate."""
        super().checked_rate(question, m)
        return 1e-3


def test_more_noise_than_needed_is_no_mistake() -> None:
    """A selector that declares more noise is tested for what is certain under that noise."""
    case = run_case(Cautious(), DEGENERATE)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("noise", NoiseKind)
def test_what_is_demanded_is_certain(noise: NoiseKind) -> None:
    """15 of the extremes have one possible answer, up to probability 10^-15."""
    chances = [chance_of_another(*extreme, noise) for extreme in EXTREMES.values()]
    assert sum(chance < CERTAIN for chance in chances) == 15
    assert sum(CERTAIN <= chance < 0.5 for chance in chances) == 0


def test_a_sampler_is_not_given_faulty_lists() -> None:
    """A subject that receives the histogram has no source to check."""
    case = run_case(Flips(), FaultySource())
    assert (case.verdict, case.message) == (
        CaseVerdict.SKIP,
        "the subject reads no list: it is shown the whole histogram",
    )
