"""Other libraries that can select k items, if they are installed.

They read every item k times. OpenDP computes with exact rationals, which is slow. All are asked for
the same law: k rounds of the exponential mechanism without replacement, one vote of noise each.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.baselines import naive_scan
from privtopk.impl.measurement.bench.sizes import Sizes
from privtopk.impl.measurement.inputs import SEED, Input, make_input
from privtopk.impl.measurement.race import race
from privtopk.impl.measurement.results import Findings, Target
from privtopk.impl.measurement.rows import Row
from privtopk.impl.randomness.generators import Integers
from privtopk.spec.inputs.families import FamilyName

OURS = "privtopk, default"
EXACT = "privtopk, exact"
NAIVE = "argpartition"
FAMILIES = (FamilyName.ZERO, FamilyName.ZIPF)
"""All scores tied, and scores as in most data; more families would take minutes."""


@dataclass(frozen=True, slots=True)
class Peer:
    """The way in which a library selects."""

    name: str

    prepare: Callable[[Integers, int, float], Callable[[], object]]
    """Takes scores, k and the epsilon of one item; returns the selection as a call."""


def measure_peers(sizes: Sizes) -> Findings:
    """Race the default engine against every peer that is installed."""
    installed = list(installed_peers())
    peers = [peer for peer in installed if isinstance(peer, Peer)]
    findings = Findings(notes=[note for note in installed if isinstance(note, str)])
    m, k, turns = sizes.peers_m, sizes.k, max(1, sizes.rounds // 4)
    for name in FAMILIES:
        times = race(_contenders(make_input(name, m, k), k, peers), turns)
        if name is FamilyName.ZIPF:
            findings.targets += [
                Target(
                    identity,
                    f"{engine} engine against {peer.name}, m={m:,}, {name.value}",
                    times.ratio(peer.name, contender),
                    at_least=times_faster,
                )
                for peer in peers
                if peer.name.startswith("OpenDP")
                for identity, engine, contender, times_faster in (
                    ("opendp", "default", OURS, 10_000.0),
                    ("exact-opendp", "exact", EXACT, 1_000.0),
                )
            ]
        common: Row = {"topic": f"peers, m={m:,}, k={k}", "family": name.value}
        findings.rows += times.rows(common, "this / privtopk", OURS)
    return findings


def _contenders(data: Input, k: int, peers: list[Peer]) -> dict[str, Callable[[], object]]:
    """Return the contenders on one input."""
    generator = np.random.default_rng(SEED)
    return {
        OURS: data.selector(k, k),
        EXACT: data.selector(k, k, engine=Engine.EXACT),
        NAIVE: lambda: naive_scan(data.scores, k, 1.0, generator),
        **{peer.name: peer.prepare(data.scores, k, 1.0) for peer in peers},
    }


def installed_peers() -> Iterator[Peer | str]:
    """Yield the peers that can be imported, and a note for each one that cannot."""
    for make in (_opendp, _diffprivlib):
        try:
            yield make()
        except ImportError as error:
            yield f"{make.__name__.strip('_')} cannot be imported ({error})"


def _opendp() -> Peer:
    from opendp import prelude

    prelude.enable_features("contrib")
    prelude.assert_features("contrib")

    def prepare(scores: Integers, k: int, epsilon: float) -> Callable[[], object]:
        domain = prelude.vector_domain(prelude.atom_domain(T="f64", nan=False))
        metric = prelude.linf_distance(T="f64", monotonic=True)
        mechanism = prelude.m.make_noisy_top_k(
            domain, metric, prelude.zero_concentrated_divergence(), k=k, scale=1 / epsilon
        )
        numbers = scores.astype(float).tolist()
        return lambda: mechanism(numbers)

    return Peer(f"OpenDP {version('opendp')}, exponential mechanism", prepare)


def _diffprivlib() -> Peer:
    from diffprivlib.mechanisms import Exponential

    def prepare(scores: Integers, k: int, epsilon: float) -> Callable[[], object]:
        def peel() -> list[int]:
            numbers = scores.astype(float).tolist()
            items = list(range(len(numbers)))
            chosen = []
            for _ in range(k):
                mechanism = Exponential(
                    epsilon=epsilon, sensitivity=1, utility=numbers, monotonic=True
                )
                place = mechanism.randomise()
                chosen.append(items.pop(place))
                numbers.pop(place)
            return chosen

        return peel

    return Peer(f"diffprivlib {version('diffprivlib')}, exponential mechanism, peeled", prepare)
