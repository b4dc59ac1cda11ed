"""Clients, their votes, and the histogram that a database keeps of them.

A client casts at most one vote per item and may vote for any number of items, so one client
moves each score by at most 1. A row that is counted twice would break that bound:
`histogram_from_rows` counts a client at most once per item.

Paper: model:votes.
"""

from collections.abc import Hashable, Iterable
from typing import TypeAlias

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between, require_item, require_size
from privtopk.spec.model.values import Histogram

Ballot: TypeAlias = tuple[int, ...]
"""One client's votes: 1 for each item voted for, else 0."""

Dataset: TypeAlias = tuple[Ballot, ...]
"""The ballots of all clients."""


def require_ballot(ballot: Ballot, m: int) -> Ballot:
    """Return a ballot if it has one entry, 0 or 1, for each of the m items."""
    if len(ballot) != m or any(not _is_vote(vote) for vote in ballot):
        raise SelectionError(
            Reason.NOT_A_VOTE, f"a ballot must have m={m} entries, each of them 0 or 1"
        )
    return ballot


def _is_vote(vote: object) -> bool:
    """Return whether a vote is the integer 0 or 1; an equal boolean or float is not one."""
    return isinstance(vote, int) and not isinstance(vote, bool) and vote in (0, 1)


def histogram_of(dataset: Dataset, m: int) -> Histogram:
    """Return how many clients vote for each item.

    Paper: model:votes.
    """
    size = require_size(m)
    ballots = [require_ballot(ballot, size) for ballot in dataset]
    return tuple(sum(ballot[i] for ballot in ballots) for i in range(size))


def histogram_from_rows(rows: Iterable[tuple[Hashable, int]], m: int) -> Histogram:
    """Return the histogram of (client, item) rows; a repeated row counts once."""
    size = require_size(m)
    votes = {(client, require_item(item, size)) for client, item in rows}
    scores = [0] * size
    for _, item in votes:
        scores[item - 1] += 1
    return tuple(scores)


def with_client(histogram: Histogram, ballot: Ballot) -> Histogram:
    """Return the histogram after one more client has voted."""
    require_ballot(ballot, len(histogram))
    return tuple(score + vote for score, vote in zip(histogram, ballot, strict=True))


def replace_client(dataset: Dataset, index: int, ballot: Ballot) -> Dataset:
    """Return the data set with a new ballot for the client at `index`."""
    place = require_between("index", index, 0, len(dataset) - 1)
    return (*dataset[:place], ballot, *dataset[place + 1 :])
