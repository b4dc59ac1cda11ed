"""The noise oracles, a round: one sorted access and one random access."""

from collections.abc import Callable

import numpy as np

from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Findings, Row, Target
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import NoiseOracle
from privtopk.impl.noise.rank_free import RankFreeLevelOracle
from privtopk.impl.randomness.generators import SeededRandomness

PAPERS = "online, sorted blocks"
PAPERS_TREE = "online, van Emde Boas"
OURS = "rank-free"


def measure_oracles(sizes: Sizes) -> Findings:
    """Play the rounds of a threshold run on every oracle."""
    m, rounds = sizes.m, min(sizes.index_n, sizes.m)
    coins = SeededRandomness(np.random.default_rng(SEED))
    items = np.random.default_rng(SEED).permutation(m)[:rounds].tolist()
    makers: dict[str, Callable[[], NoiseOracle]] = {
        OURS: lambda: RankFreeLevelOracle(m, coins),
        PAPERS: lambda: OnlineLevelOracle(m, coins),
        PAPERS_TREE: lambda: OnlineLevelOracle(m, coins, VanEmdeBoasIndex(m + 1)),
    }
    times = race(
        {name: _playing(make, items) for name, make in makers.items()}, rounds=sizes.rounds
    )
    rows: list[Row] = [
        {
            "topic": "noise oracle, one round",
            "oracle": name,
            "m": m,
            "rounds": rounds,
            "microseconds": 1e6 * times.best(name) / rounds,
        }
        for name in makers
    ]
    target = Target(
        "rank-free",
        "rank-free oracle against the paper's with its fastest index, per round",
        min(times.ratio(PAPERS, OURS), times.ratio(PAPERS_TREE, OURS)),
        at_least=4.0,
    )
    return Findings((target,), tuple(rows))


def _playing(make: Callable[[], NoiseOracle], items: list[int]) -> Callable[[], object]:
    def play() -> None:
        oracle = make()
        sorted_access, random_access = oracle.sorted_access, oracle.random_access
        for item in items:
            sorted_access()
            random_access(item)

    return play
