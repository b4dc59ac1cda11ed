"""Noise: its distributions, and the lists of noise that algorithms read through two doors."""

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

__all__ = [
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
    "joint_density",
    "neighbouring_positions",
    "noise_of",
    "sample",
]
