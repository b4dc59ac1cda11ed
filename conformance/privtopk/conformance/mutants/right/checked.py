"""Doors that refuse what a sound list cannot deliver, for the right selectors."""

from collections.abc import Sequence

from privtopk.conformance.subjects.doors import Doors
from privtopk.spec.model.errors import Reason, SelectionError


def checked(scores: Doors) -> Doors:
    """Return the same doors; what they deliver is checked as it arrives."""
    known: dict[int, float] = {}
    delivered: list[tuple[int, float]] = []

    def read_sorted(count: int) -> list[tuple[int, float]]:
        """Read entries in order."""
        entries = scores.top(count)
        require(len(entries) == min(count, scores.size - len(delivered)), "entries are missing")
        for item, score in entries:
            require_entry(item, score, scores.size)
            require(known.setdefault(item, score) == score, "the doors disagree")
            require(not delivered or delivered[-1][1] >= score, "the list is not sorted")
            require(not delivered or delivered[-1][0] != item, "an item came twice")
            delivered.append((item, score))
        return entries

    def read_random(items: Sequence[int]) -> list[float]:
        """Look up entries."""
        values = scores.values(items)
        require(len(values) == len(items), "scores are missing")
        for item, score in zip(items, values, strict=True):
            require_entry(item, score, scores.size)
            require(known.setdefault(item, score) == score, "the doors disagree")
        return values

    return Doors(scores.size, read_sorted, read_random)


def require_entry(item: int, score: float, m: int) -> None:
    """Refuse an unknown item, and a score that is not a whole number at least 0."""
    require(1 <= item <= m, "the item is unknown")
    require(score >= 0 and score == score // 1, "the score is not a whole number at least 0")


def require(is_sound: bool, fault: str) -> None:
    """Refuse a faulty source."""
    if not is_sound:
        raise SelectionError(Reason.FAULTY_SOURCE, f"the source is faulty: {fault}")
