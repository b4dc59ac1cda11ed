"""Facts about inputs: the families and shapes of the specification, and two worst cases."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.batched import latest_prefix
from privtopk.impl.measurement.implicit import ImplicitPlateau
from privtopk.impl.measurement.inputs import FAR, SEED, SHAPES, WORST, make_input, two_levels
from privtopk.impl.scores.reader import Reader
from privtopk.spec.inputs.families import Family, FamilyName, benchmark_families
from privtopk.spec.inputs.vote_shapes import ShapeName, vote_shape
from privtopk.spec.model.tape import seeded_tape

SIZES = [(1, 1), (7, 2), (100, 10), (1000, 3)]

sizes = pytest.mark.parametrize(("m", "k"), SIZES)


def family(name: FamilyName, m: int, k: int) -> Family:
    """Return the family of a name from the specification."""
    return next(each for each in benchmark_families(m, k) if each.name is name)


@sizes
@pytest.mark.parametrize("name", FamilyName)
def test_families_are_the_specified_ones(name: FamilyName, m: int, k: int) -> None:
    """Every family has the scores and the unit of the specification, in another order."""
    specified, data = family(name, m, k), make_input(name, m, k)
    assert sorted(data.scores.tolist()) == sorted(specified.histogram)
    assert (data.unit, data.budget(k)) == (specified.unit, float(k * specified.unit))


def test_items_are_in_random_order() -> None:
    """The order is not that of the scores, and is the same every time."""
    first, second = (make_input(FamilyName.NEAR, 1000, 10).scores for _ in range(2))
    assert first.tolist() == second.tolist()
    assert abs(float(np.corrcoef(first, np.arange(1000))[0, 1])) < 0.2


@sizes
def test_the_implicit_plateau_is_the_family(m: int, k: int) -> None:
    """Both doors of the implicit plateau show plat1."""
    reader = Reader(ImplicitPlateau(m, k))
    scores = list(family(FamilyName.PLATEAU, m, k).histogram)
    assert reader.scores(np.arange(m)).tolist() == scores
    page = reader.top(m)
    assert (page.items.tolist(), page.scores.tolist()) == (list(range(m)), scores)
    assert reader.names([0]) == (0,)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_the_specified_ones(name: str) -> None:
    """A shape has the specification's votes for one fixed tape, in a random order."""
    specified = vote_shape(ShapeName(name), 300, seeded_tape(SEED)).histogram
    data = make_input(name, 300, 3)
    assert sorted(data.scores.tolist(), reverse=True) == list(specified)
    assert data.scores.tolist() != list(specified)


@pytest.mark.parametrize("prices", [(1, 1), (1, 20), (20, 1)])
def test_the_worst_input_ties_the_longest_prefix(prices: tuple[int, int]) -> None:
    """The number of high items is the longest prefix of the engine at these prices."""
    scores = make_input(WORST, 1000, 5, prices).scores
    assert np.count_nonzero(scores == FAR) == latest_prefix(1000, 5, *prices)


def test_two_levels() -> None:
    """The given number of items is at the gap, the others at 0."""
    data = two_levels(10, 3, 7)
    assert (sorted(data.scores.tolist()), data.unit) == ([0] * 7 + [7] * 3, Fraction(1))


def test_a_selector_spends_its_budget_in_votes() -> None:
    """The budget of a selection is epsilon in votes, also if a score of 1 is less than a vote."""
    data = make_input(FamilyName.NEAR, 1000, 10)
    assert data.selector(10, 2.0, rng=1)().guarantee.epsilon == float(2 * data.unit) < 2
