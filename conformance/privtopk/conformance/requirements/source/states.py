"""Questions to a source whose scores change meanwhile, and whether the answers are of one state."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from privtopk.conformance.evidence.trial import Trial, ViolationError
from privtopk.conformance.requirements.source.reading import Page, entry_of, whole

MANY: Final = 12
"""Entries from which on a list is told by its beginning."""

Histogram: TypeAlias = tuple[int, ...]
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class RankQuery:
    """A question for the entries at some ranks."""

    start: int
    count: int

    def __str__(self) -> str:
        """Return the call."""
        return f"top({self.start}, {self.count})"

    def ask(self, trial: Trial, source: Any) -> Page:
        """Return the entries; whatever the source raises is its own."""
        return plain_answer(trial.call(lambda: list(source.top(self.start, self.count))), entry_of)

    def fits(self, page: Page, histogram: Histogram) -> bool:
        """Return whether the answer is that of a state, ties in any order."""
        scores = sorted(histogram, reverse=True)[self.start - 1 :][: self.count]
        known = all(1 <= item <= len(histogram) for item, _ in page)
        return (
            [score for _, score in page] == scores
            and known
            and all(histogram[item - 1] == score for item, score in page)
        )


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """A question for the scores of some items."""

    items: tuple[int, ...]

    def __str__(self) -> str:
        """Return the call."""
        return f"scores({list(self.items)})" if len(self.items) < MANY else "scores(...)"

    def ask(self, trial: Trial, source: Any) -> list[int]:
        """Return the scores; whatever the source raises is its own."""
        return plain_answer(trial.call(lambda: list(source.scores(list(self.items)))), whole)

    def fits(self, scores: list[int], histogram: Histogram) -> bool:
        """Return whether the answer is that of a state."""
        return scores == [histogram[item - 1] for item in self.items]


Query: TypeAlias = RankQuery | ItemQuery
QueryLog: TypeAlias = Sequence[tuple[Query, Any]]
"""Questions and their answers, in order."""


def is_one_state(transcript: QueryLog, histogram: Histogram) -> bool:
    """Return whether all answers are those of a histogram, listed in one order."""
    if not all(asked.fits(answer, histogram) for asked, answer in transcript):
        return False
    places = {
        (rank, item)
        for asked, page in transcript
        if isinstance(asked, RankQuery)
        for rank, (item, _) in enumerate(page, start=asked.start)
    }
    ranks, items = {rank for rank, _ in places}, {item for _, item in places}
    return len(places) == len(ranks) == len(items)


def labelled_answers(transcript: QueryLog, old: Histogram, new: Histogram) -> str:
    """Return questions and answers, and which of two states each answer is of."""
    labels = {(True, True): "both", (True, False): "old", (False, True): "new"}
    lines = []
    for asked, answer in transcript:
        label = labels.get((asked.fits(answer, old), asked.fits(answer, new)), "neither")
        shown = str(answer) if len(answer) < MANY else f"{str(answer[:2])[:-1]}, ...]"
        lines.append(f"{asked} = {shown} is {label}")
    return "; ".join(lines)


def plain_answer(answer: Iterable[Any], understood: Callable[[Any], Entry]) -> list[Entry]:
    """Return an answer in plain integers; one that is not made of them is no refusal."""
    try:
        return [understood(part) for part in answer]
    except (TypeError, ValueError) as error:
        raise ViolationError(f"an answer must consist of whole numbers: {error}") from error
