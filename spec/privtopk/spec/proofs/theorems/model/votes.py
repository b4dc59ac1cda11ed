"""Theorems about ballots and histograms: any scores, any two clients, two or three items.

Paper: model:votes.
Ours:  ours:relations.
"""

from privtopk.spec.model.neighbours import (
    differences,
    is_add_remove_neighbour,
    is_l_infinity_neighbour,
    is_swap_neighbour,
    meeting_point,
)
from privtopk.spec.model.votes import (
    histogram_from_rows,
    histogram_of,
    replace_client,
    with_client,
)
from privtopk.spec.proofs.instruments.premises import are_between

Pair = tuple[int, int]
Scores = tuple[int, int, int]


def thm_one_client_more_is_an_add_remove_neighbour(scores: Scores, ballot: Scores) -> bool:
    """One client more moves every score by 0 or 1, whatever the other clients voted.

    Claim: model:votes
    pre: are_between(ballot, 0, 1)
    post: _
    """
    after = with_client(scores, ballot)
    return is_add_remove_neighbour(scores, after) and differences(scores, after) == ballot


def thm_an_add_remove_neighbour_is_one_client_away(first: Scores, second: Scores) -> bool:
    """One of two add/remove neighbours is the other with one client more.

    Claim: model:votes, ours:relations
    Seconds: 40
    pre: is_add_remove_neighbour(first, second)
    post: _
    """
    base = meeting_point(first, second)
    joined = tuple(max(abs(change) for change in pair) for pair in _changes(first, second))
    return base in (first, second) and with_client(base, joined) in (first, second)


def _changes(first: Scores, second: Scores) -> tuple[tuple[int, int], ...]:
    """Return the change of every score, in both directions."""
    return tuple(zip(differences(first, second), differences(second, first), strict=True))


def thm_the_histogram_counts_the_clients_one_by_one(first: Pair, second: Pair) -> bool:
    """The histogram of two ballots is the empty one after both clients have joined it.

    Claim: model:votes
    Seconds: 40
    pre: are_between(first, 0, 1)
    pre: are_between(second, 0, 1)
    post: _
    """
    return histogram_of((first, second), 2) == with_client(with_client((0, 0), first), second)


def thm_a_replaced_client_makes_a_swap_neighbour(before: Pair, after: Pair) -> bool:
    """Replacing one client by another moves each score by at most 1, up or down.

    Claim: model:votes, ours:relations
    Seconds: 40
    pre: are_between((*before, *after), 0, 1)
    post: _
    """
    other = (1, 0)
    dataset = (before, other)
    changed = replace_client(dataset, 0, after)
    return changed == (after, other) and is_swap_neighbour(
        histogram_of(dataset, 2), histogram_of(changed, 2)
    )


def thm_every_l_infinity_pair_is_a_swap(first: Scores, second: Scores) -> bool:
    """Histograms at distance 1 differ by one ballot exchanged for another.

    Claim: ours:relations, erratum:neighbour-relation
    Seconds: 40
    pre: is_l_infinity_neighbour(first, second)
    post: _
    """
    common = meeting_point(first, second)
    leaving, coming = differences(common, first), differences(common, second)
    return with_client(common, leaving) == first and with_client(common, coming) == second


def thm_a_repeated_row_counts_once(client: int, other: int, item: int, other_item: int) -> bool:
    """A row that is given twice counts once, so no client votes twice for an item.

    Claim: model:votes
    Seconds: 40
    pre: are_between((client, other, item, other_item), 1, 2)
    post: _
    """
    rows = ((client, item), (other, other_item))
    once = histogram_from_rows(rows, 2)
    return histogram_from_rows((*rows, (client, item)), 2) == once and sum(once) == (
        1 if (client, item) == (other, other_item) else 2
    )
