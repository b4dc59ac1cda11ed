"""The command `privtopk bench`; importing it needs the extra `bench`."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from privtopk.impl.measurement.bench.counts import measure_accesses
from privtopk.impl.measurement.bench.exactness import measure_exactness
from privtopk.impl.measurement.bench.growth import measure_growth
from privtopk.impl.measurement.bench.indexes import measure_indexes
from privtopk.impl.measurement.bench.large_domains import measure_large_domains
from privtopk.impl.measurement.bench.oracles import measure_oracles
from privtopk.impl.measurement.bench.peers import measure_peers
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.bench.speed import measure_speed
from privtopk.impl.measurement.databases.race import SourceSizes, database_parts, databases_named
from privtopk.impl.measurement.progress import progress_bar
from privtopk.impl.measurement.results import Findings, collect_findings

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


def bench(sizes: Sizes, is_json: bool) -> int:
    """Measure the engines and print the findings; return 0 if every target was met, else 1."""
    return report({name: partial(measure, sizes) for name, measure in PARTS.items()}, is_json)


def bench_sources(is_json: bool, only: Sequence[str] = ()) -> int:
    """Do the same for all databases, or only for some of them."""
    return report(database_parts(SourceSizes(), databases_named(only)), is_json)


def report(parts: Mapping[str, Callable[[], Findings]], is_json: bool) -> int:
    """Run the parts of a benchmark and print their findings; return 1 if a target was missed."""
    with progress_bar("bench") as progress:
        findings = collect_findings(parts, progress)
    print(json.dumps(findings.as_json(), indent=2) if is_json else findings.as_text())
    return 1 if findings.missed else 0
