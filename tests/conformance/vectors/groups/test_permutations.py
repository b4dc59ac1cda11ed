"""The vectors of permutations: arrays and our engine's permutation pass, wrong ones fail."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from conformance.support_vectors import failed_ids, passes
from privtopk.conformance.vectors import Vector, uniform, vectors
from privtopk.impl.noise.lazy_permutation import FisherYatesPermutation
from privtopk.impl.randomness.generators import Integers, SeededRandomness
from privtopk.impl.randomness.stream import WORD_BITS, WORDS

GROUP = "permutations"
LARGEST_ARRAY = 10**6


def below(draw: Callable[[int, int], int]) -> Callable[[Vector], dict[str, Any]]:
    """Return an implementation of `below`."""
    return lambda vector: {
        "numbers": list(map(draw, vector.input["uniforms"], vector.input["bounds"]))
    }


def test_whole_numbers_by_shifting_pass() -> None:
    """The high part of a product of whole numbers passes."""
    assert failed_ids(GROUP, "below", below(lambda word, n: (2 * word + 1) * n >> 53)) == set()


def test_products_in_doubles_are_found() -> None:
    """Doubles fail if a product rounds up, and if it exceeds 2^53."""
    found = failed_ids(GROUP, "below", below(lambda word, n: int(uniform(word) * n)))
    assert found == {"below-rounds-down", "below-beyond-doubles"}


def test_another_meaning_of_words_is_found() -> None:
    """n/2^52 fails if the half step decides."""
    found = failed_ids(GROUP, "below", below(lambda word, n: word * n >> 52))
    assert "below-halves" in found


def test_remainders_are_found() -> None:
    """The remainder of the word, instead of the high part of a product, fails."""
    assert "below-modulus" in failed_ids(GROUP, "below", below(lambda word, n: word % n))


def test_counting_from_one_is_found() -> None:
    """A draw from 1 to n, and one that can return n, fail at the ends."""
    for draw in (
        lambda word, n: ((2 * word + 1) * n >> 53) + 1,
        lambda word, n: -(-word * n >> 52),
    ):
        assert "below-ends" in failed_ids(GROUP, "below", below(draw))


def in_arrays(
    vector: Vector,
    *,
    is_exchanged: bool = True,
    is_remembered: bool = True,
    is_last_drawn: bool = True,
    is_left_only: bool = True,
) -> dict[str, Any]:
    """Answer from two whole arrays; each default is right."""
    m, words = vector.input["m"], iter(vector.input["uniforms"])
    if m > LARGEST_ARRAY:
        raise LookupError("too large for an array")
    sides = {name: list(range(1, m + 1)) for name in ("item-at", "position-of")}
    drawn, answers = 0, []
    for query, number in vector.input["queries"]:
        asked, other = sides[query], sides[OTHER[query]]
        if number in asked[:drawn] and is_remembered:
            answers.append(other[asked.index(number)])
            continue
        first = drawn if is_left_only else 0
        word = next(words) if is_last_drawn or drawn < m - 1 else 0
        place = first + ((2 * word + 1) * (m - first) >> 53)
        answers.append(other[place])
        own = asked.index(number)
        other[drawn], other[place] = other[place], other[drawn]
        if is_exchanged:
            asked[drawn], asked[own] = asked[own], asked[drawn]
        drawn += 1
    if next(words, None) is not None:
        raise LookupError("the tape has more uniforms")
    return {"answers": answers}


OTHER = {"item-at": "position-of", "position-of": "item-at"}
HUGE = {one.id for one in vectors(GROUP) if one.input.get("m", 0) > LARGEST_ARRAY}


def test_arrays_pass() -> None:
    """Two whole arrays give the same answers as sparse ones, if they fit into memory."""
    assert failed_ids(GROUP, "permutation", in_arrays) == HUGE == {"permutation-near-the-top"}


@pytest.mark.parametrize(
    ("slip", "hunter"),
    [
        ("is_exchanged", "permutation-mixed"),
        ("is_remembered", "permutation-repeats-cost-nothing"),
        ("is_last_drawn", "permutation-of-two"),
        ("is_left_only", "permutation-in-order"),
    ],
)
def test_slips_are_found(slip: str, hunter: str) -> None:
    """Each mistake in the algorithm fails the vector made for it."""
    found = failed_ids(GROUP, "permutation", lambda vector: in_arrays(vector, **{slip: False}))
    assert hunter in found


class Words(SeededRandomness):
    """Words of 62 bits that equal the uniforms of a vector, (2n + 1)/2^53."""

    def __init__(self, words: list[int]) -> None:
        """Take the words of a tape."""
        super().__init__(np.random.default_rng(0))
        self.words = [(2 * word + 1) << WORD_BITS - 53 for word in words]

    def integers(self, bound: int, n: int) -> Integers:
        """Return the words, and then zeros."""
        assert bound == WORDS
        return np.array((self.words + [0] * n)[:n], dtype=np.int64)


def by_engine(vector: Vector) -> dict[str, Any]:
    """Answer by our engine's permutation, which counts items from 0."""
    permutation = FisherYatesPermutation(vector.input["m"], Words(vector.input["uniforms"]))
    return {
        "answers": [
            permutation.item_at(number) + 1
            if query == "item-at"
            else permutation.position_of(number - 1)
            for query, number in vector.input["queries"]
        ]
    }


PERMUTATIONS = [one for one in vectors(GROUP) if one.operation == "permutation"]


@pytest.mark.parametrize("vector", PERMUTATIONS, ids=lambda vector: vector.id)
def test_our_permutation_passes(vector: Vector) -> None:
    """The engine, driven by the same tape, gives the same answers."""
    assert passes(vector, by_engine)


def test_a_permutation_has_a_fixed_point_where_it_should() -> None:
    """The vector for fixed points has one in its first place."""
    (vector,) = (one for one in PERMUTATIONS if one.id == "permutation-fixed-point")
    assert vector.expected == {"answers": [1, 4, 3, 2]}


@pytest.mark.parametrize("vector", PERMUTATIONS, ids=lambda vector: vector.id)
def test_tapes_are_as_long_as_needed(vector: Vector) -> None:
    """One uniform is read per new pair, and none for a known pair."""
    assert vector.intermediates["pairs_drawn"][-1] == len(vector.input["uniforms"])
