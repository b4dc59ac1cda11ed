"""All mutants, and where each is to be found."""

from typing import Final

from privtopk.conformance.mutants import (
    indexes,
    misbehaving,
    nonsense,
    online_oracles,
    oracles,
    order_statistics,
    samplers,
    selector_budget,
    selector_cost,
    selector_freshness,
    selector_noise,
    selector_order,
    selector_privacy,
    selector_served,
    selector_sums,
    selectors,
    source_names,
    source_rows,
    source_snapshots,
    sources,
)
from privtopk.conformance.mutants.mutant import Mutant

MUTANTS: Final[tuple[Mutant, ...]] = (
    *selectors.MUTANTS,
    *selector_noise.MUTANTS,
    *selector_sums.MUTANTS,
    *selector_order.MUTANTS,
    *selector_budget.MUTANTS,
    *selector_freshness.MUTANTS,
    *selector_privacy.MUTANTS,
    *selector_cost.MUTANTS,
    *selector_served.MUTANTS,
    *oracles.MUTANTS,
    *online_oracles.MUTANTS,
    *order_statistics.MUTANTS,
    *samplers.MUTANTS,
    *indexes.MUTANTS,
    *sources.MUTANTS,
    *source_rows.MUTANTS,
    *source_snapshots.MUTANTS,
    *source_names.MUTANTS,
    *misbehaving.MUTANTS,
    *nonsense.MUTANTS,
)
