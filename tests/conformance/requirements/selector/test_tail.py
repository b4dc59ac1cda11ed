"""Facts about `selector.tail`: which selectors it accuses far out in the tail, and of what."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from conformance.support_oracle import judged
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.tail import (
    LeaderRace,
    Tail,
    affordable_trials,
    gains,
    probabilities,
    sizes_for,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Abilities, Cost
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.impl import subjects
from privtopk.impl.subjects.selectors import ServedSource
from privtopk.impl.top_k import top_k
from privtopk.spec.noise.distributions import NoiseKind


@dataclass(frozen=True)
class Scaled:
    """The default engine with noise that is too small by a factor."""

    factor: float
    largest: int = 2**60
    cost: str = "batched"
    coins: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Spend too much or too little."""
        epsilon = question.epsilon * self.factor
        return top_k(
            ServedSource(scores), question.k, epsilon=epsilon, noise=question.noise, rng=self.coins
        ).items


@dataclass(frozen=True)
class Noiseless:
    """The exact top items: as if items that are not read had no noise."""

    largest: int = 2**60
    cost: str = "batched"

    def select(self, scores: Doors, question: Question) -> list[int]:
        """Return the first items of the sorted list."""
        return [item for item, _ in scores.top(question.k)]


@dataclass(frozen=True)
class LowHalf:
    """A selector that lets the leader win as often as it must, but never the upper half."""

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
    case = judged(getattr(subjects, name), Tail(), budget=0.125)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(("factor", "slip"), [(1.05, "% too small"), (1 / 1.05, "% too large")])
def test_noise_five_per_cent_off_fails(factor: float, slip: str) -> None:
    """Noise 5 % off is found, and told to be too small or too large."""
    case = judged(Scaled(factor), Tail(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith(slip)


def test_items_without_noise_are_missed() -> None:
    """A selector that gives no noise to what it has not read fails, and is told so."""
    case = judged(Noiseless(), Tail(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith(
        "; it looks like noise whose tail is cut off, or items that were not read and get no noise"
    )


def test_a_favoured_half_of_the_domain_fails() -> None:
    """A selector that never names an item of the upper half fails."""
    assert judged(LowHalf(), Tail(), budget=4).verdict is CaseVerdict.FAIL


def test_favoured_small_numbers_are_named() -> None:
    """If all others that win lie in the first range, the message says so."""
    race = LeaderRace(100, question_at(0.2, 1), 0.2, 0.5)
    seen = judged(subjects.batched, Tail(), budget=0.001).values[0, "winner"][0]
    found = gains(race, seen.clip(1, 1).repeat(20))
    assert max(found, key=lambda text: found[text]) == "a choice that favours small item numbers"


def test_ranges_have_exact_probabilities() -> None:
    """Of 9 zeros the first range of eight holds two, and each other one."""
    race = LeaderRace(10, question_at(0.2, 1), 0.2, 0.1)
    assert probabilities(race, 0.1) == pytest.approx((0.1, 0.2, *[0.1] * 7))


def test_sizes_are_cut_at_the_largest_domain() -> None:
    """No size exceeds what the subject accepts, and the largest it accepts is tried."""
    rounds = Abilities(cost=Cost.THRESHOLD, largest=5000)
    assert sizes_for(rounds, NoiseKind.GUMBEL) == (100, 5000)
    assert sizes_for(Abilities(largest=5000), NoiseKind.GUMBEL) == (100, 2000)


def test_laplace_noise_is_not_tried_where_a_right_selector_may_run_for_hours() -> None:
    """The largest domain under Laplace noise is 2^30."""
    assert sizes_for(Abilities(cost=Cost.BATCHED, largest=2**60), NoiseKind.LAPLACE)[-1] == 2**30


def test_a_scan_makes_fewer_trials_of_large_domains() -> None:
    """A subject that reads everything is asked less often the larger the domain."""
    scan, lazy = Abilities(cost=Cost.SCAN), Abilities(cost=Cost.BATCHED)
    assert [affordable_trials(scan, m, 256) for m in (100, 2_000, 10**6)] == [256, 50, 32]
    assert affordable_trials(lazy, 2**60, 256) == 256
