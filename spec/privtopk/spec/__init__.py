"""Differentially private top-k selection, specified so that a machine can check it.

Every algorithm is a function of its input and of an explicit tape of randomness; every
law and bound is a function that returns the number. Where the paper is wrong, the claim
says so with a witness: `python -m privtopk.spec` runs them all.
"""

from privtopk.spec.accounting.bounded_range import log_moment_of_step, range_of_step, zcdp_of_step
from privtopk.spec.accounting.composition import (
    azuma_composition,
    printed_composition,
    pure_composition,
    renyi_composition,
    zcdp_composition,
    zcdp_of_steps,
)
from privtopk.spec.accounting.conversion import (
    best_from_log_moment,
    best_from_zcdp,
    simple_from_zcdp,
)
from privtopk.spec.accounting.guarantee import (
    Arithmetic,
    Guarantee,
    calibrate,
    guarantee,
    guarantees,
)
from privtopk.spec.accounting.optimal_composition import (
    delta_of_fixed_steps,
    delta_of_pure_steps,
    optimum_of_fixed_steps,
    optimum_of_pure_steps,
)
from privtopk.spec.algorithms.atoms import DiscreteNoise, TieRule, one_shot_atoms, two_phase_atoms
from privtopk.spec.algorithms.batched import (
    BatchedRun,
    Prefix,
    StoppingRule,
    adaptive_prefix,
    fixed_prefix,
    multi_stage,
    two_phase,
)
from privtopk.spec.algorithms.exponential import exponential_law, exponential_mechanism
from privtopk.spec.algorithms.limited_domain import (
    limited_domain,
    limited_domain_law,
    limited_domain_mechanism,
)
from privtopk.spec.algorithms.noisy_max import (
    exact_laplace_noisy_max_law,
    gumbel_noisy_max_law,
    laplace_noisy_max_law,
    noisy_max_mechanism,
    report_noisy_max,
)
from privtopk.spec.algorithms.one_shot import (
    noisy_scores,
    one_shot_ranked,
    one_shot_set,
    select_with,
)
from privtopk.spec.algorithms.peeling import peel, peeling_law, peeling_mechanism
from privtopk.spec.algorithms.permute_and_flip import (
    acceptances,
    permute_and_flip,
    permute_and_flip_law,
    permute_and_flip_mechanism,
)
from privtopk.spec.algorithms.private_threshold import noise_list, private_threshold
from privtopk.spec.algorithms.threshold import (
    Aggregation,
    Reading,
    ThresholdRun,
    meeting_round,
    threshold_algorithm,
)
from privtopk.spec.claims.claim import Claim, Origin, Status
from privtopk.spec.claims.table import CLAIMS, claim_of
from privtopk.spec.inputs.families import Family, FamilyName, benchmark_families
from privtopk.spec.inputs.vote_shapes import ShapeName, VoteShape, vote_shape
from privtopk.spec.laws.gumbel import (
    float_weights,
    ranked_law,
    ranking_probability,
    set_law,
    set_probability,
    weights,
)
from privtopk.spec.laws.hypergeometric import (
    hypergeometric_cdf,
    hypergeometric_pmf,
    negative_hypergeometric_tail,
)
from privtopk.spec.laws.laplace import (
    exact_laplace_set_law,
    exact_laplace_set_probability,
    laplace_set_law,
    laplace_set_probability,
)
from privtopk.spec.laws.log_linear import LogLinear
from privtopk.spec.lower_bounds.certificate import Certificate, certificate, certificate_exact
from privtopk.spec.lower_bounds.certificate_search import (
    HitCertificate,
    best_certificate,
    hit_certificate,
)
from privtopk.spec.lower_bounds.hard_families import (
    HardInstance,
    draw_both_access,
    draw_printed_both_access,
    draw_printed_random_access,
    draw_printed_sorted_access,
    draw_random_access,
    draw_sorted_access,
    hard_instance,
)
from privtopk.spec.lower_bounds.hit_certificate import (
    hit_certificate_exact,
    one_hit_price_bound,
    seventh_bound,
)
from privtopk.spec.lower_bounds.theorems import (
    both_access_bound,
    random_access_bound,
    sorted_access_bound,
    unequal_price_lower_bound,
)
from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger, StoredList, sorted_entries
from privtopk.spec.model.accuracy import error_of, is_accurate, is_top_set, kth_largest, top_items
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation, is_neighbour, meeting_point
from privtopk.spec.model.privacy import (
    hockey_stick,
    is_private,
    is_private_by_definition,
    tight_delta,
    tight_ratio,
)
from privtopk.spec.model.tape import (
    ChoiceTape,
    Tape,
    UniformTape,
    every_outcome,
    seeded_tape,
    tape_of,
)
from privtopk.spec.model.values import Histogram, Item, Number, Position, items_of, score_of
from privtopk.spec.model.votes import (
    Ballot,
    Dataset,
    histogram_from_rows,
    histogram_of,
    replace_client,
    with_client,
)
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise, NoiseKind, noise_of, sample
from privtopk.spec.noise.field import LazyNoise, NoiseField, ServedNoise
from privtopk.spec.noise.online_oracle import OnlineOracle, OrderStatistics
from privtopk.spec.noise.order_statistic import (
    beta_density,
    beta_shape,
    between,
    conditional_density,
    from_beta,
    joint_density,
    neighbouring_positions,
)
from privtopk.spec.noise.permutation import LazyPermutation, SparseArrangement
from privtopk.spec.noise.predecessor import NaiveIndex, PredecessorIndex
from privtopk.spec.noise.rank_free import RankFreeOracle
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
from privtopk.spec.upper_bounds.cost_models import CostModel, charged, predicted_cost, reading_of
from privtopk.spec.upper_bounds.utility import error_bound, error_quantile, failure_probability

__all__ = [
    "CLAIMS",
    "Aggregation",
    "Arithmetic",
    "Ballot",
    "BatchedRun",
    "Certificate",
    "ChoiceTape",
    "Claim",
    "CostModel",
    "Dataset",
    "DiscreteNoise",
    "Door",
    "DualAccess",
    "Entry",
    "Family",
    "FamilyName",
    "Guarantee",
    "Gumbel",
    "HardInstance",
    "Histogram",
    "HitCertificate",
    "Item",
    "Laplace",
    "LazyNoise",
    "LazyPermutation",
    "Ledger",
    "LogLinear",
    "NaiveIndex",
    "Noise",
    "NoiseField",
    "NoiseKind",
    "Number",
    "OnlineOracle",
    "OrderStatistics",
    "Origin",
    "Position",
    "PredecessorIndex",
    "Prefix",
    "RankFreeOracle",
    "Reading",
    "Reason",
    "Relation",
    "SelectionError",
    "ServedNoise",
    "ShapeName",
    "SparseArrangement",
    "Status",
    "StoppingRule",
    "StoredList",
    "Tape",
    "ThresholdRun",
    "TieRule",
    "UniformTape",
    "VoteShape",
    "acceptances",
    "adaptive_prefix",
    "azuma_composition",
    "benchmark_families",
    "best_certificate",
    "best_from_log_moment",
    "best_from_zcdp",
    "beta_density",
    "beta_shape",
    "between",
    "both_access_bound",
    "calibrate",
    "candidates_quantile",
    "certificate",
    "certificate_exact",
    "charged",
    "cheapest_prefix",
    "cheapest_price_bound",
    "claim_of",
    "conditional_density",
    "default_cost_bound",
    "default_prefix",
    "delta_of_fixed_steps",
    "delta_of_pure_steps",
    "draw_both_access",
    "draw_printed_both_access",
    "draw_printed_random_access",
    "draw_printed_sorted_access",
    "draw_random_access",
    "draw_sorted_access",
    "early_candidates_bound",
    "error_bound",
    "error_of",
    "error_quantile",
    "every_outcome",
    "exact_laplace_noisy_max_law",
    "exact_laplace_set_law",
    "exact_laplace_set_probability",
    "expected_candidates_bound",
    "expected_rounds",
    "expected_rounds_exact",
    "exponential_law",
    "exponential_mechanism",
    "failure_probability",
    "fixed_prefix",
    "float_weights",
    "from_beta",
    "guarantee",
    "guarantees",
    "gumbel_noisy_max_law",
    "hard_instance",
    "histogram_from_rows",
    "histogram_of",
    "hit_certificate",
    "hit_certificate_exact",
    "hockey_stick",
    "hypergeometric_cdf",
    "hypergeometric_pmf",
    "is_accurate",
    "is_neighbour",
    "is_private",
    "is_private_by_definition",
    "is_top_set",
    "items_of",
    "joint_density",
    "kth_largest",
    "laplace_noisy_max_law",
    "laplace_set_law",
    "laplace_set_probability",
    "limited_domain",
    "limited_domain_law",
    "limited_domain_mechanism",
    "log_moment_of_step",
    "meeting_point",
    "meeting_round",
    "multi_stage",
    "negative_hypergeometric_tail",
    "neighbouring_positions",
    "noise_list",
    "noise_of",
    "noisy_max_mechanism",
    "noisy_scores",
    "one_hit_price_bound",
    "one_shot_atoms",
    "one_shot_ranked",
    "one_shot_set",
    "optimal_cost_bound",
    "optimal_prefix",
    "optimum_of_fixed_steps",
    "optimum_of_pure_steps",
    "paper_cost_bound",
    "paper_tail_bound",
    "peel",
    "peeling_law",
    "peeling_mechanism",
    "permute_and_flip",
    "permute_and_flip_law",
    "permute_and_flip_mechanism",
    "predicted_cost",
    "printed_composition",
    "private_threshold",
    "pure_composition",
    "random_access_bound",
    "range_of_step",
    "ranked_law",
    "ranking_probability",
    "reading_of",
    "renyi_composition",
    "replace_client",
    "report_noisy_max",
    "rounds_law",
    "rounds_quantile",
    "rounds_tail",
    "sample",
    "score_of",
    "seeded_tape",
    "select_with",
    "set_law",
    "set_probability",
    "seventh_bound",
    "simple_from_zcdp",
    "sorted_access_bound",
    "sorted_entries",
    "tape_of",
    "theorem_u_cost",
    "theorem_u_rounds",
    "threshold_algorithm",
    "tight_delta",
    "tight_ratio",
    "top_items",
    "two_phase",
    "two_phase_atoms",
    "two_phase_cost_bound",
    "two_phase_cost_quantile",
    "unequal_price_lower_bound",
    "vote_shape",
    "weights",
    "with_client",
    "zcdp_composition",
    "zcdp_of_step",
    "zcdp_of_steps",
]
