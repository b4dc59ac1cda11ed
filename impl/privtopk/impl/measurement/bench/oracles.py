"""The noise oracles: the time of one round, which is one sorted and one random access."""

from collections.abc import Callable, Mapping

import numpy as np

from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED
from privtopk.impl.measurement.race import Race, race
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Table
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import NoiseOracle
from privtopk.impl.noise.rank_free import RankFreeLevelOracle
from privtopk.impl.randomness.generators import SeededRandomness

PAPERS = "online, sorted blocks"
PAPERS_TREE = "online, van Emde Boas"
OURS = "rank-free"


def measure_oracles(sizes: Sizes) -> Findings:
    """Race the oracles on the accesses of a threshold run."""
    m = sizes.m
    coins = SeededRandomness(np.random.default_rng(SEED))
    makers: dict[str, Callable[[], NoiseOracle]] = {
        OURS: lambda: RankFreeLevelOracle(m, coins),
        PAPERS: lambda: OnlineLevelOracle(m, coins),
        PAPERS_TREE: lambda: OnlineLevelOracle(m, coins, VanEmdeBoasIndex(m + 1)),
    }
    rounds = min(sizes.index_n, m)
    times, rows = race_oracles("noise oracle, one round", makers, m, rounds, sizes.rounds)
    target = Target(
        "rank-free",
        "rank-free oracle against the paper's with its fastest index, per round",
        min(times.ratio(PAPERS, OURS), times.ratio(PAPERS_TREE, OURS)),
        at_least=4.0,
    )
    return Findings([target], rows)


def race_oracles(
    topic: str, makers: Mapping[str, Callable[[], NoiseOracle]], m: int, rounds: int, turns: int
) -> tuple[Race, Table]:
    """Race oracles over m items on a number of rounds; return the race and its rows."""
    items = np.random.default_rng(SEED).permutation(m)[:rounds].tolist()

    def player(make: Callable[[], NoiseOracle]) -> Callable[[], object]:
        def play() -> None:
            oracle = make()
            sorted_access, random_access = oracle.sorted_access, oracle.random_access
            for item in items:
                sorted_access()
                random_access(item)

        return play

    times = race({name: player(make) for name, make in makers.items()}, turns)
    rows: Table = [
        {
            "topic": topic,
            "oracle": name,
            "m": m,
            "rounds": rounds,
            "microseconds": 1e6 * times.best(name) / rounds,
        }
        for name in makers
    ]
    return times, rows
