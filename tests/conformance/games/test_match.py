"""Facts about single plays: their costs, streams and null hypotheses."""

import math
from collections.abc import Sequence

import pytest

from conformance.games.support_games import SMALL, Constant, play_game, subject_of
from privtopk.conformance.evidence.e_process import MeanAtMost
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.games.match import Setting, advantages, charged_cost, nulls, savings
from privtopk.conformance.subjects.doors import Doors, open_doors
from privtopk.conformance.subjects.kinds import Abilities, Cost
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.spec.model.access import Door
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Item
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.access import theorem_u_cost
from privtopk.spec.upper_bounds.utility import failure_probability


def setting_of(text: str, thing: object | None = None) -> Setting:
    """Return a game as a selector plays it."""
    return match_at(text).setting_for(subject_of(thing or Constant(1)))


def items(*numbers: int) -> frozenset[Item]:
    """Return items."""
    return frozenset(map(Item, numbers))


@pytest.mark.parametrize("closed", [None, Door.SORTED])
def test_an_unread_item_is_charged_one_access(closed: Door | None) -> None:
    """If random access is open, reading an item takes one access."""
    scores = ListedScores([5, 9, 7, 1])
    doors, meter = open_doors(scores, closed)
    doors.values([3, 4])
    assert charged_cost(meter, items(3, 4), scores, closed) == 2
    assert charged_cost(meter, items(1, 2), scores, closed) == 4


def test_by_sorted_access_alone_an_unread_item_is_charged_its_rank() -> None:
    """By sorted access the item is read after all better ones."""
    scores = ListedScores([5, 9, 7, 1])
    doors, meter = open_doors(scores, Door.RANDOM)
    doors.top(1)
    assert [charged_cost(meter, items(2, n), scores, Door.RANDOM) for n in (2, 3, 1, 4)] == [
        1,
        2,
        3,
        4,
    ]


def test_votes_suffice_for_the_accuracy() -> None:
    """With n votes the subject's own noise is (n - 1, k)-accurate with probability 1 - beta."""
    setting = setting_of("S1")
    rate = 0.1 / 4
    assert failure_probability(NoiseKind.GUMBEL, rate, setting.alpha, 4, 1000) <= 0.01
    assert failure_probability(NoiseKind.GUMBEL, rate, setting.alpha / 2, 4, 1000) > 0.01
    assert (setting.n, setting.alpha) == (491, 490)


def test_a_subject_with_more_noise_gets_more_votes() -> None:
    """The promised accuracy depends on the noise of the subject."""

    class Timid(Constant):
        def rate(self, question: Question, m: int) -> float:
            return question.epsilon / (2 * question.k)

    assert setting_of("S1", Timid(1)).alpha > 1.99 * setting_of("S1").alpha


def test_the_null_hypotheses() -> None:
    """S1 needs accuracy, S2 privacy, S3 both; an upper bound is tested where one is promised."""
    ratio = math.exp(0.1)
    found = {name: nulls(setting_of(name, Constant(1, "threshold"))) for name in ("S1", "S2", "S3")}
    private, accurate = MeanAtMost(ratio / (1 + ratio)), MeanAtMost(0.01)
    s1, s2, s3 = (
        MeanAtMost(1 - floor.bound / floor.horizon)
        for floor in (match_at(name).floor for name in found)
    )
    upper = MeanAtMost(theorem_u_cost(10_000, 4) / 20_000)
    assert found == {
        "S1": {"saving": s1, "errors": accurate},
        "S2": {"saving": s2, "advantage": private},
        "S3": {"saving": s3, "errors": accurate, "advantage": private, "accesses": upper},
    }


@pytest.mark.parametrize(
    ("cost", "text", "upper"),
    [
        ("scan", "S3", None),
        ("threshold", "S3:m=2500", theorem_u_cost(2500, 4)),
        ("threshold", "S1", None),
        ("batched", "S3", 1.001 * 2 * math.sqrt(40_000)),
        ("batched", "S3:m=2500", None),
        ("batched", "S3:k=200", None),
    ],
)
def test_the_upper_bound_is_the_subject_s_own(cost: str, text: str, upper: float | None) -> None:
    """An upper bound is tested with both doors open, if the subject promises it."""
    found = setting_of(text, Constant(1, cost)).upper
    assert found == (pytest.approx(upper) if upper else None)


def test_savings_are_shares_of_the_horizon() -> None:
    """Cost beyond the horizon does not count."""
    horizon = match_at("S3").floor.horizon
    assert savings(setting_of("S3"), (0, horizon, 10 * horizon)).tolist() == [1.0, 0.0, 0.0]


def test_the_advantage_has_the_mean_that_privacy_allows() -> None:
    """Hits p on the base and q on its neighbour give (p + e^epsilon (1 - q))/(1 + e^epsilon)."""
    ratio = math.exp(0.1)
    seen = advantages(setting_of("S2"), (1, 0, 1, 0), (0, 0, 1, 1))
    assert seen.tolist() == pytest.approx(
        [1.0, ratio / (1 + ratio), 1 / (1 + ratio), 0.0], abs=1e-12
    )
    assert advantages(setting_of("S1"), (), (0.0,)).tolist() == []


def test_one_client_more_is_a_neighbour_in_every_sense() -> None:
    """The question has add/remove if that is offered, and otherwise what is offered."""
    match = match_at("S2")
    relations = [
        match.question(Abilities(relations=offered)).relation
        for offered in (tuple(Relation), (Relation.L_INFINITY,))
    ]
    assert relations == [Relation.ADD_REMOVE, Relation.L_INFINITY]


@pytest.mark.parametrize(
    ("abilities", "text", "reason"),
    [
        (
            Abilities(largest=2000),
            "S3",
            "its largest domain has 2000 items, the game m=10000",
        ),
        (Abilities(approximate=False), "S2:delta=0.01", "it does not take delta=0.01"),
        (Abilities(approximate=False), "S2", None),
        (Abilities(cost=Cost.BATCHED), "S1", None),
    ],
)
def test_reasons_to_skip(abilities: Abilities, text: str, reason: str | None) -> None:
    """A domain that is too large and a delta that is not offered are reasons to skip."""
    assert match_at(text).reason_to_skip(abilities) == reason


class Stubborn:
    """Tries the closed door first and then plays through the other one."""

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Read everything through any open door."""
        try:
            entries = scores.top(scores.size)
        except ValueError:
            numbers = range(1, scores.size + 1)
            entries = list(zip(numbers, scores.values(numbers), strict=True))
        return [item for item, _ in sorted(entries, key=lambda entry: -entry[1])[: question.k]]


def test_a_closed_door_may_be_tried() -> None:
    """A selector that then uses the other door has not declined."""
    play = play_game(Stubborn(), SMALL["S1"])
    assert (play.verdict, play.message, set(play.measured["costs"])) == ("pass", "", {200.0})


def test_errors_before_a_closed_door_are_faults() -> None:
    """A selector that raises on its own breaks the rules."""

    class Raising:
        def select(self, scores: Doors, question: Question) -> Sequence[int]:
            raise RuntimeError("no")

    play = play_game(Raising(), SMALL["S1"])
    assert (play.verdict, play.message) == ("fail", "the subject raised RuntimeError: no")
