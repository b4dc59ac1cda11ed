"""Facts about the named mechanisms."""

import math
from typing import Any

import numpy as np
import pytest

from privtopk.impl.mechanisms import exponential_mechanism, one_shot_mechanism
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from support import fits

DRAWS = 10_000
DEFECT = 0.0106
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("relation", "share"),
    [(Relation.ADD_REMOVE, 1.0), (Relation.SWAP, 0.5), (Relation.L_INFINITY, 0.5)],
)
def test_the_exponential_mechanism_is_exponential(relation: Relation, share: float) -> None:
    """An item's probability is proportional to e^(epsilon score), halved unless add/remove."""
    votes, epsilon, rng = {"fig": 3, "pear": 1, "plum": 1}, 0.9, np.random.default_rng(4)
    drawn = [
        exponential_mechanism(
            votes, epsilon=epsilon, domain=list(votes), neighbours=relation, rng=rng
        ).items[0]
        for _ in range(DRAWS)
    ]
    weights = {name: math.exp(share * epsilon * score) for name, score in votes.items()}
    total = sum(weights.values())
    assert fits(drawn, {name: weight / total for name, weight in weights.items()}, DRAWS, DEFECT)


def test_the_exponential_mechanism_selects_one_item() -> None:
    """The exponential mechanism is the selection of one item with Gumbel noise."""
    chosen = exponential_mechanism([3, 5, 4], epsilon=0.5, rng=8)
    same = top_k([3, 5, 4], 1, epsilon=0.5, rng=8)
    assert (chosen.items, chosen.guarantee) == (same.items, same.guarantee)


def test_the_exponential_mechanism_uses_an_index() -> None:
    """On a large index the exponential mechanism does not read everything."""
    source = IndexedScores(np.zeros(20_000, dtype=np.int64))
    assert exponential_mechanism(source, epsilon=1, rng=1).audit.accesses < 2_000


@pytest.mark.parametrize("kind", NoiseKind)
def test_one_shot_reads_everything(kind: NoiseKind) -> None:
    """The one-shot mechanism scans, whatever index a source has."""
    source = IndexedScores(np.zeros(20_000, dtype=np.int64))
    chosen = one_shot_mechanism(source, 3, epsilon=1, noise=kind, rng=1)
    same = top_k(source, 3, epsilon=1, noise=kind, engine="one-shot", rng=1)
    assert (chosen.items, chosen.guarantee, chosen.audit.accesses) == (
        same.items,
        same.guarantee,
        20_000,
    )


def test_the_domain_reaches_the_mechanisms() -> None:
    """Both mechanisms take the domain and the columns of a table."""
    table = pytest.importorskip("polars").DataFrame({"n": [9000], "fruit": ["fig"]})
    domain = ["fig", "pear"]
    columns: Any = {"item": "fruit", "score": "n"}
    assert exponential_mechanism(table, epsilon=1, domain=domain, **columns).items == ("fig",)
    assert set(one_shot_mechanism(table, 2, epsilon=1, domain=domain, **columns).items) == {*domain}
