"""A data source also lists the items without votes.

Most stores have rows only for items with votes; the other items follow from the declaration of
the domain. Mistakes happen where the rows end: in the middle of a page, at its end, at the first
rank, or nowhere.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.exploring import explore
from privtopk.conformance.requirements.source.opening import open_source
from privtopk.conformance.requirements.source.reading import (
    LONG,
    Page,
    ReadingPlan,
    page_of,
    read_through,
    require_page,
    whole,
)
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject

VOTED: Final[Mapping[str, Callable[[int], int]]] = {
    "no votes at all": lambda m: 0,
    "votes for 3 items": lambda m: min(3, m),
    "votes for all items but one": lambda m: m - 1,
}
"""Returns how many of m items have a positive score."""

SIZES: Final = {"few items": (1, 2, 3, 5, 8), f"{LONG} items": (LONG,)}
EXAMPLES: Final = 8


class SparseReadingPlan(ReadingPlan):
    """A histogram with few positive scores or few zeros, and the order in which it is read."""

    __slots__ = ()

    @property
    def voted_count(self) -> int:
        """The number of positive scores, which is the rank at which the rows end."""
        return sum(score > 0 for score in self.histogram)

    def __str__(self) -> str:
        """Return the histogram, or its size and number of votes if it is long."""
        m = len(self.histogram)
        return f"h={self.histogram}" if m < LONG else f"m={m}, votes for {self.voted_count} items"


@st.composite
def sparse_readings(draw: DrawFn, votes: str, items: str) -> SparseReadingPlan:
    """Draw the items with votes, and pages that end near the last of them."""
    m = draw(st.sampled_from(SIZES[items]))
    voted = VOTED[votes](m)
    coins = random.Random(draw(st.integers(0, 2**16)))
    chosen = coins.sample(range(m), voted)
    scores = {item: coins.choice((1, 1, 2, 3, 900)) for item in chosen}
    sizes = (m, voted, voted + 1, voted - 1, 1 + m // 100, 1 + m // 2)
    pages = st.sampled_from([size for size in sizes if 1 <= size <= m])
    ranks = st.sampled_from([rank for rank in (voted + 1, voted, m, 1) if 1 <= rank <= m])
    zeros = [item + 1 for item in range(m) if item not in scores]
    looked_up = coins.choices(zeros + [item + 1 for item in chosen], k=5)
    return SparseReadingPlan(
        tuple(scores.get(item, 0) for item in range(m)),
        tuple(draw(st.lists(pages, min_size=1, max_size=3))),
        tuple(draw(st.lists(ranks, min_size=1, max_size=3))),
        (*zeros[:1], *looked_up),
    )


class Sparse(Requirement):
    """Items without votes are listed like all others."""

    id = "source.sparse"
    kind = Kind.SOURCE
    statement = (
        "With few votes in a long domain, or none, every item comes exactly once, wherever pages "
        "end; items without votes come last, and have score 0 through both doors."
    )
    claims = ("model:sorted-access", "model:random-access", "model:votes")
    bug = "items without a row are missing, repeated or misplaced where the rows end"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per number of votes, in short domains and in a long one."""
        return tuple(
            Experiment(f"{votes}, {items}", EXAMPLES, (votes, items))
            for items in SIZES
            for votes in VOTED
        )

    def observe(self, trial: Trial) -> Observation:
        """Read many histograms and report the smallest that fails."""
        explore(trial, sparse_readings(*trial.experiment.setting), lambda one: check(trial, one))
        return Observation()


def check(trial: Trial, reading: SparseReadingPlan) -> None:
    """Look up items, ask for pages near the end of the rows, and then read from the top."""
    m = len(reading.histogram)
    everything = tuple(range(1, m + 1))
    with open_source(trial.call, trial.subject.thing, reading.histogram) as source:
        for items in (reading.items, everything, reading.items[:1]):
            require_each_score(trial, source, reading, items)
        asked = [(start, size) for start in reading.starts for size in reading.pages]
        early = [page_of(trial, source, start, count) for start, count in asked]
        entries = read_through(trial, source, reading)
        require_entries(reading, entries)
        for (start, count), page in zip(asked, early, strict=True):
            if page != entries[start - 1 :][:count]:
                raise ViolationError(
                    f"{reading}: the page top({start}, {count}) differs when it is read first"
                )
            require_page(trial, source, reading, entries, start, count)


def require_each_score(
    trial: Trial, source: Any, reading: SparseReadingPlan, items: tuple[int, ...]
) -> None:
    """Compare the scores of many items, and report the first that is wrong."""
    scores = trial.call(lambda: [whole(score) for score in source.scores(list(items))])
    if len(scores) != len(items):
        raise ViolationError(f"{reading}: {len(items)} items looked up gave {len(scores)} scores")
    for item, score in zip(items, scores, strict=True):
        right = reading.histogram[item - 1]
        if score != right:
            raise ViolationError(
                f"{reading}: item {item} must have score {right}, random access returns {score}"
            )


def require_entries(reading: SparseReadingPlan, entries: Page) -> None:
    """Demand each item once, with its score, by descending score."""
    m, met = len(reading.histogram), set[int]()
    above = entries[0][1]
    for rank, (item, score) in enumerate(entries, start=1):
        if not 1 <= item <= m:
            raise ViolationError(
                f"{reading}: items must lie between 1 and m={m}, rank {rank} has item {item}"
            )
        if item in met:
            raise ViolationError(f"{reading}: item {item} comes again at rank {rank}")
        if score != reading.histogram[item - 1]:
            right = reading.histogram[item - 1]
            raise ViolationError(
                f"{reading}: item {item} must have score {right}, sorted access returns {score}"
            )
        if score > above:
            raise ViolationError(
                f"{reading}: item {item} with score {score} comes after {above} at rank {rank}"
            )
        met.add(item)
        above = score


REQUIREMENTS: Final = (Sparse(),)
