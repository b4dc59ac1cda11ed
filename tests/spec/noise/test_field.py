"""Facts about the noise of all items, revealed on demand."""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from scipy import stats

from privtopk.spec.model.access import Entry
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Item, Number, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.field import LazyNoise, NoiseField, ServedNoise
from support import THIRDS, fits, refusal, third

DRAWS = 20_000
DEFECT = 0.006
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""
NOISES = [Gumbel(0.5), Laplace(0.5)]


def entry(item: int, value: Number) -> Entry:
    """Return an entry."""
    return Entry(Item(item), value)


def served(*noises: Number) -> ServedNoise:
    """Return a table of noise."""
    return ServedNoise(noises, Gumbel(1))


FIELDS: dict[str, Callable[[], NoiseField]] = {
    "served": lambda: served(0.5, -1, 2),
    "lazy": lambda: LazyNoise(3, Gumbel(1), tape_of()),
}


def test_served_noise_is_the_table() -> None:
    """Every item has the noise it was given, exactly."""
    field = served(0.5, -1, 2)
    assert (field.size, [field.noise_of(item) for item in items_of(3)]) == (3, [0.5, -1, 2])


def test_served_noise_above_z_is_strict() -> None:
    """An item whose noise equals z stays hidden."""
    assert served(0.5, -1, 2, 1).above(0.5) == (entry(3, 2), entry(4, 1))


def test_revealed_items_are_not_revealed_again() -> None:
    """An item that was asked for, or revealed before, is not reported a second time."""
    field = served(0.5, -1, 2, 1)
    field.noise_of(Item(4))
    assert (field.above(0.75), field.above(0), field.above(0)) == (
        (entry(3, 2),),
        (entry(1, 0.5),),
        (),
    )


@given(
    st.lists(st.integers(-5, 5), min_size=1, max_size=7), st.lists(st.integers(-6, 6), max_size=4)
)
def test_served_bounds_partition_the_table(noises: list[int], bounds: list[int]) -> None:
    """Over all bounds each item above the lowest one is reported once, with its noise."""
    field = served(*noises)
    reported = [found for z in bounds for found in field.above(z)]
    lowest = min(bounds, default=math.inf)
    assert sorted(reported, key=lambda e: e.item) == [
        Entry(item, noises[item - 1]) for item in items_of(len(noises)) if noises[item - 1] > lowest
    ]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("z", [-3.0, 0.0, 4.0, 100.0])
def test_chance_without_frontier_is_the_survival(noise: Noise, z: float) -> None:
    """Before anything is opened, a hidden noise exceeds z with probability P(Z > z)."""
    expected = noise.survival(z)
    assert ServedNoise((0,), noise).chance_above(z) == expected
    assert LazyNoise(1, noise, tape_of()).chance_above(z) == expected


@pytest.mark.parametrize("noise", NOISES)
def test_chance_below_a_frontier_is_conditional(noise: Noise) -> None:
    """Below a frontier the chance is P(Z > low | Z <= high), from scipy's functions."""
    high, low = 3.0, 1.0
    reference = stats.gumbel_r(scale=2) if isinstance(noise, Gumbel) else stats.laplace(scale=2)
    field = ServedNoise((0.0,), noise)
    field.above(high)
    expected = 1 - float(reference.cdf(low)) / float(reference.cdf(high))
    assert field.chance_above(low) == pytest.approx(expected, rel=1e-13)


def test_chance_keeps_all_digits_in_the_upper_tail() -> None:
    """Between 60 and 50 scales, where F rounds to 1, the chance has 13 digits."""
    field = LazyNoise(1, Gumbel(1), seeded_tape(1))
    field.above(60.0)
    with localcontext() as context:
        context.prec = 80
        exact = 1 - ((-Decimal(60)).exp() - (-Decimal(50)).exp()).exp()
    assert field.chance_above(50.0) == pytest.approx(float(exact), rel=1e-13)


@pytest.mark.parametrize(
    "field", [served(0.0), LazyNoise(1, Gumbel(1), seeded_tape(2))], ids=["served", "lazy"]
)
def test_chance_above_the_frontier_is_zero(field: NoiseField) -> None:
    """No hidden noise lies above the frontier."""
    field.above(1.5)
    assert (field.chance_above(1.5), field.chance_above(2.0), field.above(1.6)) == (0, 0, ())


@pytest.mark.parametrize("noise", NOISES)
def test_chance_above_everything_is_one(noise: Noise) -> None:
    """Every noise exceeds minus infinity, with and without a frontier."""
    field = LazyNoise(2, noise, seeded_tape(3))
    before = field.chance_above(-math.inf)
    field.above(2.0)
    assert (before, field.chance_above(-math.inf)) == (1.0, 1.0)


def test_lazy_noise_is_the_quantile_of_one_uniform() -> None:
    """Without a frontier an item asked for has an ordinary noise."""
    field = LazyNoise(3, Gumbel(2), tape_of(0.3))
    assert field.noise_of(Item(2)) == pytest.approx(Gumbel(2).quantile(0.3), rel=1e-15)


def test_lazy_noise_does_not_change() -> None:
    """A revealed noise is returned again without a uniform."""
    field = LazyNoise(3, Gumbel(2), tape_of(0.3))
    assert field.noise_of(Item(2)) == field.noise_of(Item(2))


@pytest.mark.parametrize("noise", NOISES)
def test_lazy_items_above_lie_above(noise: Noise) -> None:
    """Over falling bounds the revealed noises lie between the bound and the one before."""
    field = LazyNoise(200, noise, seeded_tape(4))
    bounds = [math.inf, 4.0, 1.0, 0.0, -1.5, -math.inf]
    for high, low in pairwise(bounds):
        found = field.above(low)
        assert all(low - 1e-12 <= e.value <= high + 1e-12 for e in found)
    assert all(math.isfinite(field.noise_of(item)) for item in items_of(200))


@pytest.mark.parametrize("noise", NOISES)
def test_lazy_items_asked_for_lie_below_the_frontier(noise: Noise) -> None:
    """An item that is still hidden has a noise below the frontier."""
    field = LazyNoise(200, noise, seeded_tape(5))
    revealed = {e.item for e in field.above(0.5)}
    hidden = [field.noise_of(item) for item in items_of(200) if item not in revealed]
    assert hidden
    assert max(hidden) <= 0.5 + 1e-12


def test_lowest_bound_reveals_everything() -> None:
    """Every item lies above minus infinity, and each is reported once."""
    field = LazyNoise(9, Laplace(1), seeded_tape(6))
    early = [e.item for e in field.above(1.0)]
    late = [e.item for e in field.above(-math.inf)]
    assert sorted(early + late) == list(items_of(9))


@pytest.mark.parametrize("noise", NOISES)
def test_lazy_noise_replays(noise: Noise) -> None:
    """The same tape and the same queries give the same noise."""

    def transcript() -> list[object]:
        field = LazyNoise(30, noise, seeded_tape(7))
        return [
            field.above(3.0),
            field.noise_of(Item(4)),
            field.above(0.0),
            field.noise_of(Item(5)),
        ]

    assert transcript() == transcript()


@pytest.mark.parametrize("noise", [Gumbel(1), Laplace(1)])
@pytest.mark.parametrize("z", [600.0, 705.0, 710.0, 730.0, 744.0, 745.2, 800.0, 1e300])
def test_bounds_far_above_reveal_nothing(noise: Noise, z: float) -> None:
    """A bound that noise exceeds with a chance of the smallest double is no error."""
    assert LazyNoise(1000, noise, seeded_tape(8)).above(z) == ()


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("item", [0, -1, 4])
def test_unknown_items_are_refused(field: Callable[[], NoiseField], item: int) -> None:
    """Only items of the domain have a noise."""
    assert refusal(lambda: field().noise_of(Item(item))) == (
        Reason.UNKNOWN_ITEM,
        f"item must be between 1 and m=3, got {item}",
    )


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("item", [True, 1.0, "1", None])
def test_items_of_another_type_are_refused(field: Callable[[], NoiseField], item: Any) -> None:
    """An item is an integer."""
    assert refusal(lambda: field().noise_of(item)) == (
        Reason.WRONG_TYPE,
        f"item must be an integer, got {item!r}",
    )


def test_empty_fields_are_refused() -> None:
    """There is at least one item."""
    expected = (Reason.EMPTY_DOMAIN, "m must be at least 1, got 0")
    assert refusal(served) == expected
    assert refusal(lambda: LazyNoise(0, Gumbel(1), tape_of())) == expected


@pytest.mark.parametrize(
    ("noise", "reason"),
    [(math.nan, Reason.NOT_A_NUMBER), (True, Reason.WRONG_TYPE), ("0", Reason.WRONG_TYPE)],
)
def test_noises_of_another_kind_are_refused(noise: Any, reason: Reason) -> None:
    """A table contains numbers only."""
    assert refusal(lambda: served(0, noise)) == (reason, f"a noise must be a number, got {noise!r}")


@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_sizes_of_another_type_are_refused(m: Any) -> None:
    """The size is an integer."""
    assert refusal(lambda: LazyNoise(m, Gumbel(1), tape_of())) == (
        Reason.WRONG_TYPE,
        f"m must be an integer, got {m!r}",
    )


@pytest.mark.parametrize("ask", [lambda f: f.noise_of(Item(1)), lambda f: f.above(0.0)])
def test_exhausted_tape_is_refused(ask: Callable[[LazyNoise], object]) -> None:
    """Without uniforms nothing is revealed."""
    assert refusal(lambda: ask(LazyNoise(3, Gumbel(1), tape_of()))) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )


def ask_for_items(field: LazyNoise) -> None:
    """Reveal the items one by one."""
    for item in (2, 3, 1):
        field.noise_of(Item(item))


def ask_by_bounds(field: LazyNoise) -> None:
    """Reveal by falling bounds only."""
    for z in (3.0, 0.5, -1.0):
        field.above(z)


def ask_adaptively(field: LazyNoise) -> None:
    """Ask for an item, open above its noise, ask for another item, open above a lower bound."""
    first = field.noise_of(Item(2))
    found = field.above(first)
    field.noise_of(Item(3) if found else Item(1))
    field.above(first - 1.5)


STRATEGIES = {"items": ask_for_items, "bounds": ask_by_bounds, "adaptive": ask_adaptively}


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
@pytest.mark.parametrize("noise", NOISES)
def test_noises_are_independent_whatever_is_asked(
    strategy: Callable[[LazyNoise], None], noise: Noise
) -> None:
    """After any adaptive order of queries the three items have i.i.d. noises of the right law.

    Null hypothesis: (F(Z_1), F(Z_2), F(Z_3)) is uniform on the cube, cut into 27 equal cells;
    n = 20,000, false alarms 1e-9; a law with sum (p - q)^2/q >= 0.006 is found with power 0.99.
    """
    tape = seeded_tape(90)

    def cells() -> tuple[int, ...]:
        field = LazyNoise(3, noise, tape)
        strategy(field)
        return tuple(third(noise.cdf(field.noise_of(item))) for item in items_of(3))

    assert fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


class FieldMachine(RuleBasedStateMachine):
    """Lazy noise beside a dictionary of what it has revealed and the frontier."""

    @initialize(m=st.integers(1, 7), seed=st.integers(0, 2**32), noise=st.sampled_from(NOISES))
    def start(self, m: int, seed: int, noise: Noise) -> None:
        """Start with everything hidden."""
        self.m = m
        self.field = LazyNoise(m, noise, seeded_tape(seed))
        self.revealed: dict[Item, Number] = {}
        self.frontier = math.inf

    @rule(data=st.data())
    def ask_for_an_item(self, data: st.DataObject) -> None:
        """Ask for an item; a new one lies below the frontier."""
        item = Item(data.draw(st.integers(1, self.m)))
        value = self.field.noise_of(item)
        assert item in self.revealed or value <= self.frontier + 1e-12
        assert self.revealed.setdefault(item, value) == value

    @rule(z=st.floats(-5, 5))
    def open_above(self, z: float) -> None:
        """Open above z; what is revealed is new and lies between z and the frontier."""
        for found in self.field.above(z):
            assert found.item not in self.revealed
            assert z - 1e-12 <= found.value <= self.frontier + 1e-12
            self.revealed[found.item] = found.value
        self.frontier = min(self.frontier, z)

    @invariant()
    def revealed_noises_stay(self) -> None:
        """A revealed noise does not change, and no hidden noise lies above the frontier."""
        assert {item: self.field.noise_of(item) for item in self.revealed} == self.revealed
        assert self.frontier == math.inf or self.field.chance_above(self.frontier) == 0


FieldMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=20)
TestFieldMachine = FieldMachine.TestCase
