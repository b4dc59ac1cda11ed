"""The games refute each cheap selector, and name the promise that it has broken."""

import pytest

from conformance.games.support_games import SMALL, play_game
from privtopk.conformance.games.families import GAMES
from privtopk.conformance.mutants.cheap_players import BROKEN, cheap_address
from privtopk.conformance.subjects.loading import load

PRINTED = [name for name in SMALL if name.startswith("thm")]
CLOSED = {game.name: game.closed for game in GAMES}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["S1", "S2", "S3", *(pytest.param(name, marks=pytest.mark.heavy) for name in PRINTED)]
)
@pytest.mark.parametrize("name", BROKEN)
def test_a_cheap_selector_loses_every_game_that_it_can_play(name: str, game: str) -> None:
    """A cheap selector breaks the promise that `BROKEN` names, or it needs a closed door.

    All lose within 192 plays. If a selector were right, a game would refute it with probability
    at most 1e-9.
    """
    play = play_game(load(cheap_address(name)), SMALL[game])
    promise = BROKEN[name].get(game)
    if promise is None:
        assert (play.verdict, play.message) == ("skip", f"it needs {CLOSED[game]} access")
    else:
        assert (play.verdict, play.is_too_cheap, play.broken) == ("fail", True, (promise,))


def test_every_game_refutes_a_selector() -> None:
    """Every game refutes at least one cheap selector."""
    assert {game for broken in BROKEN.values() for game in broken} == set(SMALL)
