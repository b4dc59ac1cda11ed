"""Many selections through any executor: threads, processes, or a cluster of machines.

It is meant for tests and studies on synthetic scores. Each trial spends a budget of its own, so
what n trials reveal of the same votes together is the composition of n guarantees.

An executor may take functions for pure, as Dask's does, and answer equal calls with one result:
one draw, many times. So no two tasks are ever equal: each carries seeds of its own, or tokens
that nobody has seen before.
"""

import secrets
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, wait
from typing import TypeAlias, TypedDict, Unpack

import numpy as np

from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.inputs import Scores
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import require_at_least
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

Coins: TypeAlias = np.random.SeedSequence | str
"""What makes a trial differ from all others: a seed, or a token that says nothing."""


class Options(TypedDict, total=False):
    """The other parameters of `top_k`."""

    delta: Number
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
    """Return so many independent selections, each under (epsilon, delta) by itself.

    Without a seed the noise is cryptographic. With one, for tests only, trial n draws the same
    whatever the executor, its workers and `per_task`, the number of trials for which the source
    is sent once. An error of a trial is raised here, and the trials that wait are cancelled;
    the executor stays open.
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
            tasks.append(executor.submit(perform, source, k, epsilon, options, piece))
        return answers(tasks)
    finally:
        for task in tasks:
            task.cancel()


def perform(
    source: Scores, k: int, epsilon: Number, options: Options, coins: Sequence[Coins]
) -> list[Selection]:
    """Make the trials of one task; a token is not looked at."""
    return [top_k(source, k, epsilon=epsilon, rng=generator_of(one), **options) for one in coins]


def coins_of(seed: int | None, trials: int) -> Sequence[Coins]:
    """Return what makes each trial unlike any other, of this call and of all others."""
    if seed is None:
        return [secrets.token_hex(16) for _ in range(trials)]
    return np.random.SeedSequence(require_at_least("seed", seed, 0)).spawn(trials)


def generator_of(coins: Coins) -> np.random.Generator | None:
    """Return a seeded generator, or none, which stands for the cryptographic one."""
    return None if isinstance(coins, str) else np.random.default_rng(coins)


def answers(tasks: Sequence[Future[list[Selection]]]) -> tuple[Selection, ...]:
    """Return the selections of all tasks in their order, or raise as soon as one fails."""
    done, _ = wait(tasks, return_when=FIRST_EXCEPTION)
    for task in tasks:
        if task in done:
            task.result()
    return tuple(selection for task in tasks for selection in task.result())
