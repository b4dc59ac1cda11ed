"""All mutants, and where each is to be found."""

from typing import Final

from privtopk.conformance.mutants import indexes
from privtopk.conformance.mutants.hostile import misbehaving, nonsense
from privtopk.conformance.mutants.mutant import Mutant
from privtopk.conformance.mutants.noise import online_oracles, oracles, order_statistics, samplers
from privtopk.conformance.mutants.selector import answers as selectors
from privtopk.conformance.mutants.selector import budget as selector_budget
from privtopk.conformance.mutants.selector import cost as selector_cost
from privtopk.conformance.mutants.selector import freshness as selector_freshness
from privtopk.conformance.mutants.selector import noise as selector_noise
from privtopk.conformance.mutants.selector import order as selector_order
from privtopk.conformance.mutants.selector import privacy as selector_privacy
from privtopk.conformance.mutants.selector import served as selector_served
from privtopk.conformance.mutants.selector import sums as selector_sums
from privtopk.conformance.mutants.source import histogram as sources
from privtopk.conformance.mutants.source import names as source_names
from privtopk.conformance.mutants.source import rows as source_rows
from privtopk.conformance.mutants.source import snapshots as source_snapshots

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
