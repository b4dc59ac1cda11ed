"""Facts about the inputs and the bounds of the games."""

from collections import Counter
from fractions import Fraction

import pytest

from conformance.games.support_games import SMALL
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.games.families import GAMES, shrinkage
from privtopk.conformance.games.game import Floor, Game, Promise, Stakes
from privtopk.conformance.games.sizes import best_sizes
from privtopk.spec.claims.table import claim_of
from privtopk.spec.lower_bounds.certificate import certificate_exact
from privtopk.spec.lower_bounds.theorems import (
    random_access_bound,
    sorted_access_bound,
    sorted_access_product,
)
from privtopk.spec.model.access import Door
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.tape import seeded_tape

N = 600
PAIRED = [game for game in GAMES if Promise.PRIVACY in game.promises]
ALONE = [game for game in GAMES if Promise.PRIVACY not in game.promises]


def by_name(game: Game) -> str:
    """Return the id of a test."""
    return game.name


def small(game: Game) -> Stakes:
    """Return stakes that take little time."""
    return match_at(SMALL[game.name]).stakes


def test_the_games() -> None:
    """Ours and the paper's games have the same doors; each names the promises of its bound."""
    assert [(game.name, game.closed, game.promises) for game in GAMES] == [
        ("S1", Door.SORTED, (Promise.ACCURACY,)),
        ("S2", Door.RANDOM, (Promise.PRIVACY,)),
        ("S3", None, (Promise.PRIVACY, Promise.ACCURACY)),
        ("thm-5.1", Door.SORTED, (Promise.ACCURACY,)),
        ("thm-5.3", Door.RANDOM, (Promise.PRIVACY, Promise.ACCURACY)),
        ("thm-5.4", None, (Promise.PRIVACY, Promise.ACCURACY)),
    ]
    assert {len(game.doors) for game in GAMES} == {1, 2}


@pytest.mark.parametrize("game", GAMES, ids=by_name)
def test_claims_exist(game: Game) -> None:
    """Every game cites claims of the specification."""
    assert [claim_of(key).key for key in game.claims] == list(game.claims)


@pytest.mark.parametrize("game", GAMES, ids=by_name)
def test_the_bound_lies_below_the_horizon(game: Game) -> None:
    """A mean of costs that are counted up to the horizon can reach the bound."""
    for stakes in (small(game), game.defaults):
        floor = game.floor(stakes)
        assert 0 < floor.bound < floor.horizon <= stakes.m


@pytest.mark.parametrize("game", PAIRED, ids=by_name)
def test_inputs_are_neighbours(game: Game) -> None:
    """The hard input has one more client than the base: a vote for S without the low set."""
    stakes = small(game)
    drawn = game.draw(stakes, N, seeded_tape(1))
    assert drawn.base is not None
    assert is_neighbour(drawn.base, drawn.hard, Relation.ADD_REMOVE)
    assert {drawn.hard[item - 1] for item in drawn.low} == {N - 1}
    lifted = [one for one, two in zip(drawn.base, drawn.hard, strict=True) if one != two]
    assert set(lifted) == {N - 1}
    assert len(lifted) == game.floor(stakes).horizon - 1


@pytest.mark.parametrize("game", ALONE, ids=by_name)
def test_inputs_against_random_access(game: Game) -> None:
    """Scores are n or 0; S1 has exactly k items at n, the paper's input about 2k."""
    stakes = small(game)
    drawn = [game.draw(stakes, N, seeded_tape(seed)) for seed in range(50)]
    assert {(one.base, one.low) for one in drawn} == {(None, frozenset())}
    counts = Counter(one.hard.count(N) for one in drawn)
    assert {score for one in drawn for score in one.hard} == {0, N}
    if game.name == "S1":
        assert counts == {stakes.k: 50}
    else:
        assert 1.5 * stakes.k < sum(n * times for n, times in counts.items()) / 50 < 2.5 * stakes.k


@pytest.mark.parametrize("game", GAMES, ids=by_name)
def test_draws_differ(game: Game) -> None:
    """Each play has a fresh input, and the same seed draws the same one."""
    stakes = small(game)
    first, again, other = (game.draw(stakes, N, seeded_tape(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_s1_is_at_least_the_closed_bound() -> None:
    """The sum of S1 is larger than m (1 - beta)^2 / 2."""
    floor = match_at("S1").floor
    assert floor.bound == pytest.approx(790.808, abs=1e-3)
    assert floor.horizon == 1000
    assert floor.bound >= random_access_bound(1000, Fraction(1, 100))


def test_s2_is_the_product_of_the_specification() -> None:
    """The horizon is where the first low item comes."""
    stakes = match_at("S2").stakes
    product = sorted_access_product(1000, 4, shrinkage(stakes), 0)
    assert match_at("S2").floor == Floor(float(product), 841)
    assert product >= sorted_access_bound(1000, 0.1, 0)


def test_s3_is_the_best_summed_certificate_found() -> None:
    """Sizes and bound come from the search over sizes."""
    found = best_sizes(10_000, 4, 0.1, 0.0, 0.01)
    floor = match_at("S3").floor
    assert floor == Floor(found.bound, found.size - found.low_size + 1)


@pytest.mark.parametrize("name", ["S3", "thm-5.4"])
def test_no_access_beyond_the_horizon_contributes(name: str) -> None:
    """The certificate is a sum of probabilities over t up to s - a, so it fits the horizon.

    The exact sum agrees with the float, and each of its terms is at most 1.
    """
    match = match_at(SMALL[name])
    found = match.game.certificate(match.stakes)  # type: ignore[attr-defined]
    exact = certificate_exact(
        1800, 2, found.size, found.low_size, shrinkage(match.stakes), 0, Fraction(0.01)
    )
    assert float(exact) == pytest.approx(match.floor.bound, rel=1e-9)
    assert exact <= match.floor.horizon


def test_the_paper_s_sizes_certify_less() -> None:
    """At the usual stakes S3's searched sizes beat the printed ones."""
    assert match_at("S3").floor.bound > match_at("thm-5.4").floor.bound > 0
