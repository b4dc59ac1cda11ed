"""The inputs on which engines are compared."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from privtopk.spec.inputs.families import (
    Family,
    FamilyName,
    benchmark_families,
    hard,
    linear,
    near,
    one_plateau,
    zero,
    zipf,
)
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.parameters import require_histogram
from support import refusal


def test_zero() -> None:
    """All items are tied without a vote."""
    assert zero(3) == Family(FamilyName.ZERO, (0, 0, 0))


def test_near() -> None:
    """Three different scores lie within a thousandth of a vote."""
    family = near(3)
    assert family == Family(FamilyName.NEAR, (2, 1, 0), Fraction(1, 2000))
    assert list(family.votes) == [Fraction(1, 1000), Fraction(1, 2000), 0]


def test_zipf() -> None:
    """Item i has floor(m / i) votes."""
    assert zipf(6) == Family(FamilyName.ZIPF, (6, 3, 2, 1, 1, 1))


def test_votes_are_scores_by_default() -> None:
    """By default a score of 1 is one vote."""
    assert zipf(3).votes == zipf(3).histogram == (3, 1, 1)


def test_units_of_a_single_item() -> None:
    """A single item has no steps; its unit is the whole spread."""
    assert [near(1).unit, linear(1).unit] == [Fraction(1, 1000), 20]


def test_linear() -> None:
    """Five scores fall from 20 votes to 0 in steps of 5."""
    family = linear(5)
    assert family == Family(FamilyName.LINEAR, (4, 3, 2, 1, 0), Fraction(5))
    assert list(family.votes) == [20, 15, 10, 5, 0]


def test_one_plateau() -> None:
    """ceil(sqrt(mk)) items have 1000 votes, the rest none."""
    assert one_plateau(7, 2) == Family(FamilyName.PLATEAU, (1000,) * 4 + (0,) * 3)


def test_hard() -> None:
    """For m = 10, k = 3 five of six chosen items have 1000 votes and the last has 999."""
    assert hard(10, 3) == Family(FamilyName.HARD, (1000,) * 5 + (999,) + (0,) * 4)


def test_six_families_in_order() -> None:
    """The comparison runs on the six families under their published names."""
    names = [str(family.name) for family in benchmark_families(20, 3)]
    assert names == ["zero", "near", "zipf", "linear", "plat1", "hard"]


@pytest.mark.parametrize(("m", "k"), [(1, 1), (2, 2), (20, 3)])
def test_families_are_histograms(m: int, k: int) -> None:
    """Every family is a histogram of m integer scores in a positive unit."""
    for family in benchmark_families(m, k):
        assert require_histogram(family.histogram) == family.histogram
        assert (len(family.histogram), family.unit > 0) == (m, True)


@pytest.mark.parametrize("family", [near(50), linear(50)])
def test_distinct_families_have_no_ties(family: Family) -> None:
    """The two families of evenly falling scores have no ties."""
    assert len(set(family.histogram)) == 50


@pytest.mark.parametrize(
    ("call", "reason", "message"),
    [
        (lambda: zero(0), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (lambda: near(0), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (lambda: zipf(0), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (lambda: linear(-1), Reason.EMPTY_DOMAIN, "m must be at least 1, got -1"),
        (lambda: one_plateau(3, 4), Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4"),
        (lambda: hard(3, 0), Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 0"),
        (
            lambda: benchmark_families(3, 4),
            Reason.K_OUT_OF_RANGE,
            "k must be between 1 and m=3, got 4",
        ),
    ],
)
def test_refusals(call: Callable[[], object], reason: Reason, message: str) -> None:
    """Parameters out of range are refused with what was given and what is required."""
    assert refusal(call) == (reason, message)
