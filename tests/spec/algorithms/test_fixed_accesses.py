"""Facts about selection with fixed accesses."""

from fractions import Fraction

import pytest

from privtopk.spec.algorithms.fixed_accesses import (
    FixedRun,
    chance_to_read_everything,
    fixed_accesses,
)
from privtopk.spec.model.access import Door, Entry, StoredList
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import Item
from support import refusal

SCORES = (9, 7, 4, 1)


def test_enough_common_items_end_the_run() -> None:
    """If k items are read through both doors, the run ends after t accesses through each."""
    scores = StoredList(SCORES)
    run = fixed_accesses(scores, StoredList((0, 5, 1, 3)), k=1, t=2)
    assert run == FixedRun((Entry(Item(2), 12),), is_enough=True)
    assert scores.ledger.accesses == (
        (Door.SORTED, 1),
        (Door.SORTED, 2),
        (Door.RANDOM, 2),
        (Door.RANDOM, 4),
    )


def test_too_few_common_items_read_everything() -> None:
    """If fewer than k items are read through both doors, all scores are read."""
    scores = StoredList(SCORES)
    run = fixed_accesses(scores, StoredList((0, 5, 1, 30)), k=2, t=1)
    assert (run.items, run.is_enough) == ((4, 2), False)
    assert {item for _, item in scores.ledger.accesses} == {1, 2, 3, 4}


def test_the_chance_is_hypergeometric() -> None:
    """Two of four items per door miss each other with probability 1/6."""
    assert chance_to_read_everything(4, 1, 2) == Fraction(1, 6)


@pytest.mark.parametrize(
    ("noises", "t", "reason", "text"),
    [
        (
            (1,),
            1,
            Reason.DIFFERENT_DOMAINS,
            "scores and noise must have one common domain, got sizes 4 and 1",
        ),
        (SCORES, -1, Reason.SIZE_OUT_OF_RANGE, "t must be between 0 and 4, got -1"),
        (SCORES, 5, Reason.SIZE_OUT_OF_RANGE, "t must be between 0 and 4, got 5"),
    ],
)
def test_impossible_accesses_are_refused(
    noises: tuple[int, ...], t: int, reason: Reason, text: str
) -> None:
    """Scores and noise are about the same items, and t is a number of them."""
    scores = StoredList(SCORES)
    assert refusal(lambda: fixed_accesses(scores, StoredList(noises), 1, t)) == (reason, text)
    assert scores.ledger.cost == 0
