"""Inputs on which engines are compared."""

from privtopk.spec.inputs.families import Family, FamilyName, benchmark_families
from privtopk.spec.inputs.vote_shapes import ShapeName, VoteShape, vote_shape

__all__ = [
    "Family",
    "FamilyName",
    "ShapeName",
    "VoteShape",
    "benchmark_families",
    "vote_shape",
]
