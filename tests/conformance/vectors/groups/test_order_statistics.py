"""The vectors of order statistics: 60 digits and our engine pass, wrong samplers fail."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy

from conformance.support_vectors import failed_ids, passes, vectors_for
from privtopk.conformance.vectors import Vector
from privtopk.impl.noise.distributions import standard_noise
from privtopk.impl.noise.order_statistics import between
from privtopk.spec.noise.distributions import NoiseKind

GROUP = "order-statistics"
DIGITS = 60


class Sampler:
    """Order statistics in U-space with 60 digits; each method is right unless it is replaced."""

    def __init__(self, words: list[int]) -> None:
        """Read a tape of words."""
        self._words = iter(words)
        self.margins: list[tuple[int, Any]] = []

    def uniform(self) -> Any:
        """Return the next uniform."""
        return mpmath.mpf(2 * next(self._words) + 1) / 2**53

    def gamma(self, shape: int) -> Any:
        """Return a Gamma variable, and note by how much each attempt was decided."""
        d = mpmath.mpf(3 * shape - 1) / 3
        while True:
            radius = mpmath.sqrt(-2 * mpmath.log(self.uniform()))
            x = radius * mpmath.cos(2 * mpmath.pi * self.uniform())
            v = (1 + x / mpmath.sqrt(9 * d)) ** 3
            if v > 0:
                level = x * x / 2 + d * (1 - v + mpmath.log(v))
                self.margins.append((shape, level - mpmath.log(self.uniform())))
                if self.margins[-1][1] > 0:
                    return d * v

    def value(self, j: int, left: tuple[int, Any], right: tuple[int, Any]) -> Any:
        """Return U_(j) between its neighbours: u_r + (u_l - u_r) X, X ~ Beta(r - j, j - l)."""
        above, below = self.gamma(j - left[0]), self.gamma(right[0] - j)
        return right[1] + (left[1] - right[1]) * below / (above + below)

    def neighbours(self, known: dict[int, Any], j: int) -> tuple[int, int]:
        """Return the nearest revealed positions."""
        return max(i for i in known if i < j), min(i for i in known if i > j)

    def levels(self, m: int, positions: list[int]) -> list[float]:
        """Reveal positions one after the other."""
        known: dict[int, Any] = {0: mpmath.mpf(1), m + 1: mpmath.mpf(0)}
        for j in positions:
            if j not in known:
                left, right = self.neighbours(known, j)
                known[j] = self.value(j, (left, known[left]), (right, known[right]))
        if next(self._words, None) is not None:
            raise LookupError("the tape has more uniforms")
        return [float(-mpmath.log(known[j])) for j in positions]


def script_by(sampler: type[Sampler] = Sampler) -> Callable[[Vector], dict[str, Any]]:
    """Return an implementation of `order-statistics`."""

    def answer(vector: Vector) -> dict[str, Any]:
        with mpmath.workdps(DIGITS):
            drawn = sampler(vector.input["uniforms"])
            return {"levels": drawn.levels(vector.input["m"], vector.input["positions"])}

    return answer


def test_sixty_digits_pass() -> None:
    """The definition in U-space, with enough digits, gives the levels of every script."""
    assert failed_ids(GROUP, "order-statistics", script_by()) == set()


def gamma_of(vector: Vector, sampler: type[Sampler] = Sampler) -> dict[str, Any]:
    """Draw one Gamma variable with 60 digits."""
    with mpmath.workdps(DIGITS):
        return {"value": float(sampler(vector.input["uniforms"]).gamma(vector.input["shape"]))}


def test_gamma_variables_of_sixty_digits_pass() -> None:
    """The rejection method with 60 digits makes the same attempts."""
    assert failed_ids(GROUP, "gamma", gamma_of) == set()


def decisions() -> Iterator[tuple[str, int, Any]]:
    """Yield every decision of the rejection method with its shape and its margin."""
    for vector in vectors_for(GROUP, "order-statistics"):
        with mpmath.workdps(DIGITS):
            sampler = Sampler(vector.input["uniforms"])
            sampler.levels(vector.input["m"], vector.input["positions"])
        yield from ((vector.id, shape, margin) for shape, margin in sampler.margins)


def test_no_decision_hangs_on_a_rounding() -> None:
    """Every margin is much larger than sqrt(d) 2^-50, the error of d (1 - v + ln v) in doubles."""
    made = list(decisions())
    assert [one for one in made if abs(one[2]) < 2**-12] == []
    assert max(shape for _, shape, _ in made) == 2**50


class WithoutShift(Sampler):
    """Case 3 as printed."""

    def value(self, j: int, left: tuple[int, Any], right: tuple[int, Any]) -> Any:
        """Return (u_l - u_r) X."""
        return super().value(j, left, right) - right[1]


class Exchanged(Sampler):
    """The parameters of the Beta law exchanged."""

    def value(self, j: int, left: tuple[int, Any], right: tuple[int, Any]) -> Any:
        """Return u_r + (u_l - u_r) (1 - X)."""
        return left[1] + right[1] - super().value(j, left, right)


class NoPredecessor(Sampler):
    """A position without a predecessor drawn as if nothing were known."""

    def neighbours(self, known: dict[int, Any], j: int) -> tuple[int, int]:
        """Forget the successor if there is no predecessor."""
        left, right = super().neighbours(known, j)
        return left, max(known) if left == 0 else right


class MarginsOnly(Sampler):
    """Every position drawn independently."""

    def neighbours(self, known: dict[int, Any], j: int) -> tuple[int, int]:
        """Return the ends."""
        return 0, max(known)


class FarNeighbours(Sampler):
    """Some revealed positions around, not the nearest ones."""

    def neighbours(self, known: dict[int, Any], j: int) -> tuple[int, int]:
        """Return the neighbours that were revealed first."""
        first = [*list(known)[2:], 0, max(known)]
        return next(i for i in first if i < j), next(i for i in first if i > j)


class EndAtLast(Sampler):
    """The last position taken for the end."""

    def levels(self, m: int, positions: list[int]) -> list[float]:
        """Reveal positions of a list that is one shorter."""
        return super().levels(m - 1, positions)


@pytest.mark.parametrize(
    ("sampler", "hunter"),
    [
        (WithoutShift, "order-both-neighbours"),
        (Exchanged, "order-no-neighbour"),
        (NoPredecessor, "order-right-neighbour"),
        (MarginsOnly, "order-from-the-middle"),
        (FarNeighbours, "order-nearest-neighbours"),
        (EndAtLast, "order-left-neighbour"),
    ],
)
def test_wrong_samplers_are_found(sampler: type[Sampler], hunter: str) -> None:
    """Each wrong sampler fails the vector made for it; all but one pass another vector."""
    found = failed_ids(GROUP, "order-statistics", script_by(sampler))
    assert hunter in found
    assert (
        found < {vector.id for vector in vectors_for(GROUP, "order-statistics")}
        or sampler is Exchanged
    )


def test_uniforms_in_doubles_are_found() -> None:
    """A sampler that stores U in doubles fails at the first positions of long lists."""

    class Doubles(Sampler):
        def value(self, j: int, left: tuple[int, Any], right: tuple[int, Any]) -> Any:
            return mpmath.mpf(float(super().value(j, left, right)))

    assert failed_ids(GROUP, "order-statistics", script_by(Doubles)) == {
        "order-top-of-a-million",
        "order-top-of-2-to-the-50",
    }


def exact_step(vector: Vector) -> dict[str, Any]:
    """Take one step in U-space with 120 digits."""
    given = vector.input
    with mpmath.workdps(120):
        u_l, u_r = (mpmath.exp(-mpmath.mpf(given[side])) for side in ("left_level", "right_level"))
        above, below = (mpmath.mpf(given[side]) for side in ("left_gamma", "right_gamma"))
        return {"level": float(-mpmath.log(u_r + (u_l - u_r) * below / (above + below)))}


def test_steps_pass() -> None:
    """The step agrees with U-space at 120 digits, and so does our engine's."""

    def by_engine(vector: Vector) -> dict[str, Any]:
        names = ("left_level", "right_level", "left_gamma", "right_gamma")
        return {"level": between(*(vector.input[name] for name in names))}

    assert failed_ids(GROUP, "between", exact_step) == set()
    assert failed_ids(GROUP, "between", by_engine) == set()


def test_steps_in_doubles_of_u_are_found() -> None:
    """The same step with U in doubles fails if digits cancel."""

    def careless(vector: Vector) -> dict[str, Any]:
        given = vector.input
        u_l, u_r = math.exp(-given["left_level"]), math.exp(-given["right_level"])
        share = given["right_gamma"] / (given["left_gamma"] + given["right_gamma"])
        return {"level": -math.log(u_r + (u_l - u_r) * share)}

    assert failed_ids(GROUP, "between", careless) == {
        "between-near-the-top",
        "between-close-neighbours",
    }


@pytest.mark.parametrize(
    ("step", "hunter"),
    [
        (lambda e_l, e_r, g_l, g_r: between(e_l, e_r, g_r, g_l), "between-ends"),
        (lambda e_l, e_r, g_l, g_r: between(e_l, e_r, g_l, g_r) - e_l, "between-left-only"),
        (
            lambda e_l, e_r, g_l, g_r: between(e_l, e_r if e_l else math.inf, g_l, g_r),
            "between-right-only",
        ),
        (
            lambda e_l, e_r, g_l, g_r: (
                -math.log((math.exp(-e_l) - math.exp(-e_r)) * g_r / (g_l + g_r))
            ),
            "between-both",
        ),
        (
            lambda e_l, e_r, g_l, g_r: e_r - math.log1p(math.expm1(e_r - e_l) * g_r / (g_l + g_r)),
            "between-far-apart",
        ),
        (
            lambda e_l, e_r, g_l, g_r: e_l + 0 / (e_r - e_l) + between(e_l, e_r, g_l, g_r),
            "between-tied-neighbours",
        ),
    ],
)
def test_wrong_steps_are_found(step: Callable[..., float], hunter: str) -> None:
    """Each wrong step fails the vector made for it."""
    names = ("left_level", "right_level", "left_gamma", "right_gamma")
    found = failed_ids(
        GROUP, "between", lambda v: {"level": step(*(v.input[name] for name in names))}
    )
    assert hunter in found


class WithoutThird(Sampler):
    """The shape taken for d."""

    def gamma(self, shape: int) -> Any:
        """Return a variable of a shape that is a third too large."""
        return super().gamma(mpmath.mpf(shape) + mpmath.mpf(1) / 3)


class Unrejected(Sampler):
    """Every attempt accepted."""

    def gamma(self, shape: int) -> Any:
        """Return the first attempt."""
        d = mpmath.mpf(3 * shape - 1) / 3
        radius = mpmath.sqrt(-2 * mpmath.log(self.uniform()))
        x = radius * mpmath.cos(2 * mpmath.pi * self.uniform())
        self.uniform()
        return d * (1 + x / mpmath.sqrt(9 * d)) ** 3


@pytest.mark.parametrize(
    ("sampler", "hunters"),
    [
        (WithoutThird, {"gamma-of-shape-one", "gamma-of-shape-seven"}),
        (Unrejected, {"gamma-negative-cube", "gamma-rejected"}),
    ],
)
def test_wrong_gamma_variables_are_found(sampler: type[Sampler], hunters: set[str]) -> None:
    """Each wrong method fails the vectors made for it."""
    found = failed_ids(GROUP, "gamma", lambda vector: gamma_of(vector, sampler))
    assert hunters <= found


def noise_of(value: Callable[[str, float], float]) -> Callable[[Vector], dict[str, Any]]:
    """Return an implementation of `noise` at rate 1."""

    def answer(vector: Vector) -> dict[str, Any]:
        given = vector.input
        return {"noises": [value(given["noise"], e) / given["rate"] for e in given["levels"]]}

    return answer


def exact_noise(noise: str, level: float) -> float:
    """Invert the distribution function with 400 digits."""
    with mpmath.workdps(400):
        u = mpmath.exp(-mpmath.mpf(level))
        if noise == "gumbel":
            return float(-mpmath.log(-mpmath.log(u)))
        return float(mpmath.log(2 * u) if u < 0.5 else -mpmath.log(2 * (1 - u)))


def test_noises_pass() -> None:
    """The inverse distribution functions give the noises, and so do our engines."""
    assert failed_ids(GROUP, "noise", noise_of(exact_noise)) == set()
    engine = noise_of(lambda noise, e: standard_noise(NoiseKind(noise)).value(e))
    assert failed_ids(GROUP, "noise", engine) == set()


def test_wrong_noises_are_found() -> None:
    """A form that cancels, a wrong scale and a mirrored law fail the vectors made for them."""

    def noise_with_cancellation(noise: str, e: float) -> float:
        return (
            exact_noise(noise, e)
            if noise == "gumbel" or e >= math.log(2)
            else -math.log(2 - 2 * math.exp(-e))
        )

    assert failed_ids(GROUP, "noise", noise_of(noise_with_cancellation)) == {
        "noise-laplace",
        "noise-laplace-scale",
    }
    unscaled = noise_of(lambda noise, e: exact_noise(noise, e))
    scaleless = failed_ids(
        GROUP, "noise", lambda v: unscaled(v) if v.input["rate"] == 1 else {"noises": []}
    )
    assert scaleless == {"noise-gumbel-scale", "noise-laplace-scale"}
    mirrored = failed_ids(GROUP, "noise", noise_of(lambda noise, e: -exact_noise(noise, e)))
    assert mirrored == {vector.id for vector in vectors_for(GROUP, "noise")}


def by_symbols(vector: Vector) -> dict[str, Any]:
    """Integrate the joint density of the whole sorted list symbolically, given the neighbours."""
    given = vector.input
    (ell, u_l), (r, u_r), j = given["left_neighbour"], given["right_neighbour"], given["position"]
    t = sympy.Symbol("t")
    low, high = sympy.Rational(u_r), sympy.Rational(u_l)
    shape = (high - t) ** (j - ell - 1) * (t - low) ** (r - j - 1)
    total = sympy.integrate(sympy.expand(shape), (t, low, high))
    u = sympy.Rational(given["u"])
    density = shape.subs(t, u) / total if low < u < high else sympy.Integer(0)
    return {"density": Fraction(int(density.p), int(density.q))}


def test_conditional_densities_by_integration_pass() -> None:
    """The density is (u_l - u)^(j-l-1) (u - u_r)^(r-j-1), divided by its integral."""
    assert failed_ids(GROUP, "conditional-density", by_symbols) == set()


def test_densities_without_shift_are_found() -> None:
    """The printed form fails both vectors of its witness, and no other."""

    def printed_density(vector: Vector) -> dict[str, Any]:
        (ell, u_l), (r, u_r) = vector.input["left_neighbour"], vector.input["right_neighbour"]
        moved = {
            **vector.input,
            "left_neighbour": (ell, u_l - u_r),
            "right_neighbour": (r, Fraction(0)),
        }
        shifted = ell > 0 and u_r > 0
        return by_symbols(with_input(vector, moved) if shifted else vector)

    assert failed_ids(GROUP, "conditional-density", printed_density) == {
        "density-between",
        "density-outside",
    }


def with_input(vector: Vector, given: dict[str, Any]) -> Vector:
    """Return a vector with another input."""
    return Vector(vector.id, vector.operation, "", (), given, {}, {}, vector.tolerance)


def test_joint_densities_pass() -> None:
    """The joint density is m! times the volume of the gaps, and 0 if positions are out of order."""

    def by_gaps(vector: Vector) -> dict[str, Any]:
        m = vector.input["m"]
        at = [(0, Fraction(1)), *vector.input["revealed"], (m + 1, Fraction(0))]
        density = Fraction(math.factorial(m))
        for (ell, u_l), (r, u_r) in pairwise(at):
            free = r - ell - 1
            density *= max(u_l - u_r, Fraction(0)) ** free / math.factorial(free)
            density *= u_l >= u_r
        return {"density": density}

    assert failed_ids(GROUP, "joint-density", by_gaps) == set()


@pytest.mark.parametrize(
    "vector",
    [*vectors_for(GROUP, "online-oracle"), *vectors_for(GROUP, "rank-free-oracle")],
    ids=lambda vector: vector.id,
)
def test_oracles_show_one_list(vector: Vector) -> None:
    """Both doors agree on every noise, and sorted access delivers it in descending order."""
    noises: dict[int, float] = {}
    delivered = []
    for (door, asked_for), (item, noise) in zip(
        vector.input["accesses"], vector.expected["entries"], strict=True
    ):
        assert asked_for in (None, item)
        assert noises.setdefault(item, noise) == noise
        delivered += [(noise, item)] if door == "sorted" else []
    assert delivered == sorted(delivered, reverse=True)
    assert len({item for _, item in delivered}) == len(delivered)


def rank_free_entries(
    vector: Vector, *, is_thrown_away: bool = True, is_left: bool = True
) -> dict[str, Any]:
    """Answer by the definition, with a list of the unseen items; each default is right."""
    given = vector.input
    m, words = given["m"], iter(given["uniforms"])
    if m > 100:
        raise LookupError("too many to list")
    arrangement, levels = list(range(1, m + 1)), dict[int, float]()
    pending: set[int] = set()
    frontier, kept, entries = 0.0, None, []
    for door, item in given["accesses"]:
        if door == "random":
            if item not in levels:
                levels[item] = frontier - math.log((2 * next(words) + 1) / 2**53)
                move_to_seen(arrangement, len(levels), item)
                pending.add(item)
            shown = item
        else:
            unseen = m - len(levels)
            if kept is None and unseen:
                share = unseen if is_left else m
                kept = frontier - math.log((2 * next(words) + 1) / 2**53) / share
            least = min(pending, key=levels.__getitem__, default=None)
            if least is not None and (kept is None or levels[least] < kept):
                shown = least
                pending.remove(least)
            else:
                assert kept is not None
                shown = arrangement[len(levels) + ((2 * next(words) + 1) * unseen >> 53)]
                levels[shown], kept = kept, None
                move_to_seen(arrangement, len(levels), shown)
            kept = None if is_thrown_away else kept
            frontier = levels[shown]
        noise = standard_noise(NoiseKind(given["noise"])).value(levels[shown]) / given["rate"]
        entries.append([shown, noise])
    return {"entries": entries}


def move_to_seen(arrangement: list[int], count: int, item: int) -> None:
    """Exchange a newly seen item with the one at its place."""
    place = arrangement.index(item)
    arrangement[place], arrangement[count - 1] = arrangement[count - 1], item


def test_the_rank_free_oracle_passes() -> None:
    """The definition on a whole list gives the entries of short lists."""
    assert failed_ids(GROUP, "rank-free-oracle", rank_free_entries) == {"rank-free-oracle-huge"}


def test_wrong_rank_free_oracles_are_found() -> None:
    """Oracles that keep the minimum, or divide by m, fail the vectors made for them."""
    keeping = failed_ids(
        GROUP, "rank-free-oracle", lambda v: rank_free_entries(v, is_thrown_away=False)
    )
    dividing = failed_ids(GROUP, "rank-free-oracle", lambda v: rank_free_entries(v, is_left=False))
    assert "rank-free-oracle-mixed" in keeping
    assert "rank-free-oracle-sorted" not in keeping
    assert "rank-free-oracle-sorted" in dividing


def online_entries(vector: Vector, kind: type[Sampler] = Sampler) -> dict[str, Any]:
    """Answer by two arrays and the sampler of 60 digits, on one tape."""
    given = vector.input
    m = given["m"]
    with mpmath.workdps(DIGITS):
        sampler = kind(given["uniforms"])
        known: dict[int, Any] = {0: mpmath.mpf(1), m + 1: mpmath.mpf(0)}
        places = {"positions": list(range(1, m + 1)), "items": list(range(1, m + 1))}
        pairs: dict[int, int] = {}
        entries, delivered = [], 0
        for door, item in given["accesses"]:
            delivered += door == "sorted"
            side, number = ("positions", delivered) if door == "sorted" else ("items", item)
            other = "items" if side == "positions" else "positions"
            if number not in places[side][: len(pairs)]:
                t = len(pairs)
                partner = places[other][t + int(sampler.uniform() * (m - t))]
                move_to_seen(places[side], t + 1, number)
                move_to_seen(places[other], t + 1, partner)
                pairs[places["items"][t]] = places["positions"][t]
            shown = places["items"][places[side].index(number)]
            j = pairs[shown]
            if j not in known:
                left, right = sampler.neighbours(known, j)
                known[j] = sampler.value(j, (left, known[left]), (right, known[right]))
            level = float(-mpmath.log(known[j]))
            entries.append([shown, exact_noise(given["noise"], level) / given["rate"]])
    return {"entries": entries}


@pytest.mark.parametrize(
    "vector", vectors_for(GROUP, "online-oracle"), ids=lambda vector: vector.id
)
def test_the_online_oracle_passes(vector: Vector) -> None:
    """Whole arrays and 60 digits give the entries."""
    assert passes(vector, online_entries)


@pytest.mark.parametrize(
    ("sampler", "hunter"),
    [(NoPredecessor, "online-oracle-random-first"), (WithoutShift, "online-oracle-mixed")],
)
def test_wrong_online_oracles_are_found(sampler: type[Sampler], hunter: str) -> None:
    """An oracle with a wrong sampler fails the vector made for it."""
    assert hunter in failed_ids(
        GROUP, "online-oracle", lambda vector: online_entries(vector, sampler)
    )
