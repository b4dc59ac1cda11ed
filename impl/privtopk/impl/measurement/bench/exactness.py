"""What exactness costs: the exact engine against the default one, and against exact scans.

The full scan computes the same exact noise for every item, in blocks with a running bar. The
engine's own fallback is faster, because it looks at one word only of most items. Its row has no
target.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.engines.exact.bits import Bits, SystemBits
from privtopk.impl.engines.exact.contest import ExactContest
from privtopk.impl.engines.exact.count_tree import CountTreeOracle
from privtopk.impl.engines.exact.hidden_bits import HiddenBits
from privtopk.impl.engines.exact.quantile import CertifiedGumbel
from privtopk.impl.engines.one_shot import BLOCK, one_shot
from privtopk.impl.measurement.bench.oracles import race_oracles
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import Input, make_input
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Table
from privtopk.impl.noise.online_oracle import OnlineLevelOracle
from privtopk.impl.noise.oracle import NoiseOracle
from privtopk.impl.randomness.generators import SystemRandomness
from privtopk.impl.scores.memory import ArrayScores
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.scores.reader import Reader
from privtopk.spec.inputs.families import FamilyName

EXACT: Final = "privtopk, exact"
FLOAT: Final = "privtopk, default"
FULL_SCAN: Final = "exact noise of every item"
OWN_SCAN: Final = "privtopk, exact scan"
FAMILIES: Final = (FamilyName.HARD, FamilyName.PLATEAU, FamilyName.ZERO, FamilyName.ZIPF)


def measure_exactness(sizes: Sizes) -> Findings:
    """Race the exact engine on hard and on easy inputs."""
    m, k = sizes.exact_m, sizes.k
    races = {name: race(_contenders(make_input(name, m, k), k), sizes.rounds) for name in FAMILIES}
    rows = [
        row
        for name, times in races.items()
        for row in times.rows(
            {"topic": f"exact selection, m={m:,}, k={k}", "family": name.value},
            "this / privtopk, exact",
            EXACT,
        )
    ]
    hard = races[FamilyName.HARD]
    return Findings(
        [
            Target(
                "exact-float",
                f"exact engine against the default one, m={m:,}, {FamilyName.HARD.value}",
                hard.ratio(EXACT, FLOAT),
                at_most=3.0,
            ),
            Target(
                "exact-scan",
                f"exact engine against exact noise of every item, m={m:,}, {FamilyName.HARD.value}",
                hard.ratio(FULL_SCAN, EXACT),
                at_least=20.0,
            ),
        ],
        [*rows, *_oracle_rows(sizes)],
    )


def full_scan(data: Input, k: int, bits: Bits) -> tuple[int, ...]:
    """Return the k best after computing the exact noise of every item."""
    words = HiddenBits(len(data.scores), bits)
    contest = ExactContest(k, data.unit, CertifiedGumbel(), words)
    for start in range(0, len(data.scores), BLOCK):
        scores = data.scores[start : start + BLOCK]
        items = np.arange(start, start + len(scores))
        contest.admit(items, scores, words.levels_of(items), LARGEST_SCORE)
    return contest.ranking()


def _contenders(data: Input, k: int) -> dict[str, Callable[[], object]]:
    """Return the contenders on one input."""
    plain = ArrayScores(data.scores)

    def own_scan() -> object:
        words = HiddenBits(len(data.scores), SystemBits())
        return one_shot(Reader(plain), ExactContest(k, data.unit, CertifiedGumbel(), words), words)

    return {
        EXACT: data.selector(k, k, engine=Engine.EXACT),
        FLOAT: data.selector(k, k, engine=Engine.BATCHED),
        FULL_SCAN: lambda: full_scan(data, k, SystemBits()),
        OWN_SCAN: own_scan,
    }


def _oracle_rows(sizes: Sizes) -> Table:
    """Return the time of a round of the exact noise oracle beside the paper's."""
    m, coins = sizes.exact_m, SystemRandomness()
    makers: dict[str, Callable[[], NoiseOracle]] = {
        "count tree, exact": lambda: CountTreeOracle(m, coins),
        "online": lambda: OnlineLevelOracle(m, coins),
    }
    rounds, turns = min(sizes.index_n // 10, m), max(1, sizes.rounds // 2)
    return race_oracles("exact noise oracle, one round", makers, m, rounds, turns)[1]
