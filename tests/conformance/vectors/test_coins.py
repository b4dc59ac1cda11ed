"""The tapes of the vectors."""

from itertools import islice

from privtopk.conformance.vectors.coins import WatchedCoins, endless_words
from privtopk.conformance.vectors.numbers import uniform
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape
from support import refusal


def test_words_are_those_of_the_seeded_tape() -> None:
    """A word stands for the uniform that the tape of the specification serves."""
    tape = seeded_tape(7)
    words = list(islice(endless_words(7), 20))
    assert list(map(uniform, words)) == [tape.uniform() for _ in words]


def test_words_read_are_known() -> None:
    """Exactly the words that were read are listed."""
    coins = WatchedCoins([5, 6, 7])
    assert [coins.tape.uniform(), coins.tape.uniform()] == [uniform(5), uniform(6)]
    assert coins.read == [5, 6]


def test_a_tape_ends_with_its_words() -> None:
    """Reading beyond the end is refused."""
    coins = WatchedCoins([])
    assert refusal(coins.tape.uniform) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )
