"""Inputs on which engines are compared."""

from privtopk.spec.inputs.families import (
    HIGH,
    LINEAR_SPREAD,
    NEAR_SPREAD,
    Family,
    FamilyName,
    benchmark_families,
    step,
)
from privtopk.spec.inputs.vote_shapes import ShapeName, VoteShape, vote_shape

__all__ = [
    "HIGH",
    "LINEAR_SPREAD",
    "NEAR_SPREAD",
    "Family",
    "FamilyName",
    "ShapeName",
    "VoteShape",
    "benchmark_families",
    "step",
    "vote_shape",
]
