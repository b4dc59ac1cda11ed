"""A data source shows one state of its scores, whatever others write while it is read.

Another writer stores other scores at every moment there is: before the first question, between
any two of them, and just before the source is closed. All answers must be those of one state
that was stored at some moment since the source was opened, or the source must refuse them, at
the latest when it is closed. A snapshot, a version that is compared at the end, and a lock
that keeps writers out are all right.

Writers come between questions only: what happens inside one answer cannot be timed from here.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.exploring import explore
from privtopk.conformance.requirements.source.opening import missing_extra, open_source
from privtopk.conformance.requirements.source.reading import LONG
from privtopk.conformance.requirements.source.states import (
    Histogram,
    ItemQuery,
    Query,
    RankQuery,
    is_one_state,
    labelled_answers,
)
from privtopk.conformance.subjects.calls import AdapterError, SubjectError
from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind
from privtopk.conformance.subjects.subject import Subject

EXAMPLES: Final = {"short": 6, "long": 2}
BACK: Final = "two items change places and change back"
LONG_LIST: Final = "a long list is turned round"
KEPT_OUT: Final = "the source keeps other writers out while it is open"


@dataclass(frozen=True, slots=True)
class Interleaving:
    """What is stored first, what is asked, and what is stored just before which question."""

    before: Histogram
    script: tuple[Query, ...]
    writes: Mapping[int, Histogram]
    """By the number of the question, from 0; the number after the last is the closing."""

    @property
    def states(self) -> tuple[Histogram, Histogram]:
        """What is stored first, and what next."""
        return self.before, next(iter(self.writes.values()))

    def __str__(self) -> str:
        """Return it as a person would write it down."""
        m = len(self.before)
        is_short = m < LONG
        told = [f"h={self.before}" if is_short else f"m={m}"]
        for number, after in self.writes.items():
            what = f"h={after}" if is_short else "other scores"
            is_last = number == len(self.script)
            told.append(f"{what} before {'closing' if is_last else f'question {number + 1}'}")
        return ", ".join(told)


Change: TypeAlias = Callable[[Histogram, int, int], tuple[Histogram, Histogram]]
"""Returns scores before and after: the first of two items leads, the second is any other."""


def exchange_scores(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Let two items change places; number, sum and largest of the scores stay as they are."""
    return scores, replace_scores(scores, {leader: scores[other], other: scores[leader]})


def break_tie(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Move one of two that tie up and the other down; number and sum stay as they are."""
    return replace_scores(scores, {leader: 2, other: 2}), replace_scores(
        scores, {leader: 3, other: 1}
    )


def take_all_votes(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Take all votes from an item."""
    return scores, replace_scores(scores, {leader: 0})


def give_first_votes(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Give votes to an item that had none."""
    return replace_scores(scores, {leader: 0}), scores


def leave_unchanged(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Leave everything as it is."""
    return scores, scores


def replace_scores(scores: Histogram, changes: Mapping[int, int]) -> Histogram:
    """Return scores of which some are replaced."""
    return tuple(changes.get(place, score) for place, score in enumerate(scores))


CHANGES: Final[Mapping[str, Change]] = {
    "two items change places": exchange_scores,
    "a tie is broken": break_tie,
    "an item vanishes": take_all_votes,
    "an item appears": give_first_votes,
    "the same is written again": leave_unchanged,
    BACK: exchange_scores,
}


@st.composite
def changes_and_scripts(draw: DrawFn, kind: str) -> tuple[Histogram, Histogram, tuple[Query, ...]]:
    """Draw scores before and after a change, and questions in any order."""
    if kind == LONG_LIST:
        return reversed_long_list(draw(st.integers(0, 2**16)))
    m = draw(st.integers(2, 6))
    scores = tuple(draw(st.lists(st.integers(0, 3), min_size=m, max_size=m)))
    leader, other = draw(st.permutations(range(m)))[:2]
    before, after = CHANGES[kind](replace_scores(scores, {leader: max(scores) + 1}), leader, other)
    size = draw(st.integers(1, m - 1))
    script: list[Query] = [
        RankQuery(1, size),
        ItemQuery((other + 1, leader + 1)),
        RankQuery(1 + size, m - size),
        ItemQuery(tuple(range(1, m + 1))),
        RankQuery(1, m),
    ]
    return before, after, tuple(draw(st.permutations(script)))


def reversed_long_list(seed: int) -> tuple[Histogram, Histogram, tuple[Query, ...]]:
    """Return many scores, and questions for more of them than drivers fetch at once."""
    coins = random.Random(seed)
    scores = [coins.randint(0, LONG) for _ in range(LONG)]
    script = (
        RankQuery(1, 150),
        ItemQuery(tuple(coins.sample(range(1, LONG + 1), 50))),
        RankQuery(151, 500),
        ItemQuery(tuple(range(1, LONG + 1))),
        RankQuery(651, LONG - 650),
        RankQuery(1, LONG),
    )
    return tuple(scores), tuple(LONG - score for score in scores), script


def interleavings(
    before: Histogram, after: Histogram, script: tuple[Query, ...], *, is_undone: bool
) -> Iterator[Interleaving]:
    """Yield a story for every moment at which another writer may come, and come back."""
    for moment in range(len(script) + 1):
        writes = {moment: after}
        if is_undone:
            writes[moment + 1] = before
        yield Interleaving(before, script, {at: h for at, h in writes.items() if at <= len(script)})


class Snapshot(Requirement):
    """One state is shown to the end."""

    id = "source.snapshot"
    kind = Kind.SOURCE
    statement = (
        "While another writer stores other scores, all answers of an open source are those of one "
        "state, through both doors, or the source refuses, at the latest when it is closed."
    )
    claims = ("model:sorted-access", "model:random-access", "erratum:tie-order")
    bug = "an answer comes from what is stored now, or a change is not always detected"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Return why nobody can write while the subject reads."""
        return super().reason_to_skip(abilities) or missing_extra(abilities, Extra.REWRITE)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment for each kind of change."""
        short = [Experiment(name, EXAMPLES["short"], name) for name in CHANGES]
        return (*short, Experiment(LONG_LIST, EXAMPLES["long"], LONG_LIST))

    def observe(self, trial: Trial) -> Observation:
        """Let a writer come at every moment of many readings; the smallest is reported."""
        kind, stored = trial.experiment.setting, list[bool]()

        def check(plot: tuple[Histogram, Histogram, tuple[Query, ...]]) -> None:
            for story in interleavings(*plot, is_undone=kind == BACK):
                require_one_state(trial, story, stored)

        explore(trial, changes_and_scripts(kind), check)
        return Observation(declined=None if any(stored) else KEPT_OUT)


def require_one_state(trial: Trial, story: Interleaving, stored: list[bool]) -> None:
    """Read while others write, and demand one state or a refusal; note what was stored."""
    states, answers = [story.before], list[Any]()
    try:
        with open_source(trial.call, trial.subject.thing, story.before) as source:
            for number in range(len(story.script) + 1):
                after = story.writes.get(number)
                if after is not None:
                    stored.append(store_as_other_writer(trial, source, after))
                    states += [after] if stored[-1] else []
                answers += [asked.ask(trial, source) for asked in story.script[number:][:1]]
    except SubjectError as fault:
        if len(states) == 1 or not isinstance(fault.cause, Exception):
            raise
        return
    transcript = list(zip(story.script, answers, strict=True))
    if not any(is_one_state(transcript, state) for state in states):
        answered = labelled_answers(transcript, *story.states)
        raise ViolationError(f"{story}: accepted answers are of no one state: {answered}")


def store_as_other_writer(trial: Trial, source: Any, histogram: Histogram) -> bool:
    """Let another writer come; that it cannot write is told, and any error is the adapter's."""
    try:
        return trial.call(lambda: source.rewrite(histogram)) is not False
    except SubjectError as fault:
        raise AdapterError(f"rewrite {fault}") from fault


REQUIREMENTS: Final = (Snapshot(),)
