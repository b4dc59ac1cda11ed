"""Times one subject and reads the version of its library, in the environment that has both."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from statistics import median
from time import perf_counter
from typing import Final

from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.question import question_at
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject

M: Final = 1_000
K: Final = 10
RATE: Final = 0.5
REPETITIONS: Final = 31


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of a selection, and the versions of the library and of Python."""

    version: str
    python: str
    seconds: float
    """The median over `REPETITIONS` selections."""


def timing_of(address: str, package: str) -> Timing:
    """Return the median time of a selection of 10 among 1,000 items, after a first untimed one."""
    select = selection(subject_at(address, is_in_process=True))
    select()
    times = [seconds_of(select) for _ in range(REPETITIONS)]
    python = ".".join(map(str, sys.version_info[:3]))
    return Timing(version(package), python, median(times))


def selection(subject: Subject) -> Callable[[], object]:
    """Return a function that selects once; its time includes reading through the doors."""
    histogram = tuple(M // item for item in range(1, M + 1))
    question = question_at(RATE, K, subject.abilities.noises[0])
    if subject.abilities.is_sampler:
        return lambda: subject.sample(histogram, question, 1)
    scores = ListedScores(histogram)
    return lambda: subject.select(open_doors(scores)[0], question)


def seconds_of(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    started = perf_counter()
    call()
    return perf_counter() - started


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the timing of an address and a package as JSON."""
    address, package = arguments or sys.argv[1:]
    print(json.dumps(asdict(timing_of(address, package))))


if __name__ == "__main__":
    main()
