"""Times that can be compared: contenders take turns, and only ratios leave the run.

A round calls every contender in turn, so that whatever slows the machine down for a while
slows them all. Within a round a fast contender is called many times, and the mean counts:
a selection's cost is random, and its minimum would flatter it. Over the rounds the fastest
counts, on both sides of a ratio: what else goes on in a machine only ever adds time.
"""

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

LONGEST_SAMPLE = 0.02
"""Seconds that one contender gets in a round; a slower one is called once."""

MOST_CALLS = 200
"""A faster contender is called so often in a round."""


@dataclass(frozen=True, slots=True)
class Race:
    """The mean seconds a call of every contender, round by round."""

    seconds: Mapping[str, tuple[float, ...]]

    def best(self, name: str) -> float:
        """Return the seconds a call of a contender in its fastest round."""
        return min(self.seconds[name])

    def ratio(self, slow: str, fast: str) -> float:
        """Return how many times as long one contender takes as another."""
        return self.best(slow) / self.best(fast)


def race(
    contenders: Mapping[str, Callable[[], object]],
    rounds: int,
    at_least: Mapping[str, int] | None = None,
) -> Race:
    """Let contenders take turns; some are called so many times in a round even if they are slow."""
    least = at_least or {}
    calls = {
        name: max(_calls_in_a_sample(run), least.get(name, 1)) for name, run in contenders.items()
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    with uncollected():
        for _ in range(rounds):
            for name, run in contenders.items():
                seconds[name].append(mean_seconds(run, calls[name]))
            gc.collect()
    return Race({name: tuple(samples) for name, samples in seconds.items()})


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from running in the middle of a measurement."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


def mean_seconds(run: Callable[[], object], calls: int) -> float:
    """Return the mean seconds of a number of calls."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def _calls_in_a_sample(run: Callable[[], object]) -> int:
    """Return how often a contender is called in a round; a first call warms it up."""
    if mean_seconds(run, 1) >= LONGEST_SAMPLE:
        return 1
    return max(1, min(MOST_CALLS, int(LONGEST_SAMPLE / mean_seconds(run, 1))))
