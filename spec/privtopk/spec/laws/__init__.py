"""Exact probability laws: of what a selection outputs, and of draws without replacement."""

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

__all__ = [
    "LogLinear",
    "exact_laplace_set_law",
    "exact_laplace_set_probability",
    "float_weights",
    "hypergeometric_cdf",
    "hypergeometric_pmf",
    "laplace_set_law",
    "laplace_set_probability",
    "negative_hypergeometric_tail",
    "ranked_law",
    "ranking_probability",
    "set_law",
    "set_probability",
    "weights",
]
