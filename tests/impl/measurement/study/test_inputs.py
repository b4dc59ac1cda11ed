"""What the study selects from."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.batched import latest_prefix
from privtopk.impl.measurement.inputs import SEED
from privtopk.impl.measurement.study.inputs import (
    FAMILIES,
    FAR,
    SHAPES,
    WORST,
    study_input,
    two_levels,
)
from privtopk.spec.inputs.families import FamilyName, benchmark_families
from privtopk.spec.inputs.vote_shapes import ShapeName, vote_shape
from privtopk.spec.model.tape import seeded_tape


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_the_specified_ones(name: str) -> None:
    """A shape has the specification's votes for one fixed tape, in a random order."""
    specified = vote_shape(ShapeName(name), 300, seeded_tape(SEED)).histogram
    data = study_input(name, 300, 3)
    assert sorted(data.scores.tolist(), reverse=True) == list(specified)
    assert data.scores.tolist() != list(specified)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_the_specified_ones(name: str) -> None:
    """A family has the specification's scores and unit."""
    (specified,) = (f for f in benchmark_families(100, 3) if f.name is FamilyName(name))
    data = study_input(name, 100, 3)
    assert sorted(data.scores.tolist()) == sorted(specified.histogram)
    assert data.budget(2.0) == float(2 * specified.unit)


@pytest.mark.parametrize("prices", [(1, 1), (1, 20), (20, 1)])
def test_the_worst_input_ties_the_longest_prefix(prices: tuple[int, int]) -> None:
    """As many items are high as the engine reads at most for these prices."""
    scores = study_input(WORST, 1000, 5, prices).scores
    assert np.count_nonzero(scores == FAR) == latest_prefix(1000, 5, *prices)


def test_two_levels() -> None:
    """So many items are at the gap, the others at 0."""
    data = two_levels(10, 3, 7)
    assert (sorted(data.scores.tolist()), data.unit) == ([0] * 7 + [7] * 3, Fraction(1))
