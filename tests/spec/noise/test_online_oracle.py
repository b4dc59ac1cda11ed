"""Facts about the online oracle alone: its index and the law of its levels."""

import math
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Position
from privtopk.spec.noise.distributions import Gumbel
from privtopk.spec.noise.online_oracle import OnlineOracle, OrderStatistics
from privtopk.spec.noise.predecessor import NaiveIndex
from support import THIRDS, fits, refusal, third

DRAWS = 20_000
DEFECT = 0.006
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""


def test_index_may_be_given() -> None:
    """Another index with the same behaviour gives the same list, and gets every position."""
    index = NaiveIndex()
    ours = OnlineOracle(9, Gumbel(1), seeded_tape(8), index)
    default = OnlineOracle(9, Gumbel(1), seeded_tape(8))
    assert [ours.sorted_access() for _ in range(4)] == [default.sorted_access() for _ in range(4)]
    assert [j in index for j in range(1, 7)] == [True, True, True, True, False, False]


@pytest.mark.parametrize("m", [0, -1])
def test_empty_domains_are_refused(m: int) -> None:
    """There is at least one item."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: OrderStatistics(m, tape_of())) == expected


@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_sizes_of_another_type_are_refused(m: Any) -> None:
    """The size is an integer."""
    expected = (Reason.WRONG_TYPE, f"m must be an integer, got {m!r}")
    assert refusal(lambda: OrderStatistics(m, tape_of())) == expected


@pytest.mark.parametrize("j", [0, 4, -1])
def test_positions_outside_are_refused(j: int) -> None:
    """The virtual ends are not positions."""
    levels = OrderStatistics(3, tape_of())
    assert refusal(lambda: levels.at(Position(j))) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"j must be between 1 and 3, got {j}",
    )


@given(st.permutations(range(1, 9)), st.integers(0, 2**32))
def test_levels_rise_with_their_positions(order: list[int], seed: int) -> None:
    """Drawn in any order, the levels rise from position to position and keep their values."""
    levels = OrderStatistics(8, seeded_tape(seed))
    drawn = {j: levels.at(Position(j)) for j in order}
    ranked = [drawn[j] for j in range(1, 9)]
    assert ranked == sorted(ranked)
    assert all(0 < level < math.inf for level in ranked)
    assert {j: levels.at(Position(j)) for j in order} == drawn


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_levels_have_the_joint_law(order: tuple[int, int, int]) -> None:
    """In every order of queries the levels are the order statistics of three exponentials.

    Null hypothesis: the spacings (4 - j)(E_(j) - E_(j-1)) are i.i.d. Exp(1), cut into thirds:
    27 equal cells; n = 20,000, false alarms 1e-9; a law with sum (p - q)^2/q >= 0.006 is found
    with power 0.99.
    """
    tape = seeded_tape(int("".join(map(str, order))))

    def cells() -> tuple[int, ...]:
        levels = OrderStatistics(3, tape)
        drawn = {0: 0.0, **{j: levels.at(Position(j)) for j in order}}
        return tuple(third(-math.expm1((4 - j) * (drawn[j - 1] - drawn[j]))) for j in (1, 2, 3))

    assert fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


@pytest.mark.slow
def test_independent_levels_are_rejected() -> None:
    """The control: levels with the right marginals, drawn independently, are rejected."""
    tape = seeded_tape(70)

    def cells() -> tuple[int, ...]:
        drawn = {0: 0.0, **{j: OrderStatistics(3, tape).at(Position(j)) for j in (1, 2, 3)}}
        return tuple(
            third(max(0.0, -math.expm1((4 - j) * (drawn[j - 1] - drawn[j])))) for j in (1, 2, 3)
        )

    assert not fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)
