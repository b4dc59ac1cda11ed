"""Noise: its distributions, and the lists of noise that algorithms read through two doors."""

from privtopk.spec.noise.certified_logarithm import COEFFICIENTS, LOG_2, ROOT_HALF, logarithm
from privtopk.spec.noise.distributions import (
    LARGEST_EXPONENT,
    Gumbel,
    Laplace,
    Noise,
    NoiseKind,
    noise_of,
    require_scale,
    sample,
)
from privtopk.spec.noise.field import LazyNoise, NoiseField, ServedNoise
from privtopk.spec.noise.gamma import gamma_variable, normal_variable
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

__all__ = [
    "COEFFICIENTS",
    "LARGEST_EXPONENT",
    "LOG_2",
    "ROOT_HALF",
    "Gumbel",
    "Laplace",
    "LazyNoise",
    "LazyPermutation",
    "NaiveIndex",
    "Noise",
    "NoiseField",
    "NoiseKind",
    "OnlineOracle",
    "OrderStatistics",
    "PredecessorIndex",
    "RankFreeOracle",
    "ServedNoise",
    "SparseArrangement",
    "beta_density",
    "beta_shape",
    "between",
    "conditional_density",
    "from_beta",
    "gamma_variable",
    "joint_density",
    "logarithm",
    "neighbouring_positions",
    "noise_of",
    "normal_variable",
    "require_scale",
    "sample",
]
