"""The default engine against linear scans, on every family, in one run.

The baseline of the ratios is the block scan, the fastest linear scan in numpy alone. The
engine is measured as users call it: `top_k` with all its checks, on a source that was sorted
before. For the targets both sides use numpy's generator. The rows also have the default, whose
noise comes from the cryptographic generator.
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from privtopk.impl.engines.batched import latest_prefix
from privtopk.impl.engines.choice import Engine
from privtopk.impl.engines.float_contest import FloatContest
from privtopk.impl.engines.run import EngineRun
from privtopk.impl.engines.stages import Stages
from privtopk.impl.measurement.baselines import PrefixSums, block_scan, naive_scan
from privtopk.impl.measurement.bench.large_domains import peak_bytes
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED, Input, make_input
from privtopk.impl.measurement.race import Race, race
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Row
from privtopk.impl.noise.distributions import StandardGumbel
from privtopk.impl.noise.hidden_noise import HiddenLevels
from privtopk.impl.randomness.generators import Randomness, SeededRandomness
from privtopk.impl.scores.memory import ArrayScores, IndexedScores
from privtopk.impl.scores.reader import Reader
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.inputs.families import FamilyName

DEFAULT: Final = "privtopk, default"
SEEDED: Final = "privtopk, seeded"
ONE_SHOT: Final = "privtopk, one-shot"
BLOCK: Final = "block scan"
NAIVE: Final = "argpartition"
TABLE: Final = "prefix sums"
TWO_PHASE: Final = "privtopk, one two-phase stage"
SORTING: Final = "sorting the index, once"
GATHER: Final = "gather 2 sqrt(mk) scores"

EASY: Final = FamilyName.ZIPF
"""The family with clear leaders, as most data have."""


def measure_speed(sizes: Sizes) -> Findings:
    """Race on every family, and on a larger domain if there is one."""
    findings = _race_all(sizes.m, sizes.k, sizes.rounds)
    if sizes.larger_m is not None:
        larger = _race_all(sizes.larger_m, sizes.k, max(3, sizes.rounds // 3))
        larger.targets = [
            Target(
                "speed-larger",
                f"default engine against the block scan, m={sizes.larger_m:,}, worst family",
                larger.targets[0].value,
                at_least=200.0,
            )
        ]
        findings.add(larger)
    return findings


def _race_all(m: int, k: int, turns: int) -> Findings:
    """Race on every family; return the rows and the targets for them."""
    findings = Findings()
    races: dict[FamilyName, Race] = {}
    peaks: list[int] = []
    for name in FamilyName:
        data = make_input(name, m, k)
        select = data.selector(k, k)
        times = races[name] = race(_contenders(data, k), turns)
        peaks.append(peak_bytes(select))
        findings.rows += _rows(data, times, select(), k)
        findings.rows.append(
            _row(data, SORTING, k, m, data.source.build_seconds, times.best(BLOCK))
        )
        if TABLE not in times.seconds:
            findings.notes.append(
                f"prefix sums on {name.value}, m={m:,}: fewer than k={k} items keep a weight"
            )
    speedups = {name: times.ratio(BLOCK, SEEDED) for name, times in races.items()}
    worst = min(speedups, key=speedups.__getitem__)
    stage = {name: times.ratio(TWO_PHASE, GATHER) for name, times in races.items()}
    findings.targets += [
        Target(
            "speed-worst",
            f"default engine against the block scan, m={m:,}, worst family ({worst.value})",
            speedups[worst],
            at_least=60.0,
        ),
        Target(
            "speed-easy",
            f"default engine against the block scan, m={m:,}, {EASY.value}",
            speedups[EASY],
            at_least=1000.0,
        ),
        Target(
            "gather-distinct",
            f"two-phase stage against gathering 2 sqrt(mk) scores, m={m:,}, distinct scores",
            stage[FamilyName.NEAR],
            at_most=3.0,
        ),
        Target(
            "gather-ties",
            f"two-phase stage against gathering 2 sqrt(mk) scores, m={m:,}, ties",
            stage[FamilyName.ZERO],
            at_most=4.5,
        ),
        Target(
            "memory",
            f"megabytes that a selection holds, m={m:,}, worst family",
            max(peaks) / 1e6,
            at_most=4.0,
        ),
    ]
    return findings


def _contenders(data: Input, k: int) -> dict[str, Callable[[], object]]:
    """Return the contenders on one input."""
    source, generator = data.source, np.random.default_rng(SEED)
    epsilon = float(data.unit)
    budget = data.budget(k)
    plain = ArrayScores(data.scores)
    table = PrefixSums(data.scores, epsilon)
    reads = math.ceil(2 * math.sqrt(len(data.scores) * k))
    items = generator.integers(0, len(data.scores), size=(64, reads))
    turns = iter(range(10**9))
    contenders: dict[str, Callable[[], object]] = {
        DEFAULT: data.selector(k, k),
        SEEDED: data.selector(k, k, rng=generator),
        TWO_PHASE: lambda: _two_phase(source, k, epsilon, SeededRandomness(generator)),
        GATHER: lambda: data.scores[items[next(turns) % 64]],
        BLOCK: lambda: block_scan(data.scores, k, epsilon, generator),
    }
    if data.name in (FamilyName.ZERO, EASY):  # on the others they take as long
        contenders[ONE_SHOT] = lambda: top_k(plain, k, epsilon=budget, engine=Engine.ONE_SHOT)
        contenders[NAIVE] = lambda: naive_scan(data.scores, k, epsilon, generator)
    if table.reachable >= k:
        contenders[TABLE] = lambda: table.select(k, generator)
    return contenders


def _two_phase(source: IndexedScores, k: int, epsilon: float, coins: Randomness) -> EngineRun:
    """Select in one stage: the longest prefix at once, then everything above the bar."""
    reader, hidden = Reader(source), HiddenLevels(source.size, coins)
    stage = Stages(reader, k, FloatContest(k, epsilon, StandardGumbel()), hidden)
    stage.extend(latest_prefix(source.size, k, 1, 1))
    stage.open_to(stage.level())
    return stage.finish()


def _rows(data: Input, times: Race, found: Selection, k: int) -> list[Row]:
    """Return one row per contender."""
    return [
        _row(data, name, k, _accesses(name, data, found, k), times.best(name), times.best(BLOCK))
        for name in times.seconds
    ]


def _row(
    data: Input, name: str, k: int, accesses: int, seconds: float, block_seconds: float
) -> Row:
    return {
        "topic": f"selection, m={len(data.scores):,}, k={k}",
        "family": data.name,
        "contender": name,
        "accesses": accesses,
        "milliseconds": 1e3 * seconds,
        "block scan / this": block_seconds / seconds,
    }


def _accesses(name: str, data: Input, found: Selection, k: int) -> int:
    """Return how many scores a contender reads; the table read all of them when it was built."""
    if name in (DEFAULT, SEEDED):
        return found.audit.accesses
    if name in (GATHER, TWO_PHASE):
        return math.ceil(2 * math.sqrt(len(data.scores) * k))
    return len(data.scores)
