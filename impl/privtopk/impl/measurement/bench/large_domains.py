"""Domains that do not fit into memory: only items with votes are stored, or a rule."""

import math
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np

from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.implicit import ImplicitPlateau
from privtopk.impl.measurement.inputs import SEED
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Table
from privtopk.impl.scores.memory import SparseScores
from privtopk.impl.top_k import top_k

WORDS_PER_ACCESS = 20
"""The most 8-byte words per item of the prefix, which has sqrt(mk) items in the worst case."""

WORDS_PER_ITEM = 2_000
"""The same per selected item on skewed scores, including Python's own objects."""


def measure_large_domains(sizes: Sizes) -> Findings:
    """Select from three such domains, and measure the memory that this takes."""
    m, k = sizes.sparse_m, sizes.k
    root = math.sqrt(m * k)
    flat = SparseScores(m, {})
    plateau = ImplicitPlateau(m, k)
    skewed = SparseScores(m, {place * 7919: 10**6 // (place + 1) for place in range(1000)})
    generator = np.random.default_rng(SEED)
    rows: Table = []
    peaks: dict[str, int] = {}
    for name, source in (("flat", flat), ("skewed", skewed), ("plateau", plateau)):
        select = partial(top_k, source, k, epsilon=k, rng=generator)
        found = select()
        peaks[name] = peak_bytes(select)
        rows.append(
            {
                "topic": f"sparse domain, m=2^{math.log2(m):g}, k={k}",
                "scores": name,
                "items": len(found.items),
                "accesses": found.audit.accesses,
                "seconds": found.audit.seconds,
                "megabytes": peaks[name] / 1e6,
            }
        )
    return Findings(
        [
            Target(
                "sparse-memory-worst",
                "plateau: words of memory for each of sqrt(mk) items",
                peaks["plateau"] / 8 / root,
                at_most=WORDS_PER_ACCESS,
            ),
            Target(
                "sparse-memory-easy",
                "flat and skewed domains: words of memory for each of k items",
                max(peaks["flat"], peaks["skewed"]) / 8 / k,
                at_most=WORDS_PER_ITEM,
            ),
        ],
        rows,
    )


def peak_bytes(run: Callable[[], object]) -> int:
    """Return the peak memory of a call beyond what was in use before it."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        run()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
