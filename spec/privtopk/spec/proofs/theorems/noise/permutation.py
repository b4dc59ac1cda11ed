"""Theorems about the permutation drawn on demand, for every m and every draw.

Paper: thm:oracle, lem:permutation-and-independence, algo:online-sampling.
"""

from privtopk.spec.model.values import Item, Position
from privtopk.spec.noise.permutation import LazyPermutation, SparseArrangement
from privtopk.spec.proofs.instruments.premises import are_between
from privtopk.spec.proofs.instruments.served import ServedTape


def are_draws(first: int, second: int, m: int) -> bool:
    """Decide whether a tape may answer `below(m)` and then `below(m - 1)` with these numbers."""
    return m >= 2 and 0 <= first < m and 0 <= second < m - 1


def thm_exchange_keeps_places_and_numbers_inverse(
    m: int, places: tuple[int, int, int, int], number: int
) -> bool:
    """After two exchanges of any places, each number still stands at its place, for any m.

    Claim: thm:oracle
    Seconds: 40
    pre: m >= 1
    pre: are_between((*places, number), 1, m)
    post: _
    """
    arrangement = SparseArrangement(m)
    first, second, third, fourth = places
    arrangement.exchange(first, second)
    arrangement.exchange(third, fourth)
    place = arrangement.place_of(number)
    return 1 <= place <= m and arrangement.at(place) == number


def thm_exchange_moves_two_numbers_only(m: int, first: int, second: int, other: int) -> bool:
    """An exchange moves the numbers at its two places and leaves every other one.

    Claim: thm:oracle
    Seconds: 40
    pre: m >= 1
    pre: are_between((first, second, other), 1, m)
    post: _
    """
    arrangement = SparseArrangement(m)
    arrangement.exchange(first, second)
    if other == first:
        return arrangement.at(other) == second
    return arrangement.at(other) == (first if other == second else other)


def thm_an_item_stands_where_it_was_found(m: int, position: int, draw: int) -> bool:
    """The item found at a position has this position, and further queries draw nothing.

    Claim: thm:oracle, algo:online-sampling
    Seconds: 40
    pre: m >= 1
    pre: are_between((position, draw + 1), 1, m)
    post: _
    """
    permutation = LazyPermutation(m, ServedTape((draw,)))
    item = permutation.item_at(Position(position))
    return (
        1 <= item <= m
        and permutation.position_of(item) == position
        and permutation.item_at(Position(position)) == item
        and permutation.revealed == 1
    )


def thm_both_sides_reveal_one_permutation(
    m: int, item: int, position: int, draws: tuple[int, int]
) -> bool:
    """After one query from each side, positions and items are still inverse to each other.

    Claim: thm:oracle, algo:online-sampling
    Seconds: 40
    pre: are_draws(*draws, m)
    pre: are_between((item, position), 1, m)
    post: _
    """
    permutation = LazyPermutation(m, ServedTape(draws))
    found_position = permutation.position_of(Item(item))
    found_item = permutation.item_at(Position(position))
    return (
        permutation.item_at(found_position) == item
        and permutation.position_of(found_item) == position
        and (found_item == item) == (found_position == position)
    )


def thm_every_item_can_come_next(m: int, known: int, wanted: int, draw: int) -> bool:
    """After one position is known, exactly one draw leads to each of the m - 1 other items.

    Claim: thm:oracle, lem:permutation-and-independence
    Seconds: 40
    pre: are_draws(known, wanted, m)
    pre: are_draws(known, draw, m)
    pre: wanted != draw
    post: _
    """
    found = set()
    for second in (wanted, draw):
        permutation = LazyPermutation(m, ServedTape((known, second)))
        permutation.item_at(Position(1))
        found.add(permutation.item_at(Position(2)))
    return len(found) == 2


def search_four_questions_reveal_one_permutation(
    m: int, positions: tuple[int, int, int], item: int, draws: tuple[int, int, int, int]
) -> bool:
    """After four queries, whatever is drawn, positions and items are inverse to each other.

    Claim: thm:oracle
    Seconds: 3
    pre: m >= 4
    pre: all(0 <= draw < m - index for index, draw in enumerate(draws))
    pre: are_between((*positions, item), 1, m)
    post: _
    """
    permutation = LazyPermutation(m, ServedTape(draws))
    asked = [permutation.item_at(Position(position)) for position in positions[:2]]
    permutation.position_of(Item(item))
    asked.append(permutation.item_at(Position(positions[2])))
    return all(
        permutation.position_of(found) == position
        for found, position in zip(asked, positions, strict=True)
    )
