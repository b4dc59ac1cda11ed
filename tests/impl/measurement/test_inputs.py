"""The benchmark's arrays are the families of the specification."""

import numpy as np
import pytest

from privtopk.impl.measurement.implicit import ImplicitPlateau
from privtopk.impl.measurement.inputs import benchmark_input
from privtopk.impl.scores.reader import Reader
from privtopk.spec.inputs.families import Family, FamilyName, benchmark_families

SIZES = [(1, 1), (7, 2), (100, 10), (1000, 3)]

sizes = pytest.mark.parametrize(("m", "k"), SIZES)


def family(name: FamilyName, m: int, k: int) -> Family:
    """Return the specification's family of a name."""
    return next(each for each in benchmark_families(m, k) if each.name is name)


@sizes
@pytest.mark.parametrize("name", FamilyName)
def test_families_are_the_specified_ones(name: FamilyName, m: int, k: int) -> None:
    """Scores and unit of every family are those of the specification, in another order."""
    specified, data = family(name, m, k), benchmark_input(name, m, k)
    assert sorted(data.scores.tolist()) == sorted(specified.histogram)
    assert (data.unit, data.budget(k)) == (specified.unit, float(k * specified.unit))


def test_items_stand_in_a_random_order() -> None:
    """The order is not that of the scores, and is the same every time."""
    first, second = (benchmark_input(FamilyName.NEAR, 1000, 10).scores for _ in range(2))
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
