"""Queries to a source whose scores change, and whether all answers come from one state."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.requirements.source.reading import Page, entry_of, whole

MANY: Final = 12
"""Length from which on a message shows only the beginning of a list."""

Histogram: TypeAlias = tuple[int, ...]
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class RankQuery:
    """A query for the entries at some ranks."""

    start: int
    count: int

    def __str__(self) -> str:
        """Return the call."""
        return f"top({self.start}, {self.count})"

    def ask(self, trial: Trial, source: Any) -> Page:
        """Return the entries; an error of the source is a `SubjectError`."""
        return plain_answer(trial.call(lambda: list(source.top(self.start, self.count))), entry_of)

    def fits(self, page: Page, histogram: Histogram) -> bool:
        """Return whether an answer fits a state, with ties in any order."""
        scores = sorted(histogram, reverse=True)[self.start - 1 :][: self.count]
        known = all(1 <= item <= len(histogram) for item, _ in page)
        return (
            [score for _, score in page] == scores
            and known
            and all(histogram[item - 1] == score for item, score in page)
        )


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """A query for the scores of some items."""

    items: tuple[int, ...]

    def __str__(self) -> str:
        """Return the call."""
        return f"scores({list(self.items)})" if len(self.items) < MANY else "scores(...)"

    def ask(self, trial: Trial, source: Any) -> list[int]:
        """Return the scores; an error of the source is a `SubjectError`."""
        return plain_answer(trial.call(lambda: list(source.scores(list(self.items)))), whole)

    def fits(self, scores: list[int], histogram: Histogram) -> bool:
        """Return whether an answer fits a state."""
        return scores == [histogram[item - 1] for item in self.items]


Query: TypeAlias = RankQuery | ItemQuery
QueryLog: TypeAlias = Sequence[tuple[Query, Any]]
"""Queries and their answers, in order."""


def is_one_state(log: QueryLog, histogram: Histogram) -> bool:
    """Return whether all answers fit a histogram, listed in one order."""
    if not all(query.fits(answer, histogram) for query, answer in log):
        return False
    places = {
        (rank, item)
        for query, page in log
        if isinstance(query, RankQuery)
        for rank, (item, _) in enumerate(page, start=query.start)
    }
    ranks, items = {rank for rank, _ in places}, {item for _, item in places}
    return len(places) == len(ranks) == len(items)


def labelled_answers(log: QueryLog, old: Histogram, new: Histogram) -> str:
    """Return queries and answers as text, with the state that each answer fits."""
    labels = {(True, True): "both", (True, False): "old", (False, True): "new"}
    lines = []
    for query, answer in log:
        label = labels.get((query.fits(answer, old), query.fits(answer, new)), "neither")
        text = str(answer) if len(answer) < MANY else f"{str(answer[:2])[:-1]}, ...]"
        lines.append(f"{query} = {text} is {label}")
    return "; ".join(lines)


def plain_answer(answer: Iterable[Any], read: Callable[[Any], Entry]) -> list[Entry]:
    """Return an answer as plain integers; raise `ViolationError` if it has anything else."""
    try:
        return [read(part) for part in answer]
    except (TypeError, ValueError) as error:
        raise ViolationError(f"an answer must consist of whole numbers: {error}") from error
