"""Orders in which a noise list is asked, and the lists after them.

Sizes go from 2 to 2^60: small lists show a slip by one and items that come too often, huge
ones show a wrong scale, a wrong tail and too few random bits in a few queries.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from privtopk.conformance.evidence.trial import Trial
from privtopk.conformance.requirements.noise.transcript import (
    AFTER_KNOWN,
    CASES,
    FIRST_SORTED,
    PAST_PENDING,
    RANDOM_AT_START,
    RANDOM_LATER,
    SORTED,
    Step,
    Transcript,
)
from privtopk.conformance.subjects.subject import Subject

SIZES: Final = (2, 3, 5, 8, 100, 10_000, 2**40, 2**60)
QUERIES: Final = 12
"""The longest script."""

RATES: Final = (0.3, 2.5)
"""Rates 1/scale; 1 would hide a confusion of the two."""

Script = Callable[[Transcript, Trial], Iterator[Step | None]]


def sorted_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Read from the top."""
    while seen.delivered < min(QUERIES, seen.m):
        yield seen.sorted_access()


def random_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Ask for one item after another."""
    while len(seen.values) < min(QUERIES, seen.m):
        yield seen.random_access(seen.fresh_item())


def alternating_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Ask by turns through both doors, as the threshold algorithm does."""
    for _ in range(QUERIES // 2):
        if seen.delivered < seen.m:
            yield seen.sorted_access()
        if seen.unseen:
            yield seen.random_access(seen.fresh_item())


def mixed_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Ask through a random door each time, now and then for an item seen before."""
    for _ in range(QUERIES):
        door = trial.coins.random()
        if door < 0.45 and seen.delivered < seen.m:
            yield seen.sorted_access()
        elif door < 0.9 and seen.unseen:
            yield seen.random_access(seen.fresh_item())
        elif seen.values:
            yield seen.random_access(seen.seen_item())


def random_first_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Ask for up to half of the items, then read from the top."""
    for _ in range(trial.coins.randint(1, max(1, min(QUERIES, seen.m) // 2))):
        yield seen.random_access(seen.fresh_item())
    while seen.delivered < min(QUERIES // 2, seen.m):
        yield seen.sorted_access()


SCRIPTS: Final[dict[str, tuple[Script, tuple[str, ...]]]] = {
    "sorted": (sorted_script, (FIRST_SORTED, SORTED)),
    "random": (random_script, (RANDOM_AT_START,)),
    "alternating": (
        alternating_script,
        (FIRST_SORTED, SORTED, PAST_PENDING, AFTER_KNOWN, RANDOM_LATER),
    ),
    "mixed": (mixed_script, CASES),
    "random first": (random_first_script, (RANDOM_AT_START, SORTED, PAST_PENDING)),
}
"""Orders of queries, and the cases that occur in each."""


def sizes_for(subject: Subject) -> tuple[int, ...]:
    """Return the sizes that a subject says it accepts."""
    return tuple(m for m in SIZES if m <= subject.abilities.largest) or (1,)


def lists_for(subject: Subject) -> list[tuple[int, str]]:
    """Return every size with every script, the smallest sizes twice: their lists are short."""
    sizes = sizes_for(subject)
    return list(product((*sizes, *(m for m in sizes if m <= 8)), SCRIPTS))


def sizes_and_scripts(trial: Trial) -> Iterator[tuple[int, str]]:
    """Yield a size and a script for each list, all in turn from a random one on."""
    every = lists_for(trial.subject)
    start = trial.coins.randrange(len(every))
    for turn in range(start, start + trial.count):
        yield every[turn % len(every)]


@dataclass(frozen=True, slots=True)
class PlayedList:
    """A list after its script."""

    m: int
    script: str
    steps: tuple[Step, ...]
    """The queries that told something new."""


def play_scripts(trial: Trial) -> Iterator[PlayedList]:
    """Yield fresh lists, each after a script."""
    for m, name in sizes_and_scripts(trial):
        seen = Transcript(trial, m, trial.coins.choice(RATES), trial.experiment.setting)
        script, _ = SCRIPTS[name]
        told = tuple(step for step in script(seen, trial) if step is not None)
        yield PlayedList(m, name, told)
