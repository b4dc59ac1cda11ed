"""A data source shows the same histogram through both doors.

A source is asked for pages of ranks, in any order and of any size, and for the scores of items.
Ties may come in any order, but always in the same one: an engine that continues at the rank where
it stopped must neither read an item twice nor miss one.
"""

import random
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.exploring import explore
from privtopk.conformance.requirements.source.opening import open_source
from privtopk.conformance.requirements.source.reading import (
    LONG,
    ReadingPlan,
    page_of,
    read_through,
    require_page,
    require_scores,
    whole,
)
from privtopk.conformance.subjects.calls import SubjectError
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject

LARGEST_SCORE: Final = 2**53
CEILINGS: Final = {
    "all scores 0": 0,
    "many ties": 2,
    "few ties": 1000,
    "scores up to 2^53": LARGEST_SCORE,
}
EXAMPLES: Final = 32


@st.composite
def readings(draw: DrawFn, ceiling: int) -> ReadingPlan:
    """Draw small histograms and ways to read them, and sometimes a long one."""
    if draw(st.integers(0, 7)) == 7:
        coins = random.Random(draw(st.integers(0, 2**16)))
        return ReadingPlan(
            tuple(coins.randint(0, ceiling) for _ in range(LONG)), (LONG,), (1,), (LONG,)
        )
    m = draw(st.integers(1, 20))
    near = st.integers(max(0, ceiling - 2), ceiling)
    scores = st.lists(st.one_of(st.integers(0, ceiling), near), min_size=m, max_size=m)
    pages = st.lists(st.integers(1, 7), min_size=1, max_size=4)
    ranks = st.lists(st.integers(1, m), max_size=4)
    return ReadingPlan(*(tuple(draw(part)) for part in (scores, pages, ranks, ranks)))


class SourceRequirement(Requirement):
    """A requirement on the reading of generated histograms."""

    kind = Kind.SOURCE

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per range of scores."""
        return tuple(Experiment(name, EXAMPLES, ceiling) for name, ceiling in CEILINGS.items())

    def observe(self, trial: Trial) -> Observation:
        """Read many histograms and report the smallest that fails."""
        explore(trial, readings(trial.experiment.setting), lambda one: self.check(trial, one))
        return Observation()

    @abstractmethod
    def check(self, trial: Trial, reading: ReadingPlan) -> None:
        """Raise `ViolationError` if the subject fails on a histogram."""


class Order(SourceRequirement):
    """Sorted access delivers every item once, best first."""

    id = "source.order"
    statement = "Read page by page, every item comes exactly once, by descending score."
    claims = ("model:sorted-access", "erratum:tie-order")
    bug = "pages overlap or leave gaps, ties are unstable, or the order is not that of the scores"

    def check(self, trial: Trial, reading: ReadingPlan) -> None:
        """Read to the end and compare with the sorted histogram."""
        m = len(reading.histogram)
        with open_source(trial.call, trial.subject.thing, reading.histogram) as source:
            entries = read_through(trial, source, reading)
        items = [item for item, _ in entries]
        if sorted(items) != list(range(1, m + 1)):
            raise ViolationError(f"{reading}: must deliver each of m={m} items once, got {items}")
        scores = [score for _, score in entries]
        if scores != sorted(scores, reverse=True):
            raise ViolationError(f"{reading}: scores must descend, got {scores}")


class Agreement(SourceRequirement):
    """Both doors return the scores of the histogram."""

    id = "source.agreement"
    statement = "Both doors return the score that an item has in the histogram."
    claims = ("model:random-access", "model:sorted-access")
    bug = "a door returns another item's score or a rounded one, or answers in another order"

    def check(self, trial: Trial, reading: ReadingPlan) -> None:
        """Compare every score, through either door, one at a time and together."""
        histogram = reading.histogram
        singles = [(item,) for item in range(1, len(histogram) + 1)]
        with open_source(trial.call, trial.subject.thing, histogram) as source:
            size = trial.call(lambda: whole(source.size))
            if size != len(histogram):
                raise ViolationError(f"{reading}: size must be {len(histogram)}, got {size}")
            for items in (*singles, (), reading.items, tuple(reversed(reading.items))):
                require_scores(trial, source, reading, items)
            entries = read_through(trial, source, reading)
        for item, score in entries:
            right = histogram[item - 1] if 1 <= item <= len(histogram) else None
            if score != right:
                raise ViolationError(
                    f"{reading}: item {item} must have score {right}, sorted access returns {score}"
                )


class Pages(SourceRequirement):
    """A rank always has the same entry."""

    id = "source.pages"
    statement = "The entry at a rank is the same on every page and at any time."
    claims = ("model:sorted-access", "erratum:tie-order")
    bug = "ties come in another order on another page, or ranks are counted from the wrong end"

    def check(self, trial: Trial, reading: ReadingPlan) -> None:
        """Read pages again, with other sizes and from other ranks, and compare."""
        m = len(reading.histogram)
        asked = [(start, size) for start in reading.starts for size in reading.pages]
        with open_source(trial.call, trial.subject.thing, reading.histogram) as source:
            entries = read_through(trial, source, reading)
            for start, count in (*asked, (1, m), (m, 1), (1, 0)):
                require_page(trial, source, reading, entries, start, count)


INVALID: Final = ("items", "ranks", "counts", "ends")


class SourceRefusals(Requirement):
    """Questions about what does not exist are refused."""

    id = "source.refusals"
    kind = Kind.SOURCE
    is_exhaustive = True
    statement = (
        "Unknown items, ranks below 1 and negative counts are refused; pages beyond the last rank "
        "are empty."
    )
    claims = ("model:sorted-access", "model:random-access")
    bug = "numbers below 1 are counted from the end, or a missing row becomes a score"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per kind of invalid question."""
        return tuple(Experiment(name, 1, name) for name in INVALID)

    def observe(self, trial: Trial) -> Observation:
        """Ask invalid questions, in a domain of one item and in a larger one."""
        for histogram in ((3,), (4, 9, 0, 4, 7)):
            m = len(histogram)
            with open_source(trial.call, trial.subject.thing, histogram) as source:
                if trial.experiment.setting == "ends":
                    require_end(trial, source, m)
                for text, door, arguments in invalid_questions(trial.experiment.setting, m):
                    require_refusal(trial, f"{text} of m={m}", source, door, arguments)
        return Observation()


def invalid_questions(what: str, m: int) -> list[tuple[str, str, tuple[object, ...]]]:
    """Return invalid questions: a text, the door, and its arguments."""
    if what == "items":
        wrong = (0, -1, -m, m + 1, 2**40)
        return [(f"item {item}", "scores", ([1, item],)) for item in wrong]
    if what == "ranks":
        return [(f"rank {start}", "top", (start, 2)) for start in (0, -1, -m)]
    if what == "counts":
        return [(f"count {count}", "top", (1, count)) for count in (-1, -m)]
    return []


def require_refusal(
    trial: Trial, text: str, source: Any, door: str, arguments: Sequence[object]
) -> None:
    """Raise `ViolationError` unless a call raises an error; to hang or to exit is no refusal."""
    try:
        answer = trial.call(lambda: list(getattr(source, door)(*arguments)))
    except SubjectError as fault:
        if not isinstance(fault.cause, Exception):
            raise
        return
    raise ViolationError(f"{text} must be refused, got {answer!r:.60}")


def require_end(trial: Trial, source: Any, m: int) -> None:
    """Demand shorter pages at the end and empty pages beyond it."""
    everything = page_of(trial, source, 1, m)
    for start, count in ((1, m + 5), (m, 3), (m + 1, 1), (m + 7, 4), (2**40, 2)):
        page, right = page_of(trial, source, start, count), everything[start - 1 :][:count]
        if page != right:
            raise ViolationError(
                f"{count} entries from rank {start} of m={m} must be {right}, got {page}"
            )


REQUIREMENTS: Final = (Order(), Agreement(), Pages(), SourceRefusals())
