"""Facts about the residuals of a noise list."""

import math
import random
from collections.abc import Iterable

import pytest

from privtopk.conformance.evidence.trial import Experiment, Trial, ViolationError
from privtopk.conformance.requirements.noise.transcript import (
    FIRST_SORTED,
    PAST_PENDING,
    RANDOM_AT_START,
    RANDOM_LATER,
    SORTED,
    Transcript,
)
from privtopk.conformance.subjects.calls import Caller
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind

RATE = 0.5


class Served:
    """A list with given answers."""

    def __init__(self, noises: dict[int, float], order: Iterable[int]) -> None:
        """Take the noise of each item and the order of delivery."""
        self._noises = noises
        self._order = iter(order)

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item."""
        item = next(self._order)
        return item, self._noises[item]

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        return self._noises[item]


def transcript(noises: dict[int, float], order: Iterable[int] = ()) -> Transcript:
    """Return the transcript of a served list."""
    subject = Subject(
        lambda m, rate, noise: Served(noises, order), Abilities(kind=Kind.NOISE_ORACLE)
    )
    trial = Trial(subject, Experiment("served", 1), 1, random.Random(2), Caller(1.0))
    return Transcript(trial, len(noises), RATE, NoiseKind.GUMBEL)


def ask(seen: Transcript, queries: Iterable[int]) -> None:
    """Look up items; 0 stands for a sorted access."""
    for query in queries:
        if query:
            seen.random_access(query)
        else:
            seen.sorted_access()


def level(z: float) -> float:
    """Return E of a noise."""
    return math.exp(-RATE * z)


def test_sorted_residuals() -> None:
    """The residual of the largest of R unseen noises is (F(W)/F(z))^R, starting from F = 1."""
    seen = transcript({1: 0.0, 2: 3.0, 3: 1.0}, (2, 3, 1))
    steps = [seen.sorted_access() for _ in range(3)]
    cases = [(step.case, step.unseen) for step in steps if step]
    assert cases == [(FIRST_SORTED, 3), (SORTED, 2), (SORTED, 1)]
    gaps = [3 * level(3.0), 2 * (level(1.0) - level(3.0)), level(0.0) - level(1.0)]
    residuals = [step.residual for step in steps if step]
    assert residuals == pytest.approx([math.exp(-gap) for gap in gaps])


def test_random_residuals() -> None:
    """The residual of a new item is F(Z)/F(z); an item seen before has none."""
    seen = transcript({1: 0.0, 2: 3.0, 3: 1.0}, (2, 3, 1))
    first = seen.random_access(1)
    seen.sorted_access()
    later = seen.random_access(3)
    assert first is not None
    assert later is not None
    assert (first.case, later.case) == (RANDOM_AT_START, RANDOM_LATER)
    assert first.residual == pytest.approx(math.exp(-level(0.0)))
    assert later.residual == pytest.approx(math.exp(level(3.0) - level(1.0)))
    assert seen.random_access(3) is None


def test_censored_residual() -> None:
    """If a known item comes first, the residual is uniform below what the unseen would give."""
    coin = random.Random(2).random()
    seen = transcript({1: 3.0, 2: 0.0, 3: 1.0}, (1, 3, 2))
    seen.random_access(1)
    step = seen.sorted_access()
    assert step is not None
    assert (step.case, step.item) == (PAST_PENDING, None)
    assert step.residual == pytest.approx((1 - coin) * math.exp(-2 * level(3.0)))


def test_item_residuals() -> None:
    """A new item counts by its rank among the unseen, from the first and from the latest."""
    noises = dict(zip(range(1, 6), (0.0, 1.0, 2.0, 3.0, 4.0), strict=True))
    seen = transcript(noises, (5,))
    seen.random_access(2)
    step = seen.sorted_access()
    assert step is not None
    assert step.item is not None
    assert step.item_after_latest is not None
    assert (int(4 * step.item), int(4 * step.item_after_latest)) == (3, 2)


def test_huge_lists_keep_their_digits() -> None:
    """At m = 2^60 the residual of the largest noise is that of the exact law."""
    subject = Subject(lambda m, rate, noise: Served({7: 83.0}, (7,)), Abilities())
    trial = Trial(subject, Experiment("served", 1), 1, random.Random(2), Caller(1.0))
    step = Transcript(trial, 2**60, RATE, NoiseKind.GUMBEL).sorted_access()
    assert step is not None
    assert step.residual == pytest.approx(math.exp(-(2.0**60) * level(83.0)), rel=1e-12)


@pytest.mark.parametrize(
    ("noises", "queries", "text"),
    [
        ({1: 0.0, 2: 1.0}, (0, 0), "sorted access gave the noise 1.0 after 0.0"),
        ({1: 0.0, 2: 0.0}, (0, 0, 0), "sorted access delivered item 1 twice"),
        (
            {1: 0.0, 2: 1.0},
            (2, 0),
            "sorted access gave the noise 0.0 before 1.0, which random access had given for an "
            "item not yet delivered",
        ),
        (
            {1: 0.0, 2: 1.0},
            (0, 2),
            "random access gave item 2 the noise 1.0, but sorted access had come down to 0.0 "
            "without it",
        ),
    ],
)
def test_contradictions(noises: dict[int, float], queries: tuple[int, ...], text: str) -> None:
    """An answer that contradicts an earlier one is a violation that names both."""
    seen = transcript(noises, (1, 2, 1))
    with pytest.raises(ViolationError) as caught:
        ask(seen, queries)
    assert str(caught.value) == f"m=2, rate 0.5, gumbel: {text}"
