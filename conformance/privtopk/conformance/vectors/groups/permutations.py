"""A uniform permutation drawn entry by entry, driven by a tape."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from privtopk.conformance.vectors.coins import WatchedCoins, endless_words
from privtopk.conformance.vectors.numbers import UNIFORM_BITS, uniform
from privtopk.conformance.vectors.vector import EXACT, Group, Vector
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Item, Position
from privtopk.spec.noise.permutation import LazyPermutation

Query: TypeAlias = tuple[str, int]
"""`item-at` with a position or `position-of` with an item."""

OPERATIONS: Final = {
    "below": (
        "Turn each uniform u into a whole number below its bound n: floor(u n), computed without "
        "rounding, that is ((2 word + 1) n) >> 53 in whole numbers of any size."
    ),
    "permutation": (
        "Answer queries about one permutation of m. Keep two arrangements of 1, ..., m, one of "
        "positions and one of items, each number at first at its own place, and the number t of "
        "pairs drawn, 0 at first; the pair at place s <= t is revealed. A query about a revealed "
        "position or item consumes nothing. Any other takes one uniform: the partner is the "
        "number at place t + 1 + floor(u (m - t)) of the other arrangement. Then t grows by one, "
        "and in each of the two arrangements the number of the new pair is exchanged with the "
        "number at place t. The tape is exactly as long as needed."
    ),
}


def bounded(
    identity: str, hunts: str, claims: tuple[str, ...], pairs: Sequence[tuple[int, int]]
) -> Vector:
    """Return the vector of some bounded draws, given as (word, bound)."""
    return Vector(
        id=identity,
        operation="below",
        hunts=hunts,
        claims=claims,
        input={"uniforms": [word for word, _ in pairs], "bounds": [n for _, n in pairs]},
        intermediates={"doubled_words": [2 * word + 1 for word, _ in pairs]},
        expected={"numbers": [tape_of(uniform(word)).below(n) for word, n in pairs]},
        tolerance=EXACT,
    )


def arrangement(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    m: int,
    queries: Sequence[Query],
    seed: int,
) -> Vector:
    """Return the vector of some queries about one permutation."""
    coins = WatchedCoins(endless_words(seed))
    permutation = LazyPermutation(m, coins.tape)
    answers, pairs_drawn = [], []
    for kind, number in queries:
        is_position = kind == "item-at"
        answers.append(
            permutation.item_at(Position(number))
            if is_position
            else permutation.position_of(Item(number))
        )
        pairs_drawn.append(permutation.revealed)
    return Vector(
        id=identity,
        operation="permutation",
        hunts=hunts,
        claims=claims,
        input={"m": m, "queries": [list(query) for query in queries], "uniforms": coins.read},
        intermediates={"pairs_drawn": pairs_drawn},
        expected={"answers": answers},
        tolerance=EXACT,
    )


def just_below(n: int) -> int:
    """Return the word whose u n lies 2^-53 below a whole number, for an odd n.

    In doubles that product is the whole number itself as soon as it exceeds 1.
    """
    modulus = 1 << UNIFORM_BITS + 1
    return (modulus - pow(n, -1, modulus)) // 2


def group() -> Group:
    """Return all permutations."""
    return Group(
        name="permutations",
        task="Draw whole numbers and a permutation from the tape and compare the answers.",
        operations=OPERATIONS,
        vectors=(*_bounded(), *_small(), *_large()),
    )


def _bounded() -> tuple[Vector, ...]:
    claims = ("lem:permutation-and-independence",)
    last = 2**UNIFORM_BITS - 1
    return (
        bounded(
            "below-ends",
            "Returning the bound itself for the largest uniform, or skipping 0 for the smallest.",
            claims,
            [(word, n) for n in (1, 2, 3, 10, 1000) for word in (0, last)],
        ),
        bounded(
            "below-rounds-down",
            "Multiplying in doubles, where a product just below a whole number becomes it.",
            claims,
            [(just_below(n), n) for n in (3, 7, 1001, 10**6 + 3, 10**9 + 7, 2**45 + 5)],
        ),
        bounded(
            "below-beyond-doubles",
            "Losing the low digits of a product above 2^53.",
            claims,
            [(last, 2**60), (last - 12345, 2**60 - 1), (2**51 + 1, 3**37), (1, 2**60 + 1)],
        ),
        bounded(
            "below-halves",
            "Reading n for (2n + 1)/2^53 as n/2^52, which moves every second border.",
            claims,
            [(2**51 - 1, 2), (2**51, 2), (2**50, 4), (3 * 2**50 - 1, 4), (2**51 - 1, 2**53)],
        ),
        bounded(
            "below-modulus",
            "Taking the remainder of the word instead of the high part of a product.",
            claims,
            [(6, 5), (2**51 + 3, 6), (2**50 + 1, 7), (5 * 2**49, 12)],
        ),
    )


def _small() -> tuple[Vector, ...]:
    claims = ("thm:oracle", "lem:permutation-and-independence")

    def items(positions: Sequence[int]) -> list[Query]:
        return [("item-at", j) for j in positions]

    def positions(chosen: Sequence[int]) -> list[Query]:
        return [("position-of", item) for item in chosen]

    return (
        arrangement(
            "permutation-of-one", "Failing when one place is left.", claims, 1, items((1,)), 1
        ),
        arrangement(
            "permutation-of-two",
            "Taking no coin for the last pair, so that the tape is out of step.",
            claims,
            2,
            items((2, 1)),
            2,
        ),
        arrangement(
            "permutation-in-order",
            "Drawing from all m items instead of those that are left.",
            claims,
            7,
            items(range(1, 8)),
            3,
        ),
        arrangement(
            "permutation-backwards",
            "Assuming that positions are asked for from the top.",
            claims,
            7,
            items(range(7, 0, -1)),
            4,
        ),
        arrangement(
            "permutation-by-items",
            "Counting positions from 0 where items count from 1.",
            claims,
            7,
            positions((4, 1, 7, 2, 6, 3, 5)),
            5,
        ),
        arrangement(
            "permutation-inverse",
            "Disagreeing between the two directions about a revealed pair.",
            claims,
            5,
            [*items((3, 1)), *positions((2, 5)), *items((1, 3)), *positions((5, 2, 1, 3, 4))],
            6,
        ),
        arrangement(
            "permutation-repeats-cost-nothing",
            "Consuming a uniform for a pair that is known.",
            claims,
            6,
            [*items((2, 2, 2)), *positions((4, 4)), *items((2, 5)), *positions((4, 1))],
            7,
        ),
        arrangement(
            "permutation-mixed",
            "Exchanging in one of the two arrangements only.",
            claims,
            9,
            [*items((9, 1)), *positions((5, 9)), *items((5, 2)), *positions((1, 2, 3, 4))],
            8,
        ),
        arrangement(
            "permutation-fixed-point",
            "Losing a number that is exchanged with itself.",
            claims,
            4,
            items((1, 2, 3, 4)),
            19,
        ),
    )


def _large() -> tuple[Vector, ...]:
    claims = ("thm:oracle", "lem:permutation-and-independence", "erratum:running-time")
    m = 2**50
    return (
        arrangement(
            "permutation-of-a-million",
            "Building the whole permutation before the first answer.",
            claims,
            10**6,
            [("item-at", 1), ("position-of", 1), ("item-at", 10**6), ("position-of", 10**6)],
            9,
        ),
        arrangement(
            "permutation-near-the-top",
            "Keeping places in 32 bits, or in doubles that lose the last digit.",
            claims,
            m,
            [("item-at", m), ("item-at", m - 1), ("position-of", m), ("position-of", m - 1)],
            10,
        ),
    )
