"""The model: votes, scores, the two accesses, privacy, accuracy, and the errors that all share."""

from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger, StoredList, sorted_entries
from privtopk.spec.model.accuracy import error_of, is_accurate, is_top_set, kth_largest, top_items
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation, is_neighbour, meeting_point
from privtopk.spec.model.privacy import (
    hockey_stick,
    is_private,
    is_private_by_definition,
    tight_delta,
    tight_ratio,
)
from privtopk.spec.model.tape import (
    ChoiceTape,
    Tape,
    UniformTape,
    every_outcome,
    seeded_tape,
    tape_of,
)
from privtopk.spec.model.values import Histogram, Item, Number, Position, items_of, score_of
from privtopk.spec.model.votes import (
    Ballot,
    Dataset,
    histogram_from_rows,
    histogram_of,
    replace_client,
    with_client,
)

__all__ = [
    "Ballot",
    "ChoiceTape",
    "Dataset",
    "Door",
    "DualAccess",
    "Entry",
    "Histogram",
    "Item",
    "Ledger",
    "Number",
    "Position",
    "Reason",
    "Relation",
    "SelectionError",
    "StoredList",
    "Tape",
    "UniformTape",
    "error_of",
    "every_outcome",
    "histogram_from_rows",
    "histogram_of",
    "hockey_stick",
    "is_accurate",
    "is_neighbour",
    "is_private",
    "is_private_by_definition",
    "is_top_set",
    "items_of",
    "kth_largest",
    "meeting_point",
    "replace_client",
    "score_of",
    "seeded_tape",
    "sorted_entries",
    "tape_of",
    "tight_delta",
    "tight_ratio",
    "top_items",
    "with_client",
]
