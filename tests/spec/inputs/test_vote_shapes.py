"""Histograms that are shaped like real votes."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest

from privtopk.spec.inputs.vote_shapes import (
    VOTES_PER_ITEM,
    ShapeName,
    VoteShape,
    apportion_votes,
    cast_votes,
    cutoff_weights,
    log_normal_weights,
    vote_shape,
    zipf_weights,
)
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.parameters import require_histogram
from privtopk.spec.model.tape import seeded_tape, tape_of
from support import refusal

SIZE = 2000


def shape(name: ShapeName, seed: int = 1) -> VoteShape:
    """Return a shape of 2000 items."""
    return vote_shape(name, SIZE, seeded_tape(seed))


@pytest.mark.parametrize("name", ShapeName)
@pytest.mark.parametrize("m", [1, 2, SIZE])
def test_shapes_are_histograms_with_exact_totals(name: ShapeName, m: int) -> None:
    """A shape has m falling scores and 20 votes per item; ballots have one per item."""
    found = vote_shape(name, m, seeded_tape(3))
    votes = 1 if name is ShapeName.BALLOTS else VOTES_PER_ITEM
    assert require_histogram(found.histogram) == found.histogram
    assert (len(found.histogram), found.total) == (m, votes * m)
    assert all(one >= other for one, other in pairwise(found.histogram))


@pytest.mark.parametrize("name", ShapeName)
def test_the_same_tape_gives_the_same_votes(name: ShapeName) -> None:
    """A shape is a function of its size and its tape."""
    assert shape(name, 5) == shape(name, 5)


@pytest.mark.parametrize("name", [ShapeName.LOG_NORMAL, ShapeName.BALLOTS])
def test_random_shapes_depend_on_the_tape(name: ShapeName) -> None:
    """Another tape changes the votes of random shapes only."""
    assert shape(name, 5) != shape(name, 6)
    assert shape(ShapeName.CUTOFF, 5) == shape(ShapeName.CUTOFF, 6)


@pytest.mark.parametrize(
    ("name", "exponent"),
    [(ShapeName.ZIPF_FLAT, 0.6), (ShapeName.ZIPF_WORDS, 1.0), (ShapeName.ZIPF_STEEP, 1.4)],
)
def test_zipf_falls_by_its_exponent(name: ShapeName, exponent: float) -> None:
    """The first item has 8^s times as many votes as the eighth, up to one vote each."""
    first, eighth = shape(name).histogram[0], shape(name).histogram[7]
    assert abs(first - 8**exponent * eighth) <= 8**exponent + 1


def test_steeper_shapes_leave_more_items_without_votes() -> None:
    """Every item of the flat Zipf shape has votes; a fifth of the steep one have none."""
    empty = [shape(name).histogram.count(0) for name in (ShapeName.ZIPF_FLAT, ShapeName.ZIPF_STEEP)]
    assert empty[0] == 0
    assert empty[1] > SIZE / 5


def test_ballots_tie_at_small_counts() -> None:
    """Nine of ten items of the ballots have 0, 1, 2 or 3 votes."""
    counts = Counter(shape(ShapeName.BALLOTS).histogram)
    assert sum(counts[votes] for votes in range(4)) > 0.9 * SIZE
    assert all(counts[votes] > counts[votes + 1] for votes in range(3))


def test_the_cutoff_ends_the_tail() -> None:
    """After the cutoff the votes fall faster than any power: half of the items have none."""
    assert cutoff_weights(3, 0.0, 1) == pytest.approx([0.36787944, 0.13533528, 0.04978707])
    assert shape(ShapeName.CUTOFF).histogram[SIZE // 2 :] == (0,) * (SIZE // 2)


def test_log_normal_weights_are_quantiles() -> None:
    """A median uniform has weight 1, one standard deviation above it e^spread."""
    weights = log_normal_weights(2, 2.0, tape_of(0.5, 0.8413447460685429))
    assert weights == pytest.approx([7.389056, 1.0])


def test_apportioned_votes() -> None:
    """Seven votes for 3:2:1 are quotas of 3.5, 2.33 and 1.17: the first remainder wins."""
    assert apportion_votes([3.0, 2.0, 1.0], 7) == (4, 2, 1)


@pytest.mark.parametrize("total", [0, 1, 100, 10**12])
def test_apportioned_totals_are_exact(total: int) -> None:
    """The votes sum to the total, and no item is a whole vote away from its quota."""
    weights = zipf_weights(50, 1.0)
    votes = apportion_votes(weights, total)
    whole = sum(map(Fraction, weights))
    assert sum(votes) == total
    assert all(
        abs(vote - total * Fraction(weight) / whole) < 1 + Fraction(total, 10**15)
        for vote, weight in zip(votes, weights, strict=True)
    )


def test_cast_votes_follow_the_tape() -> None:
    """A uniform u picks the first item whose cumulated weight exceeds u times the total."""
    assert cast_votes([2.0, 1.0, 1.0], 4, tape_of(0.1, 0.49, 0.6, 0.99)) == (2, 1, 1)


def test_zipf_weights() -> None:
    """The weight of the i-th item is i^-s."""
    assert zipf_weights(3, 2.0) == pytest.approx([1, 1 / 4, 1 / 9])


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (
            lambda: vote_shape(ShapeName.CUTOFF, 0, seeded_tape(1)),
            Reason.EMPTY_DOMAIN,
            "m must be at least 1, got 0",
        ),
        (
            lambda: apportion_votes([1.0, -1.0], 3),
            Reason.WEIGHT_OUT_OF_RANGE,
            "weights must be at least 0 with a positive finite sum, got a sum of 0.0",
        ),
        (
            lambda: cast_votes([], 3, seeded_tape(1)),
            Reason.WEIGHT_OUT_OF_RANGE,
            "weights must be at least 0 with a positive finite sum, got a sum of 0.0",
        ),
        (
            lambda: apportion_votes([1.0], -1),
            Reason.SIZE_OUT_OF_RANGE,
            "total must be at least 0, got -1",
        ),
        (
            lambda: cutoff_weights(3, 1.0, 0),
            Reason.SIZE_OUT_OF_RANGE,
            "cutoff must be at least 1, got 0",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Parameters out of range are refused with what was given and what is required."""
    assert refusal(call) == (reason, message)
