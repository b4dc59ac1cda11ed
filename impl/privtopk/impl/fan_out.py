"""Many selections through any executor: threads, processes, or a cluster of machines.

It is meant for tests and studies on synthetic scores. Each trial spends a budget of its own: n
trials on the same votes together have the composition of n guarantees.

An executor may assume that functions are pure, as Dask's does, and answer equal calls with one
cached result: the same draw many times. So no two tasks are equal: each has seeds of its own, or
fresh random tokens.
"""

import secrets
from collections.abc import Hashable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, wait
from typing import TypeAlias, TypedDict, Unpack

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.inputs import Scores
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import require_at_least
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

Coins: TypeAlias = np.random.SeedSequence | str
"""What makes a trial unique: a seed, or a random token that is not used otherwise."""


class Options(TypedDict, total=False):
    """The other parameters of `top_k`."""

    delta: Number
    domain: DomainLike | None
    item: Hashable | None
    score: Hashable | None
    noise: NoiseKind | str
    neighbours: Relation | str
    engine: Engine | str
    costs: tuple[Number, Number] | None
    ranked: bool | None


def selections(
    source: Scores,
    k: int,
    trials: int,
    *,
    epsilon: Number,
    executor: Executor,
    seed: int | None = None,
    per_task: int = 1,
    **options: Unpack[Options],
) -> tuple[Selection, ...]:
    """Return `trials` independent selections, each under (epsilon, delta) by itself.

    Without a seed the noise is cryptographic. With a seed, for tests only, trial n draws the same
    noise whatever the executor, its number of workers and `per_task`. `per_task` is the number of
    trials per task; each task sends the source once. If a trial fails, its error is raised here
    and waiting trials are cancelled. The executor stays open.
    """
    require_at_least("trials", trials, 1)
    require_at_least("per_task", per_task, 1)
    if not callable(getattr(executor, "submit", None)):
        raise SelectionError(
            Reason.WRONG_TYPE, f"executor must have a method submit, got {executor!r}"
        )
    coins = coins_of(seed, trials)
    tasks: list[Future[list[Selection]]] = []
    try:
        for start in range(0, trials, per_task):
            piece = coins[start : start + per_task]
            tasks.append(executor.submit(run_trials, source, k, epsilon, options, piece))
        return gather_selections(tasks)
    finally:
        for task in tasks:
            task.cancel()


def run_trials(
    source: Scores, k: int, epsilon: Number, options: Options, coins: Sequence[Coins]
) -> list[Selection]:
    """Return the selections of one task."""
    return [top_k(source, k, epsilon=epsilon, rng=generator_of(one), **options) for one in coins]


def coins_of(seed: int | None, trials: int) -> Sequence[Coins]:
    """Return one seed or token per trial; no two are equal, not even across calls."""
    if seed is None:
        return [secrets.token_hex(16) for _ in range(trials)]
    return np.random.SeedSequence(require_at_least("seed", seed, 0)).spawn(trials)


def generator_of(coins: Coins) -> np.random.Generator | None:
    """Return a seeded generator, or None for the cryptographic one."""
    return None if isinstance(coins, str) else np.random.default_rng(coins)


def gather_selections(tasks: Sequence[Future[list[Selection]]]) -> tuple[Selection, ...]:
    """Return the selections of all tasks in order, or raise as soon as one fails."""
    done, _ = wait(tasks, return_when=FIRST_EXCEPTION)
    for task in tasks:
        if task in done:
            task.result()
    return tuple(selection for task in tasks for selection in task.result())
