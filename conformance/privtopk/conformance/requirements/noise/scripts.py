"""Scripts: the orders in which a noise list is queried.

Sizes go from 2 to 2^60. Small lists reveal errors by one and items that come too often. Huge
lists reveal, in a few queries, a wrong scale, a wrong tail and too few random bits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from privtopk.conformance.evidence.trial import Trial
from privtopk.conformance.requirements.noise.list_under_test import RATES
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
"""Number of queries of the longest script."""

Script = Callable[[Transcript, Trial], Iterator[Step | None]]


def sorted_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Read from the top."""
    while seen.delivered < min(QUERIES, seen.m):
        yield seen.sorted_access()


def random_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Look up one item after another."""
    while len(seen.values) < min(QUERIES, seen.m):
        yield seen.random_access(seen.fresh_item())


def alternating_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Use both doors in turn, as the threshold algorithm does."""
    for _ in range(QUERIES // 2):
        if seen.delivered < seen.m:
            yield seen.sorted_access()
        if seen.unseen:
            yield seen.random_access(seen.fresh_item())


def mixed_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Use a random door each time, sometimes for an item seen before."""
    for _ in range(QUERIES):
        door = trial.coins.random()
        if door < 0.45 and seen.delivered < seen.m:
            yield seen.sorted_access()
        elif door < 0.9 and seen.unseen:
            yield seen.random_access(seen.fresh_item())
        elif seen.values:
            yield seen.random_access(seen.seen_item())


def random_first_script(seen: Transcript, trial: Trial) -> Iterator[Step | None]:
    """Look up at most half of the items, then read from the top."""
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
"""The scripts, and the cases that occur in each."""


def sizes_for(subject: Subject) -> tuple[int, ...]:
    """Return the sizes that the subject accepts."""
    return tuple(m for m in SIZES if m <= subject.abilities.largest) or (1,)


def lists_for(subject: Subject) -> list[tuple[int, str]]:
    """Return every size with every script; sizes up to 8 come twice, since they reveal less."""
    sizes = sizes_for(subject)
    return list(product((*sizes, *(m for m in sizes if m <= 8)), SCRIPTS))


def sizes_and_scripts(trial: Trial) -> Iterator[tuple[int, str]]:
    """Yield a size and a script per trial: all combinations in turn, from a random one on."""
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
    """The queries that revealed something new."""


def play_scripts(trial: Trial) -> Iterator[PlayedList]:
    """Yield one fresh list per trial, after its script."""
    for m, name in sizes_and_scripts(trial):
        seen = Transcript(trial, m, trial.coins.choice(RATES), trial.experiment.setting)
        script, _ = SCRIPTS[name]
        steps = tuple(step for step in script(seen, trial) if step is not None)
        yield PlayedList(m, name, steps)
