"""Facts about the names of games."""

import re

import pytest

from privtopk.conformance.games.catalogue import match_at, usual_matches
from privtopk.conformance.games.game import Stakes
from privtopk.conformance.subjects.loading import AddressError


def test_a_name_alone_has_the_usual_stakes() -> None:
    """S3 is played with 10,000 items, S1 with a thousand."""
    assert [match_at(name).stakes for name in ("S3", "S1")] == [
        Stakes(10_000, 4, 0.1, 0.0, 0.01),
        Stakes(1_000, 4, 0.1, 0.0, 0.01),
    ]


def test_stakes_are_changed_by_name() -> None:
    """Stakes that are not given stay as usual; spaces do not matter."""
    match = match_at("S3:m=2500, k=1,epsilon=0.5,delta=1e-6")
    assert match.stakes == Stakes(2500, 1, 0.5, 1e-6, 0.01)


def test_a_match_is_found_by_its_id() -> None:
    """A task names a match by its id, in which every number is written out."""
    match = match_at("S2:m=100,epsilon=0.123456789")
    assert match.id == "S2:m=100,k=4,epsilon=0.123456789,delta=0.0,beta=0.01"
    assert match_at(match.id).stakes == match.stakes


def test_every_game_is_played_by_default() -> None:
    """By default all six games are played, each at its usual stakes."""
    names = [match.game.name for match in usual_matches()]
    assert names == ["S1", "S2", "S3", "thm-5.1", "thm-5.3", "thm-5.4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S4", "there is no game 'S4'; there are S1, S2, S3, thm-5.1, thm-5.3, thm-5.4"),
        ("S3:n=5", "a game has the stakes m, k, epsilon, delta, beta; 'n' is none of them"),
        ("S3:m=many", "m must be a number, got 'many'"),
        ("S3:k=0", "S3:k=0: k must be between 1 and m=10000, got 0"),
        ("S1:beta=0", "S1:beta=0: beta must be strictly between 0 and 1, got 0.0"),
        ("S2:epsilon=0", "S2:epsilon=0: epsilon must be positive and finite, got 0.0"),
        ("thm-5.3:m=9", "thm-5.3:m=9: m must be a multiple of 2, got 9"),
        ("thm-5.4:m=1000", "thm-5.4:m=1000: mk must be a square, got 4000"),
        ("thm-5.1:m=6", "thm-5.1:m=6: k must be between 1 and 3, got 4"),
    ],
)
def test_what_is_no_game(text: str, message: str) -> None:
    """A wrong name, a wrong number, and stakes beyond the theorem are refused with a reason."""
    with pytest.raises(AddressError, match=f"^{re.escape(message)}$"):
        match_at(text)
