"""Well-known mechanisms under their usual names."""

from collections.abc import Hashable

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.inputs import Scores
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind


def exponential_mechanism(
    source: Scores,
    *,
    epsilon: Number,
    domain: DomainLike | None = None,
    item: Hashable | None = None,
    score: Hashable | None = None,
    neighbours: Relation | str = Relation.ADD_REMOVE,
    engine: Engine | str = Engine.AUTO,
    rng: np.random.Generator | int | None = None,
) -> Selection:
    """Return one item, each with probability proportional to e^(epsilon * score / s).

    s is 1 for add/remove neighbours, whose scores move in the same direction, and 2 for the
    others. The item with the largest score plus Gumbel noise has this law, so no exponential is
    computed that could overflow or underflow.
    """
    return top_k(
        source,
        1,
        epsilon=epsilon,
        domain=domain,
        item=item,
        score=score,
        neighbours=neighbours,
        engine=engine,
        rng=rng,
    )


def one_shot_mechanism(
    source: Scores,
    k: int,
    *,
    epsilon: Number,
    delta: Number = 0,
    domain: DomainLike | None = None,
    item: Hashable | None = None,
    score: Hashable | None = None,
    noise: NoiseKind | str = NoiseKind.GUMBEL,
    neighbours: Relation | str = Relation.ADD_REMOVE,
    rng: np.random.Generator | int | None = None,
) -> Selection:
    """Return the k items with the largest noisy scores: Algorithm 2, which reads every score."""
    return top_k(
        source,
        k,
        epsilon=epsilon,
        delta=delta,
        domain=domain,
        item=item,
        score=score,
        noise=noise,
        neighbours=neighbours,
        engine=Engine.ONE_SHOT,
        rng=rng,
    )
