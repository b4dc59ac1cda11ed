"""A uniform permutation drawn entry by entry, driven by a tape."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from privtopk.conformance.vectors.coins import WatchedCoins, endless_words
from privtopk.conformance.vectors.numbers import UNIFORM_BITS, uniform
from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group
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


def draw_below(pairs: Sequence[tuple[int, int]]) -> Solution:
    """Draw some bounded numbers; a pair is a word and its bound."""
    return Solution(
        input={"uniforms": [word for word, _ in pairs], "bounds": [n for _, n in pairs]},
        intermediates={"doubled_words": [2 * word + 1 for word, _ in pairs]},
        expected={"numbers": [tape_of(uniform(word)).below(n) for word, n in pairs]},
        claims=("lem:permutation-and-independence",),
    )


def answer_queries(m: int, queries: Sequence[Query], seed: int) -> Solution:
    """Answer some queries about one permutation."""
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
    return Solution(
        input={"m": m, "queries": [list(query) for query in queries], "uniforms": coins.read},
        intermediates={"pairs_drawn": pairs_drawn},
        expected={"answers": answers},
    )


def group() -> Group:
    """Return all permutations."""
    return Group(
        name="permutations",
        task="Draw whole numbers and a permutation from the tape and compare the answers.",
        operations=OPERATIONS,
        vectors=(
            *vectors_of("below", draw_below, DRAWS),
            *vectors_of("permutation", answer_queries, SCRIPTS),
        ),
    )


def just_below(n: int) -> int:
    """Return the word whose u n lies 2^-53 below a whole number, for an odd n.

    In doubles that product is the whole number itself as soon as it exceeds 1.
    """
    modulus = 1 << UNIFORM_BITS + 1
    return (modulus - pow(n, -1, modulus)) // 2


def items(*positions: int) -> list[Query]:
    """Return queries for the items at some positions."""
    return [("item-at", j) for j in positions]


def places(*chosen: int) -> list[Query]:
    """Return queries for the positions of some items."""
    return [("position-of", item) for item in chosen]


ORACLE: Final = ("thm:oracle", "lem:permutation-and-independence")
LARGE: Final = (*ORACLE, "erratum:running-time")
LAST: Final = 2**UNIFORM_BITS - 1
HUGE: Final = 2**50

# fmt: off
DRAWS: Final[Cases] = (
    ("id", "pairs", "hunts"),
    ("below-ends", [(word, n) for n in (1, 2, 3, 10, 1000) for word in (0, LAST)],
     "Returning the bound itself for the largest uniform, or skipping 0 for the smallest."),
    ("below-rounds-down",
     [(just_below(n), n) for n in (3, 7, 1001, 10**6 + 3, 10**9 + 7, 2**45 + 5)],
     "Multiplying in doubles, where a product just below a whole number becomes it."),
    ("below-beyond-doubles",
     [(LAST, 2**60), (LAST - 12345, 2**60 - 1), (2**51 + 1, 3**37), (1, 2**60 + 1)],
     "Losing the low digits of a product above 2^53."),
    ("below-halves",
     [(2**51 - 1, 2), (2**51, 2), (2**50, 4), (3 * 2**50 - 1, 4), (2**51 - 1, 2**53)],
     "Reading n for (2n + 1)/2^53 as n/2^52, which moves every second border."),
    ("below-modulus", [(6, 5), (2**51 + 3, 6), (2**50 + 1, 7), (5 * 2**49, 12)],
     "Taking the remainder of the word instead of the high part of a product."),
)

SCRIPTS: Final[Cases] = (
    ("id", "m", "queries", "seed", "claims", "hunts"),
    ("permutation-of-one", 1, items(1), 1, ORACLE, "Failing when one place is left."),
    ("permutation-of-two", 2, items(2, 1), 2, ORACLE,
     "Taking no coin for the last pair, so that the tape is out of step."),
    ("permutation-in-order", 7, items(1, 2, 3, 4, 5, 6, 7), 3, ORACLE,
     "Drawing from all m items instead of those that are left."),
    ("permutation-backwards", 7, items(7, 6, 5, 4, 3, 2, 1), 4, ORACLE,
     "Assuming that positions are asked for from the top."),
    ("permutation-by-items", 7, places(4, 1, 7, 2, 6, 3, 5), 5, ORACLE,
     "Counting positions from 0 where items count from 1."),
    ("permutation-inverse", 5,
     [*items(3, 1), *places(2, 5), *items(1, 3), *places(5, 2, 1, 3, 4)], 6, ORACLE,
     "Disagreeing between the two directions about a revealed pair."),
    ("permutation-repeats-cost-nothing", 6,
     [*items(2, 2, 2), *places(4, 4), *items(2, 5), *places(4, 1)], 7, ORACLE,
     "Consuming a uniform for a pair that is known."),
    ("permutation-mixed", 9,
     [*items(9, 1), *places(5, 9), *items(5, 2), *places(1, 2, 3, 4)], 8, ORACLE,
     "Exchanging in one of the two arrangements only."),
    ("permutation-fixed-point", 4, items(1, 2, 3, 4), 19, ORACLE,
     "Losing a number that is exchanged with itself."),
    ("permutation-of-a-million", 10**6,
     [*items(1), *places(1), *items(10**6), *places(10**6)], 9, LARGE,
     "Building the whole permutation before the first answer."),
    ("permutation-near-the-top", HUGE,
     [*items(HUGE, HUGE - 1), *places(HUGE, HUGE - 1)], 10, LARGE,
     "Keeping places in 32 bits, or in doubles that lose the last digit."),
)
# fmt: on
