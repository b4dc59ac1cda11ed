"""The public function: it takes a total budget and returns k items."""

import math
import time
from collections.abc import Hashable
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

import numpy as np

from privtopk.impl.engines.choice import ENGINES, Engine, SelectionRequest, engine_for
from privtopk.impl.engines.exact.calibration import exact_calibration
from privtopk.impl.noise.distributions import standard_noise
from privtopk.impl.randomness.generators import Randomness, randomness_of
from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.inputs import Scores, source_or_store
from privtopk.impl.scores.label_order import sort_by_label
from privtopk.impl.scores.protocols import (
    Source,
    Store,
    answer_of,
    has_public_domain,
    require_k_of,
    required_costs,
    view_of,
)
from privtopk.impl.scores.reader import Reader
from privtopk.impl.selection import Audit, Selection
from privtopk.spec.accounting.assumptions import DomainAssumption, NoiseSource
from privtopk.spec.accounting.guarantee import Guarantee, calibrate, guarantee
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import require_delta, require_epsilon
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

Choice = TypeVar("Choice", bound=StrEnum)


def top_k(
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
    engine: Engine | str = Engine.AUTO,
    costs: tuple[Number, Number] | None = None,
    ranked: bool | None = None,
    rng: np.random.Generator | int | None = None,
) -> Selection:
    """Return k of the items with the largest scores, under (epsilon, delta) for the whole call.

    epsilon is the total budget: the scale of the noise follows from it, from k, and from the
    neighbour relation.

    A mapping, a column with an index and a table take their items from the data, so `domain` must
    say which items can be selected: a list, a set or a range of them, or "public" if everybody may
    know which items there are. Items without a score then have score 0. `item` and `score` are the
    names of the columns of a table; by default they are "item" and "score".

    With Gumbel noise the items are a ranked list. With Laplace noise, or if `ranked` is False, they
    are a set, sorted by name. `costs` are the prices of a sorted and of a random access; the
    default is the source's own hint, or 1 each. Pass `rng` in tests only: noise that others can
    reproduce protects nobody, and the guarantee says that it was seeded.
    """
    kind = require_member("noise", noise, NoiseKind)
    relation = require_member("neighbours", neighbours, Relation)
    wanted = require_member("engine", engine, Engine)
    prices = None if costs is None else required_costs(costs)
    is_ranked = is_ranked_list(ranked, kind)
    budget, failure = require_epsilon(epsilon), require_delta(delta)
    coins = randomness_of(rng)
    given = source_or_store(source, domain, item, score)
    count, m = require_k_of(given, k)
    per_item, promise = rate_and_guarantee(kind, budget, count, m, relation, failure)
    rate = None
    if wanted is Engine.EXACT:
        rate, promise = exact_calibration(kind, budget, count, m, relation, failure)
    request = SelectionRequest(
        count, per_item, standard_noise(kind), prices, wanted, is_ranked, rate
    )
    promise = with_assumptions(promise, has_public_domain(given), coins.is_secure)
    return select(given, request, promise, coins)


def select(
    given: Source | Store, request: SelectionRequest, promise: Guarantee, coins: Randomness
) -> Selection:
    """Run an engine on a source, and add names, guarantee and audit to its items."""
    start = time.perf_counter()
    with view_of(given) as source:
        reader = Reader(source)
        engine, reason = engine_for(reader, request)
        run = ENGINES[engine](reader, request, coins)
        items = reader.names(run.items)
    return Selection(
        items=items if request.is_ranked else answer_of(lambda: sort_by_label(items, coins)),
        is_ranked=request.is_ranked,
        noise=request.noise.kind,
        noise_scale=scale_of(request.epsilon if request.rate is None else request.rate),
        guarantee=promise,
        audit=Audit(
            engine=engine.value,
            reason=f"{reason}; {run.note}" if run.note else reason,
            sorted_accesses=reader.sorted_accesses,
            random_accesses=reader.random_accesses,
            round_trips=reader.round_trips,
            noise_draws=run.noise_draws,
            seconds=time.perf_counter() - start,
        ),
    )


def with_assumptions(promise: Guarantee, is_public: bool, is_secure: bool) -> Guarantee:
    """Return the guarantee with what it assumes about the domain and about the noise."""
    noise_source = NoiseSource.CRYPTOGRAPHIC if is_secure else NoiseSource.SEEDED
    domain = DomainAssumption.PUBLIC if is_public else DomainAssumption.DECLARED
    if promise.noise_source is noise_source and promise.domain is domain:
        return promise
    return replace(promise, noise_source=noise_source, domain=domain)


def scale_of(rate: Number) -> float:
    """Return the scale 1/rate of the noise of one item; it may be infinite."""
    try:
        return float(1 / rate)
    except OverflowError:
        return math.inf


@lru_cache(maxsize=256)
def rate_and_guarantee(
    kind: NoiseKind, epsilon: Number, k: int, m: int, relation: Relation, delta: Number
) -> tuple[float, Guarantee]:
    """Return the rate of the noise and the guarantee that it gives; cached per budget."""
    per_item = calibrate(kind, epsilon, k, m, relation, delta)
    return per_item, guarantee(kind, per_item, k, m, relation, delta)


def require_member(name: str, value: object, kind: type[Choice]) -> Choice:
    """Return a member of an enumeration, given as a member or by its value."""
    if isinstance(value, kind):
        return value
    names = [member.value for member in kind]
    if isinstance(value, str) and value in names:
        return kind(value)
    raise SelectionError(
        Reason.WRONG_TYPE, f"{name} must be one of {', '.join(names)}, got {value!r}"
    )


def is_ranked_list(ranked: object, kind: NoiseKind) -> bool:
    """Return whether the items are a ranked list; None means yes if the noise allows it."""
    if ranked is not None and not isinstance(ranked, bool):
        raise SelectionError(Reason.WRONG_TYPE, f"ranked must be a boolean or None, got {ranked!r}")
    if ranked and kind is NoiseKind.LAPLACE:
        raise SelectionError(
            Reason.RANKED_LAPLACE,
            "a ranked list needs Gumbel noise: the guarantee of Laplace noise covers the set "
            "of items and not their order",
        )
    return kind is NoiseKind.GUMBEL if ranked is None else ranked
