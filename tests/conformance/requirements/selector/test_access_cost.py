"""Facts about `selector.access-cost` and `selector.scaling`."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.selector.access_cost import (
    AccessCost,
    GrowthExponent,
    Scaling,
    Workload,
    exponents,
    p_value,
    scores_of,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.impl import subjects
from privtopk.impl.subjects.selectors import EngineSubject, ServedSource
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import FamilyName


@dataclass(frozen=True)
class Wasteful:
    """An engine that reads a share more of the sorted list than it needs."""

    engine: EngineSubject
    share: float
    cost: str
    largest: int = 10_000

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Select, and read on."""
        counted = Counted(scores)
        answer = self.engine.select(counted, question)
        scores.top(round(self.share * counted.accesses))
        return answer


class Counted(Doors):
    """Doors that count accesses."""

    __slots__ = ("_scores", "accesses")

    def __init__(self, scores: Doors) -> None:
        self.size, self.accesses = scores.size, 0
        self._scores = scores

    def top(self, count: int) -> list[tuple[int, float]]:
        """Return the next entries."""
        self.accesses += count
        return self._scores.top(count)

    def values(self, items: Sequence[int]) -> list[float]:
        """Return the values of several items."""
        self.accesses += len(items)
        return self._scores.values(items)


@dataclass(frozen=True)
class Seeded:
    """The default engine with noise that can be reproduced."""

    cost: str = "batched"
    largest: int = 10**6
    coins: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Select with the next coins."""
        source = ServedSource(scores)
        return top_k(source, question.k, epsilon=question.epsilon, rng=self.coins).items


@dataclass(frozen=True)
class Greedy:
    """A selector that reads everything and promises not to."""

    cost: str
    is_sorted: bool

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Read the whole list through one door."""
        if self.is_sorted:
            return [item for item, _ in scores.top(scores.size)][: question.k]
        scores.values(range(1, scores.size + 1))
        return range(1, question.k + 1)


@pytest.mark.parametrize("name", ["batched", "automatic", "rank_free", "threshold"])
def test_a_right_engine_keeps_its_promise(name: str) -> None:
    """Engines that stop in time pass."""
    case = run_case(getattr(subjects, name), AccessCost(), budget=0.1)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_a_scan_promises_nothing() -> None:
    """A subject that may read everything is skipped, with the reason."""
    skipped = [
        run_case(subjects.one_shot, requirement) for requirement in (AccessCost(), Scaling())
    ]
    assert {(case.verdict, case.message) for case in skipped} == {
        (CaseVerdict.SKIP, "the subject may read everything")
    }


def test_twice_the_rounds_fail() -> None:
    """One round more for every round is beyond the exact law."""
    wasteful = Wasteful(subjects.rank_free, 0.5, "threshold")
    assert run_case(wasteful, AccessCost(), budget=4).verdict is CaseVerdict.FAIL


def test_random_accesses_beyond_the_rounds_are_a_breach() -> None:
    """A threshold algorithm looks up at most one item per round."""
    case = run_case(Greedy("threshold", is_sorted=False), AccessCost())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "plat1, m=10000, k=1, gumbel: made 10000 random accesses in 0 rounds; at most one per "
        "round is allowed",
    )


@pytest.mark.parametrize("cost", ["threshold", "batched"])
def test_reading_everything_fails(cost: str) -> None:
    """A selector that reads the whole list keeps neither promise."""
    greedy = Greedy(cost, is_sorted=True)
    assert [run_case(greedy, one).verdict for one in (AccessCost(), Scaling())] == [
        CaseVerdict.FAIL
    ] * 2


def test_a_third_more_accesses_fail() -> None:
    """A batched engine that makes a third more accesses than it needs fails."""
    wasteful = Wasteful(subjects.batched, 0.34, "batched")
    assert run_case(wasteful, AccessCost(), budget=4).verdict is CaseVerdict.FAIL


def test_p_values_fall_from_one_to_zero() -> None:
    """No rounds are no evidence, and more rounds than items are impossible."""
    workload = Workload(FamilyName.ZERO, 4, question_at(0.3, 1))
    assert [p_value(workload, rounds) for rounds in (0, 1, 2, 3, 5)] == pytest.approx(
        [1, 1, 3 / 4, 1 / 6, 0]
    )


@pytest.mark.parametrize("family", [FamilyName.ZERO, FamilyName.PLATEAU, FamilyName.ZIPF])
def test_a_family_is_a_sorted_list_of_all_items(family: FamilyName) -> None:
    """Every item has one rank, and scores fall along the ranks."""
    scores = scores_of(Workload(family, 60, question_at(0.3, 2)), random.Random(3))
    items = [scores.at_rank(rank) for rank in range(1, 61)]
    values = [scores.score(item) for item in items]
    assert sorted(items) == list(range(1, 61))
    assert values == sorted(values, reverse=True)


def test_the_mean_cost_of_a_right_engine_is_measured_at_every_size() -> None:
    """The measured table has one line per selection, and both exponents are about 1/2."""
    case = run_case(Seeded(), Scaling())
    found = exponents(*(case.measured[name] for name in ("m", "k", "accesses")))
    assert (case.verdict, len(case.measured["accesses"])) == (CaseVerdict.PASS, case.trials)
    assert [one.size for one in found] == ["m", "k"]
    assert [one.low < 0.5 < one.high < one.low + 0.25 for one in found] == [True, True]


def test_exponents_come_with_intervals() -> None:
    """Accesses that are 3 sqrt(m) k with small errors have exponents 1/2 and 1."""
    coins = np.random.default_rng(1)
    m, k = coins.choice([100.0, 400.0, 1600.0], 300), coins.choice([1.0, 2.0, 4.0], 300)
    accesses = 3 * np.sqrt(m) * k * np.exp(coins.normal(0, 0.01, 300))
    in_m, in_k = exponents(m.tolist(), k.tolist(), accesses.tolist())
    assert (in_m.size, in_k.size) == ("m", "k")
    assert in_m.low < 0.5 < in_m.high < in_m.low + 0.01
    assert in_k.low < 1 < in_k.high < in_k.low + 0.01


def test_a_size_that_does_not_vary_has_no_exponent() -> None:
    """With one k there is only the exponent in m, and with one size there is none."""
    found = exponents([100.0, 400.0, 1600.0, 6400.0], [2.0] * 4, [10.0, 20.0, 40.0, 80.0])
    assert [one.size for one in found] == ["m"]
    assert isinstance(found[0], GrowthExponent)
    assert exponents([100.0] * 4, [2.0] * 4, [10.0] * 4) == ()
