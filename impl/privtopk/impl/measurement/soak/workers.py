"""The processes of the soak: one writer per database, and readers with several threads each."""

import gc
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from privtopk.impl.measurement.soak.states import Clock, Tally, is_allowed
from privtopk.impl.measurement.soak.stores import LOST, SoakStore
from privtopk.impl.scores.protocols import Store
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError

PAUSE: Final = 0.02
"""Seconds between two states: Redis refuses a selection if the set changes during it."""

ENGINES: Final = ("auto", "rank-free")
"""The default reads little or everything at once; the other asks many times, at both doors."""

ALLOWED: Final = frozenset({Reason.UNREACHABLE_SOURCE, Reason.CHANGED_SOURCE})
"""The reasons for which a selection may be refused here."""


@dataclass(frozen=True)
class Signals:
    """What the processes tell each other."""

    ready: Any
    """A barrier that opens when all readers have opened their sources."""

    stop: Any
    """Set when readers and writers must end."""

    leave: Any
    """Set when readers, which have closed everything, may exit."""


def write_states(store: SoakStore, clock: Clock, signals: Signals) -> None:
    """Write one state after the other until told to stop; a lost state is followed by the next."""
    while not signals.stop.is_set():
        state = clock.begin()
        with suppress(*LOST):
            store.write(state)
            clock.finish(state)
        time.sleep(PAUSE)


def read_states(
    stores: Sequence[SoakStore],
    clocks: Sequence[Clock],
    signals: Signals,
    reports: Any,
    threads: int,
) -> None:
    """Select in several threads until told to stop; report the counts and the files left open."""
    select_all(stores, clocks)  # imports what selections need, some of which opens files
    gc.collect()
    before = open_descriptors()
    sources = [store.scores() for store in stores]
    signals.ready.wait()
    with ThreadPoolExecutor(threads) as pool:
        arguments = (stores, sources, clocks, signals)
        running = [pool.submit(select_until_stop, *arguments) for _ in range(threads)]
    tally: Tally = sum((one.result() for one in running), Counter())
    close_all(sources)
    reports.put((tally, open_descriptors() - before))
    signals.leave.wait()


def select_all(stores: Sequence[SoakStore], clocks: Sequence[Clock]) -> None:
    """Select once from every database."""
    sources = [store.scores() for store in stores]
    for source, clock in zip(sources, clocks, strict=True):
        outcome_of(source, clock)
    close_all(sources)


def close_all(sources: list[Store]) -> None:
    """Close what keeps a connection."""
    for source in sources:
        close = getattr(source, "close", None)
        if close is not None:
            close()
    sources.clear()
    gc.collect()


def select_until_stop(
    stores: Sequence[SoakStore], sources: Sequence[Store], clocks: Sequence[Clock], signals: Signals
) -> Tally:
    """Select from the databases in random order, and count the outcomes."""
    tally: Tally = Counter()
    choice = random.SystemRandom()
    while not signals.stop.is_set():
        which = choice.randrange(len(stores))
        tally[stores[which].name, outcome_of(sources[which], clocks[which])] += 1
    return tally


def outcome_of(source: Store, clock: Clock) -> str:
    """Select once; return whether the selection is one that a snapshot allows, or was refused."""
    earliest = clock.done
    try:
        items = top_k(source, 2, epsilon=1, engine=random.choice(ENGINES)).items
    except SelectionError as error:
        return "refusals" if error.reason in ALLOWED else f"wrong: refused as {error.reason}"
    except Exception as error:
        return f"wrong: raised {type(error).__name__}"
    return "selections" if is_allowed(items, earliest, clock.begun) else f"wrong: {items}"


def open_descriptors() -> int:
    """Return the number of open files of this process."""
    return len(os.listdir("/proc/self/fd"))
