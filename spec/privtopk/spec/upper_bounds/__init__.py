"""What selections cost at most: rounds, accesses, prices and errors."""

from privtopk.spec.upper_bounds.access import (
    expected_rounds,
    expected_rounds_exact,
    paper_cost_bound,
    paper_tail_bound,
    rounds_law,
    rounds_quantile,
    rounds_tail,
    theorem_u_cost,
    theorem_u_rounds,
)
from privtopk.spec.upper_bounds.batched import (
    candidates_quantile,
    cheapest_prefix,
    cheapest_price_bound,
    default_cost_bound,
    default_prefix,
    early_candidates_bound,
    expected_candidates_bound,
    optimal_cost_bound,
    optimal_prefix,
    two_phase_cost_bound,
    two_phase_cost_quantile,
)
from privtopk.spec.upper_bounds.cost_models import (
    CostModel,
    charged_cost,
    predicted_cost,
    reading_of,
)
from privtopk.spec.upper_bounds.utility import error_bound, error_quantile, failure_probability

__all__ = [
    "CostModel",
    "candidates_quantile",
    "charged_cost",
    "cheapest_prefix",
    "cheapest_price_bound",
    "default_cost_bound",
    "default_prefix",
    "early_candidates_bound",
    "error_bound",
    "error_quantile",
    "expected_candidates_bound",
    "expected_rounds",
    "expected_rounds_exact",
    "failure_probability",
    "optimal_cost_bound",
    "optimal_prefix",
    "paper_cost_bound",
    "paper_tail_bound",
    "predicted_cost",
    "reading_of",
    "rounds_law",
    "rounds_quantile",
    "rounds_tail",
    "theorem_u_cost",
    "theorem_u_rounds",
    "two_phase_cost_bound",
    "two_phase_cost_quantile",
]
