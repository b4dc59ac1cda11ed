"""A data source lists the items that nobody voted for, too.

Most stores have rows for the items with votes only; the rest of the domain must be made up
from its declaration. What goes wrong does so where the rows end: that may be in the middle
of a page, at its border, at the first rank or nowhere.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.exploring import explore
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
"""How many of m items have a positive score."""

SIZES: Final = {"few items": (1, 2, 3, 5, 8), f"{LONG} items": (LONG,)}
EXAMPLES: Final = 8


class SparseReadingPlan(ReadingPlan):
    """A histogram with few positive scores, or few zeros, and how it is read."""

    __slots__ = ()

    @property
    def voted(self) -> int:
        """The number of positive scores: the rank at which the rows end."""
        return sum(score > 0 for score in self.histogram)

    def __str__(self) -> str:
        """Return it as a person would write it down."""
        m = len(self.histogram)
        return f"h={self.histogram}" if m < LONG else f"m={m}, votes for {self.voted} items"


@st.composite
def sparse_readings(draw: DrawFn, votes: str, items: str) -> SparseReadingPlan:
    """Draw where the votes are, and pages that end near the last of them."""
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
    """Items without votes are items like all others."""

    id = "source.sparse"
    kind = Kind.SOURCE
    statement = (
        "With few votes in a long domain, or none, every item comes exactly once, wherever pages "
        "end; items without votes come last, and have score 0 through both doors."
    )
    claims = ("model:sorted-access", "model:random-access", "model:votes")
    bug = "items without a row are missing, repeated or misplaced where the rows end"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment for each number of votes, in short domains and in a long one."""
        return tuple(
            Experiment(f"{votes}, {items}", EXAMPLES, (votes, items))
            for items in SIZES
            for votes in VOTED
        )

    def observe(self, trial: Trial) -> Observation:
        """Read many histograms; the smallest that goes wrong is reported."""
        explore(trial, sparse_readings(*trial.experiment.setting), lambda one: check(trial, one))
        return Observation()


def check(trial: Trial, reading: SparseReadingPlan) -> None:
    """Look items up, ask for pages beyond the rows first, and then read from the top."""
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
                    f"{reading}: the page top({start}, {count}) is another when it is read first"
                )
            require_page(trial, source, reading, entries, start, count)


def require_each_score(
    trial: Trial, source: Any, reading: SparseReadingPlan, items: tuple[int, ...]
) -> None:
    """Compare the scores of many items, and name the first that is wrong."""
    scores = trial.call(lambda: [whole(score) for score in source.scores(list(items))])
    if len(scores) != len(items):
        raise ViolationError(f"{reading}: {len(items)} items looked up gave {len(scores)} scores")
    for item, score in zip(items, scores, strict=True):
        right = reading.histogram[item - 1]
        if score != right:
            raise ViolationError(f"{reading}: item {item} scores {right}, looked up it is {score}")


def require_entries(reading: SparseReadingPlan, entries: Page) -> None:
    """Demand each item once, with its score, and no score above the one before."""
    m, met = len(reading.histogram), set[int]()
    above = entries[0][1]
    for rank, (item, score) in enumerate(entries, start=1):
        if not 1 <= item <= m:
            raise ViolationError(f"{reading}: rank {rank} has item {item}, there are m={m}")
        if item in met:
            raise ViolationError(f"{reading}: item {item} comes again at rank {rank}")
        if score != reading.histogram[item - 1]:
            right = reading.histogram[item - 1]
            raise ViolationError(f"{reading}: item {item} scores {right}, listed it is {score}")
        if score > above:
            raise ViolationError(
                f"{reading}: item {item} with score {score} comes after {above} at rank {rank}"
            )
        met.add(item)
        above = score


REQUIREMENTS: Final = (Sparse(),)
