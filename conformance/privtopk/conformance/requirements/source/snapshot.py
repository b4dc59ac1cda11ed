"""A data source shows one state of its scores, whatever others write while it is read.

Another writer stores other scores at every possible moment: before the first query, between any
two queries, and just before the source is closed. All answers must come from one state that was
stored at some moment since the source was opened, or the source must refuse them, at the latest
when it is closed. A snapshot, a version that is compared at the end, and a lock that keeps
writers out are all accepted.

The other writer writes between queries only: the harness cannot time a write during an answer.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.exploring import explore
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
    """The first state, the queries of a reader, and the writes between them."""

    before: Histogram
    script: tuple[Query, ...]
    writes: Mapping[int, Histogram]
    """The new state before each query, counted from 0; the number of queries means the closing."""

    @property
    def states(self) -> tuple[Histogram, Histogram]:
        """The first two states."""
        return self.before, next(iter(self.writes.values()))

    def __str__(self) -> str:
        """Return the states and the moments of the writes."""
        m = len(self.before)
        is_short = m < LONG
        parts = [f"h={self.before}" if is_short else f"m={m}"]
        for number, after in self.writes.items():
            what = f"h={after}" if is_short else "other scores"
            is_last = number == len(self.script)
            parts.append(f"{what} before {'closing' if is_last else f'query {number + 1}'}")
        return ", ".join(parts)


Change: TypeAlias = Callable[[Histogram, int, int], tuple[Histogram, Histogram]]
"""Returns scores before and after a change of a leading item and another item."""


def exchange_scores(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Exchange the scores of two items; number, sum and maximum of the scores do not change."""
    return scores, replace_scores(scores, {leader: scores[other], other: scores[leader]})


def break_tie(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Move one of two tied items up and the other down; number and sum do not change."""
    tied = replace_scores(scores, {leader: 2, other: 2})
    return tied, replace_scores(scores, {leader: 3, other: 1})


def take_all_votes(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Take all votes from an item."""
    return scores, replace_scores(scores, {leader: 0})


def give_first_votes(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Give votes to an item that had none."""
    return replace_scores(scores, {leader: 0}), scores


def leave_unchanged(scores: Histogram, leader: int, other: int) -> tuple[Histogram, Histogram]:
    """Write the same scores again."""
    return scores, scores


def replace_scores(scores: Histogram, changes: Mapping[int, int]) -> Histogram:
    """Return the scores with some of them replaced."""
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
    """Draw scores before and after a change, and queries in any order."""
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
    """Return many scores, their reversal, and queries for more than drivers fetch at once."""
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
    """Yield one interleaving per moment of the write, with its reversal if it is undone."""
    for moment in range(len(script) + 1):
        writes = {moment: after}
        if is_undone:
            writes[moment + 1] = before
        yield Interleaving(before, script, {at: h for at, h in writes.items() if at <= len(script)})


class Snapshot(Requirement):
    """All answers come from one state."""

    id = "source.snapshot"
    kind = Kind.SOURCE
    statement = (
        "While another writer stores other scores, all answers of an open source are those of one "
        "state, through both doors, or the source refuses, at the latest when it is closed."
    )
    claims = ("model:sorted-access", "model:random-access", "erratum:tie-order")
    bug = "an answer comes from what is stored now, or a change is not always detected"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that does not let another writer store scores."""
        return super().reason_to_skip(abilities) or missing_extra(abilities, Extra.REWRITE)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per kind of change."""
        short = [Experiment(name, EXAMPLES["short"], name) for name in CHANGES]
        return (*short, Experiment(LONG_LIST, EXAMPLES["long"], LONG_LIST))

    def observe(self, trial: Trial) -> Observation:
        """Write at every moment of many readings, and report the smallest that fails."""
        kind, stored = trial.experiment.setting, list[bool]()

        def check(example: tuple[Histogram, Histogram, tuple[Query, ...]]) -> None:
            for interleaving in interleavings(*example, is_undone=kind == BACK):
                require_one_state(trial, interleaving, stored)

        explore(trial, changes_and_scripts(kind), check)
        return Observation(declined=None if any(stored) else KEPT_OUT)


def require_one_state(trial: Trial, interleaving: Interleaving, stored: list[bool]) -> None:
    """Demand answers from one state, or a refusal; append whether each write was stored."""
    states, answers = [interleaving.before], list[Any]()
    script = interleaving.script
    try:
        with open_source(trial.call, trial.subject.thing, interleaving.before) as source:
            for number in range(len(script) + 1):
                after = interleaving.writes.get(number)
                if after is not None:
                    stored.append(store_as_other_writer(trial, source, after))
                    states += [after] if stored[-1] else []
                answers += [query.ask(trial, source) for query in script[number:][:1]]
    except SubjectError as fault:
        if len(states) == 1 or not isinstance(fault.cause, Exception):
            raise
        return
    log = list(zip(script, answers, strict=True))
    if not any(is_one_state(log, state) for state in states):
        labelled = labelled_answers(log, *interleaving.states)
        raise ViolationError(f"{interleaving}: the answers come from no single state: {labelled}")


def store_as_other_writer(trial: Trial, source: Any, histogram: Histogram) -> bool:
    """Store other scores and return whether they were stored; an error is the adapter's fault."""
    try:
        return trial.call(lambda: source.rewrite(histogram)) is not False
    except SubjectError as fault:
        raise AdapterError(f"rewrite {fault}") from fault


REQUIREMENTS: Final = (Snapshot(),)
