"""What `privtopk bench` does, once the extra is known to be installed."""

import json
import sys
import time
from collections.abc import Callable, Sequence

from privtopk.impl.measurement.bench.counts import measure_accesses
from privtopk.impl.measurement.bench.exactness import measure_exactness
from privtopk.impl.measurement.bench.growth import measure_growth
from privtopk.impl.measurement.bench.indexes import measure_indexes
from privtopk.impl.measurement.bench.large_domains import measure_large_domains
from privtopk.impl.measurement.bench.oracles import measure_oracles
from privtopk.impl.measurement.bench.peers import measure_peers
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.bench.speed import measure_speed
from privtopk.impl.measurement.databases.race import (
    DATABASES,
    Database,
    SourceSizes,
    databases_named,
    measure_sources,
)
from privtopk.impl.measurement.results import Collected, Findings, as_text

PARTS: dict[str, Callable[[Sizes], Findings]] = {
    "speed": measure_speed,
    "peers": measure_peers,
    "exactness": measure_exactness,
    "oracles": measure_oracles,
    "indexes": measure_indexes,
    "accesses": measure_accesses,
    "growth": measure_growth,
    "large domains": measure_large_domains,
}


def collect(sizes: Sizes, progress: Callable[[str], None] = lambda line: None) -> Collected:
    """Run all parts, one after the other, so that none disturbs another."""
    collected = Collected()
    start = time.monotonic()
    for number, (name, measure) in enumerate(PARTS.items(), 1):
        progress(f"{number}/{len(PARTS)} {name}")
        collected.add(measure(sizes))
    collected.seconds = time.monotonic() - start
    progress("")
    return collected


def collect_sources(
    sizes: SourceSizes,
    progress: Callable[[str], None] = lambda line: None,
    databases: Sequence[Database] = DATABASES,
) -> Collected:
    """Race those databases that can be had here."""
    collected = Collected()
    start = time.monotonic()
    collected.add(measure_sources(sizes, progress, databases))
    collected.seconds = time.monotonic() - start
    progress("")
    return collected


def bench(sizes: Sizes, is_json: bool) -> int:
    """Print what was found; return 0 if every target was met and 1 if not."""
    return report(collect(sizes, shown()), is_json)


def bench_sources(is_json: bool, only: Sequence[str] = ()) -> int:
    """Do the same for databases, or only for some of them."""
    databases = databases_named(only)
    return report(collect_sources(SourceSizes(), shown(), databases), is_json)


def report(collected: Collected, is_json: bool) -> int:
    """Print findings; return 1 if a target was missed."""
    print(json.dumps(collected.as_json(), indent=2) if is_json else as_text(collected))
    return 1 if collected.missed else 0


def shown() -> Callable[[str], None]:
    """Return what is told of the progress: a line on a terminal, if somebody watches."""
    return terminal_progress if sys.stderr.isatty() else lambda line: None


def terminal_progress(line: str) -> None:
    """Show one line on a terminal that is overwritten by the next."""
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
