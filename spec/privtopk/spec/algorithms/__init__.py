"""The algorithms of the paper and the mechanisms that it is compared with."""

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
from privtopk.spec.algorithms.fixed_accesses import (
    FixedRun,
    chance_to_read_everything,
    fixed_accesses,
)
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

__all__ = [
    "Aggregation",
    "BatchedRun",
    "DiscreteNoise",
    "FixedRun",
    "Prefix",
    "Reading",
    "StoppingRule",
    "ThresholdRun",
    "TieRule",
    "acceptances",
    "adaptive_prefix",
    "chance_to_read_everything",
    "exact_laplace_noisy_max_law",
    "exponential_law",
    "exponential_mechanism",
    "fixed_accesses",
    "fixed_prefix",
    "gumbel_noisy_max_law",
    "laplace_noisy_max_law",
    "limited_domain",
    "limited_domain_law",
    "limited_domain_mechanism",
    "meeting_round",
    "multi_stage",
    "noise_list",
    "noisy_max_mechanism",
    "noisy_scores",
    "one_shot_atoms",
    "one_shot_ranked",
    "one_shot_set",
    "peel",
    "peeling_law",
    "peeling_mechanism",
    "permute_and_flip",
    "permute_and_flip_law",
    "permute_and_flip_mechanism",
    "private_threshold",
    "report_noisy_max",
    "select_with",
    "threshold_algorithm",
    "two_phase",
    "two_phase_atoms",
]
