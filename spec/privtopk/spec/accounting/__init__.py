"""Accounting: how much privacy a selection costs, and how much noise a budget takes."""

from privtopk.spec.accounting.assumptions import Arithmetic, DomainAssumption, NoiseSource
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
from privtopk.spec.accounting.guarantee import Guarantee, calibrate, guarantee, guarantees
from privtopk.spec.accounting.optimal_composition import (
    delta_of_fixed_steps,
    delta_of_pure_steps,
    optimum_of_fixed_steps,
    optimum_of_pure_steps,
)

__all__ = [
    "Arithmetic",
    "DomainAssumption",
    "Guarantee",
    "NoiseSource",
    "azuma_composition",
    "best_from_log_moment",
    "best_from_zcdp",
    "calibrate",
    "delta_of_fixed_steps",
    "delta_of_pure_steps",
    "guarantee",
    "guarantees",
    "log_moment_of_step",
    "optimum_of_fixed_steps",
    "optimum_of_pure_steps",
    "printed_composition",
    "pure_composition",
    "range_of_step",
    "renyi_composition",
    "simple_from_zcdp",
    "zcdp_composition",
    "zcdp_of_step",
    "zcdp_of_steps",
]
