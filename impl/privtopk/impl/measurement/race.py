"""Times that can be compared: contenders take turns, and only ratios of one run are published.

A turn calls every contender, so that whatever slows the machine down for a while slows them
all. Within a turn a fast contender is called many times, and the mean counts: the cost of a
selection is random, and its minimum would be too favourable. Over the turns the fastest counts,
on both sides of a ratio: other work on the machine only ever adds time.
"""

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from privtopk.impl.measurement.rows import Row, Table

LONGEST_SAMPLE = 0.02
"""Seconds that one contender gets in a turn; a slower one is called once."""

MOST_CALLS = 200
"""The largest number of calls of a contender in one turn."""


@dataclass(frozen=True, slots=True)
class Race:
    """The mean seconds per call of every contender, turn by turn."""

    seconds: Mapping[str, tuple[float, ...]]

    def best(self, name: str) -> float:
        """Return the seconds per call of a contender in its fastest turn."""
        return min(self.seconds[name])

    def ratio(self, slow: str, fast: str) -> float:
        """Return how many times as long one contender takes as another."""
        return self.best(slow) / self.best(fast)

    def rows(self, common: Row, heading: str, yardstick: str) -> Table:
        """Return one row per contender: its time, and under a heading its ratio to a yardstick."""
        return [
            {
                **common,
                "contender": name,
                "milliseconds": 1e3 * self.best(name),
                heading: self.ratio(name, yardstick),
            }
            for name in self.seconds
        ]


def race(
    contenders: Mapping[str, Callable[[], object]],
    turns: int,
    least_calls: Mapping[str, int] | None = None,
) -> Race:
    """Let contenders take turns; some may need a least number of calls per turn."""
    least = least_calls or {}
    calls = {
        name: max(_calls_per_turn(run), least.get(name, 1)) for name, run in contenders.items()
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    with garbage_collector_paused():
        for _ in range(turns):
            for name, run in contenders.items():
                seconds[name].append(mean_seconds(run, calls[name]))
            gc.collect()
    return Race({name: tuple(samples) for name, samples in seconds.items()})


@contextmanager
def garbage_collector_paused() -> Iterator[None]:
    """Keep the garbage collector from running during a measurement."""
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


def _calls_per_turn(run: Callable[[], object]) -> int:
    """Return the number of calls of a contender per turn; the first call here warms it up."""
    if mean_seconds(run, 1) >= LONGEST_SAMPLE:
        return 1
    return max(1, min(MOST_CALLS, int(LONGEST_SAMPLE / mean_seconds(run, 1))))
