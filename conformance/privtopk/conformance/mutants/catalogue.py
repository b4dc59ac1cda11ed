"""All mutants, in the order in which a campaign tries them."""

from itertools import chain
from typing import Final

from privtopk.conformance.mutants import indexes
from privtopk.conformance.mutants.hostile import exceeding, forging, misbehaving, nonsense
from privtopk.conformance.mutants.mutant import Mutant
from privtopk.conformance.mutants.noise import online_oracles, oracles, order_statistics, samplers
from privtopk.conformance.mutants.selector import (
    answers,
    budget,
    cost,
    freshness,
    noise,
    order,
    privacy,
    served,
    sums,
)
from privtopk.conformance.mutants.source import histogram, names, rows, snapshots

SELECTORS: Final = (answers, noise, sums, order, budget, freshness, privacy, cost, served)
NOISES: Final = (oracles, online_oracles, order_statistics, samplers)
SOURCES: Final = (histogram, rows, snapshots, names)
HOSTILE_MODULES: Final = (misbehaving, nonsense, forging, exceeding)

MUTANTS: Final[tuple[Mutant, ...]] = tuple(
    chain.from_iterable(
        module.MUTANTS for module in (*SELECTORS, *NOISES, indexes, *SOURCES, *HOSTILE_MODULES)
    )
)
