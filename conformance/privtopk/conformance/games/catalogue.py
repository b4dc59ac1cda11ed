"""Finds a game by its name, at the usual stakes or at given ones.

`S3` and `S3:m=40000,k=1` are texts that name a match, on the command line and in a task.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from privtopk.conformance.games.families import GAMES
from privtopk.conformance.games.game import Game, Stakes
from privtopk.conformance.games.match import Match
from privtopk.conformance.subjects.loading import AddressError
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.parameters import require_epsilon, require_probability

BY_NAME: Final = {game.name: game for game in GAMES}
NUMBERS: Final[dict[str, Callable[[str], int | float]]] = {
    "m": int,
    "k": int,
    "epsilon": float,
    "delta": float,
    "beta": float,
}
"""The names of the stakes, and how each is parsed."""


@lru_cache(maxsize=64)
def match_at(text: str) -> Match:
    """Return the game that a text names, at the stakes that it gives."""
    name, _, changes = text.partition(":")
    if name not in BY_NAME:
        known = ", ".join(BY_NAME)
        raise AddressError(f"there is no game {name!r}; there are {known}")
    game = BY_NAME[name]
    try:
        return Match(game, _stakes(game, changes))
    except SelectionError as error:
        raise AddressError(f"{text}: {error}") from error


def _stakes(game: Game, changes: str) -> Stakes:
    """Return the usual stakes of a game with the changes of a text."""
    stakes = replace(game.defaults, **dict(_stake(part) for part in changes.split(",") if part))
    require_epsilon(stakes.epsilon)
    require_probability("beta", stakes.beta)
    return stakes


def _stake(part: str) -> tuple[str, Any]:
    """Return the name and the value of one stake."""
    name, _, text = (word.strip() for word in part.partition("="))
    if name not in NUMBERS:
        raise AddressError(f"a game has the stakes {', '.join(NUMBERS)}; {name!r} is none of them")
    try:
        return name, NUMBERS[name](text)
    except ValueError:
        raise AddressError(f"{name} must be a number, got {text!r}") from None


def usual_matches() -> tuple[Match, ...]:
    """Return every game at its usual stakes."""
    return tuple(match_at(game.name) for game in GAMES)
