"""The predecessor indexes: growth with the universe, and speed against SortedList."""

from collections.abc import Callable
from functools import partial

import numpy as np
from sortedcontainers import SortedList

from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Table
from privtopk.impl.noise.index.sorted_blocks import SortedBlocksIndex
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.order_statistics import NeighbourIndex

UNIVERSES = (16, 24, 32, 40, 48)
"""Bits of the universes in which the van Emde Boas index is measured."""


def measure_indexes(sizes: Sizes) -> Findings:
    """Locate and insert the same keys, one by one, in every index."""
    n = sizes.index_n
    contenders: dict[str, Callable[[], object]] = {
        f"van Emde Boas, 2^{bits}": _filler(partial(VanEmdeBoasIndex, 2**bits), _keys(bits, n))
        for bits in UNIVERSES
    }
    keys = _keys(24, n)
    contenders["sorted blocks, 2^24"] = _filler(SortedBlocksIndex, keys)
    contenders["SortedList, 2^24"] = lambda: _fill_list(keys)
    times = race(contenders, 3 * sizes.rounds)
    growth = times.ratio(f"van Emde Boas, 2^{UNIVERSES[-1]}", f"van Emde Boas, 2^{UNIVERSES[0]}")
    best = min(("van Emde Boas, 2^24", "sorted blocks, 2^24"), key=times.best)
    rows: Table = [
        {
            "topic": "locate and insert, one key",
            "index": name,
            "keys": n,
            "microseconds": 1e6 * times.best(name) / n,
        }
        for name in contenders
    ]
    return Findings(
        [
            Target(
                "veb-growth",
                f"van Emde Boas, {n:,} keys: universe 2^48 against 2^16",
                growth,
                at_most=2.0,
            ),
            Target(
                "index-speed",
                f"best index ({best.partition(',')[0]}) against SortedList, {n:,} keys",
                times.ratio("SortedList, 2^24", best),
                at_least=3.5,
            ),
        ],
        rows,
    )


def _keys(bits: int, n: int) -> list[int]:
    """Return n different keys of a universe, in random order."""
    drawn = np.random.default_rng(SEED).integers(0, 2**bits, size=2 * n).tolist()
    return list(dict.fromkeys(drawn))[:n]


def _filler(make_index: Callable[[], NeighbourIndex], keys: list[int]) -> Callable[[], object]:
    def fill() -> None:
        place = make_index().place
        for key in keys:
            place(key)

    return fill


def _fill_list(keys: list[int]) -> None:
    """Do the same through the public methods of a SortedList."""
    members: SortedList[int] = SortedList()
    for key in keys:
        at = members.bisect_left(key)
        members[at - 1] if at else None
        members[at] if at < len(members) else None
        members.add(key)
