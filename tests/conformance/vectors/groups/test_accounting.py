"""The vectors of accounting: 40 digits, our plan and our call pass, wrong formulas fail."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import optimize

from conformance.support_vectors import failed_ids, passes, vectors_for
from privtopk.conformance.vectors import Vector
from privtopk.impl.plan import plan
from privtopk.impl.top_k import top_k
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from support_accounting import log_moment, rho_of

GROUP = "accounting"


def pairwise_moves(vector: Vector, *, is_one_sided: bool = True) -> dict[str, Any]:
    """Decide by the set of moves; the default is right."""
    moves = {b - a for a, b in zip(*(vector.input[x] for x in LISTS), strict=True)}
    both = moves <= {-1, 0, 1}
    one = not {-1, 1} <= moves or not is_one_sided
    return {"is_neighbour": {"add-remove": both and one, "swap": both, "l-infinity": both}}


LISTS = ("scores", "other_scores")


def test_neighbours_by_their_moves_pass() -> None:
    """The moves of the scores decide on neighbours; without the condition on signs they fail."""
    assert failed_ids(GROUP, "neighbours", pairwise_moves) == set()
    found = failed_ids(GROUP, "neighbours", lambda v: pairwise_moves(v, is_one_sided=False))
    assert found == {"neighbours-both-ways"}


@pytest.mark.parametrize(
    ("is_neighbour", "hunter"),
    [
        (lambda moves: sum(map(abs, moves)) <= 1, "neighbours-one-voter"),
        (lambda moves: min(moves) >= 0 and max(moves) <= 1, "neighbours-leaving"),
        (lambda moves: any(moves) and max(map(abs, moves)) <= 1, "neighbours-same"),
        (lambda moves: sum(map(abs, moves)) <= len(moves), "neighbours-two-votes"),
    ],
)
def test_wrong_neighbours_are_found(is_neighbour: Callable[[list[int]], bool], hunter: str) -> None:
    """Each wrong reading of one client more or less fails the vector made for it."""
    found = failed_ids(
        GROUP,
        "neighbours",
        lambda v: {
            "is_neighbour": {
                **v.expected["is_neighbour"],
                "add-remove": is_neighbour(v.intermediates["changes"]),
            }
        },
    )
    assert hunter in found


def test_steps_of_high_precision_pass() -> None:
    """The closed forms of a step pass with 60 digits."""

    def exact(vector: Vector) -> dict[str, Any]:
        with mpmath.workdps(60):
            r = mpmath.mpf(vector.input["step_range"])
            moments = [float(log_moment(r, mpmath.mpf(c))) for c in vector.input["orders"]]
            return {"rho": float(rho_of(r)), "log_moments": moments}

    assert failed_ids(GROUP, "step", exact) == set()


def test_closed_forms_in_doubles_are_found() -> None:
    """The same formulas in doubles cancel for a small range and overflow for a large one."""

    def careless(vector: Vector) -> dict[str, Any]:
        with np.errstate(over="ignore", invalid="ignore"):
            r = np.float64(vector.input["step_range"])
            x = r / (1 - np.exp(-r))

            def j(y: float) -> Any:
                return y * np.log(np.sinh(r * y / 2) / y)

            moments = [float(j(c + 1) - j(c) - j(1.0)) for c in vector.input["orders"]]
            return {"rho": float(x - 1 - np.log(x)), "log_moments": moments}

    assert failed_ids(GROUP, "step", careless) == {"step-of-small-range", "step-of-large-range"}


def test_a_loose_rho_is_found() -> None:
    """r^2/8 fails if it differs from the tight value."""
    found = failed_ids(GROUP, "step", lambda v: {**v.expected, "rho": v.intermediates["loose_rho"]})
    assert {"step-of-range-one", "step-of-large-range"} <= found


def least_epsilon(log_moment: Callable[[Any], Any], delta: float) -> float:
    """Return the least epsilon over all orders, by scipy's search in the logarithm of c."""
    if delta == 0:
        return float("inf")

    def bound(log_order: float) -> float:
        with mpmath.workdps(40):
            c = mpmath.exp(mpmath.mpf(log_order))
            slack = c * mpmath.log(c / (c + 1)) - mpmath.log(c + 1) - mpmath.log(delta)
            return float((log_moment(c) + slack) / c)

    grid = np.linspace(-8, 14, 89)
    values = [bound(x) for x in grid]
    centre = grid[int(np.argmin(values))]
    found = optimize.minimize_scalar(
        bound, bounds=(centre - 0.5, centre + 0.5), method="bounded", options={"xatol": 1e-7}
    )
    return max(0.0, float(found.fun))


def composition_of(vector: Vector) -> dict[str, Any]:
    """Compute all bounds with 40 digits and scipy's minimum."""
    r, k, delta = (vector.input[name] for name in ("step_range", "k", "delta"))
    log = mpmath.inf if delta == 0 else -mpmath.log(delta)
    return {
        "pure": k * r,
        "printed": float(k * r * mpmath.tanh(r / 2) + r * mpmath.sqrt(k * log)),
        "azuma": float(k * r * r / 8 + r * mpmath.sqrt(k * log / 2)),
        "zcdp": least_epsilon(lambda c: k * rho_of(mpmath.mpf(r)) * c * (c + 1), delta),
        "renyi": least_epsilon(lambda c: k * log_moment(mpmath.mpf(r), c), delta),
    }


def test_compositions_pass() -> None:
    """Closed forms and minima found by scipy agree with the specification."""
    assert failed_ids(GROUP, "composition", composition_of) == set()


def test_conversions_pass() -> None:
    """The conversion of zCDP by scipy's minimum passes."""

    def conversion_of(vector: Vector) -> dict[str, Any]:
        rho, delta = vector.input["rho"], vector.input["delta"]
        simple = float(rho + 2 * mpmath.sqrt(-rho * mpmath.log(delta)))
        return {"simple": simple, "best": least_epsilon(lambda c: rho * c * (c + 1), delta)}

    assert failed_ids(GROUP, "conversion", conversion_of) == set()
    simple = failed_ids(GROUP, "conversion", lambda v: {**v.expected, "best": v.expected["simple"]})
    assert simple == {one.id for one in vectors_for(GROUP, "conversion")}


def noisy_values_of(rate: float, k: int, distance: float, delta: float) -> float:
    """Return the bound of Theorem N for Laplace noise, with a root by mpmath."""
    growth, log_term = 2 * mpmath.expm1(rate * distance), -mpmath.log(delta)
    start = mpmath.sqrt(2 * log_term / k) + log_term / k
    z = mpmath.findroot(lambda z: k * (z - mpmath.log1p(z)) - log_term, start)
    return float(k * (growth * (1 + z) - mpmath.log1p(growth)))


def guarantee_of(
    vector: Vector, *, factor: int = 2, is_shared: bool = True, distance: float | None = None
) -> dict[str, Any]:
    """Compute a guarantee from the definition; each default is right."""
    given = vector.input
    k, rate, delta = (given[name] for name in ("k", "rate", "delta"))
    step = rate * (1 if given["relation"] == "add-remove" else factor)
    bounds = [((k if is_shared else 1) * step, 0.0)]
    if given["noise"] == "laplace":
        if delta:
            moved = distance or float(step / rate) / 2
            bounds.append((noisy_values_of(float(rate), k, moved, delta), delta))
        epsilon, spent = min(bounds)
        return {"epsilon": epsilon, "delta": spent, "rho": None}
    r = mpmath.mpf(float(step))
    if delta:
        bounds.append((least_epsilon(lambda c: k * log_moment(r, c), delta), delta))
    epsilon, spent = min(bounds)
    return {"epsilon": epsilon, "delta": spent, "rho": float(k * rho_of(r))}


def test_guarantees_pass() -> None:
    """The definitions, with scipy's minimum, give every guarantee."""
    assert failed_ids(GROUP, "guarantee", guarantee_of) == set()


def test_a_budget_counted_once_is_found() -> None:
    """Charging one item instead of k fails every pure guarantee of several items."""
    found = failed_ids(GROUP, "guarantee", lambda v: guarantee_of(v, is_shared=False))
    pure = {one.id for one in vectors_for(GROUP, "guarantee") if one.id.startswith("pure-")}
    assert found >= pure - {"pure-one-item"}
    assert "pure-one-item" not in found


def test_a_forgotten_relation_is_found() -> None:
    """Charging the same rate under every relation fails if scores move in both directions."""
    found = failed_ids(GROUP, "guarantee", lambda v: guarantee_of(v, factor=1))
    both_ways = [
        one for one in vectors_for(GROUP, "guarantee") if one.input["relation"] != "add-remove"
    ]
    assert found == {one.id for one in both_ways}


def test_a_wrong_distance_is_found() -> None:
    """Half the distance fails under l-infinity, and the whole distance fails under add/remove."""
    half = failed_ids(GROUP, "guarantee", lambda v: guarantee_of(v, distance=0.5))
    whole = failed_ids(GROUP, "guarantee", lambda v: guarantee_of(v, distance=1.0))
    assert half == {"approximate-laplace-l-infinity"}
    assert whole == {"approximate-laplace"}


def test_rates_spend_the_whole_budget() -> None:
    """The guarantee of the rate is the total, and a rate a little larger exceeds it."""
    for vector in vectors_for(GROUP, "calibrate"):
        given = {**vector.input}
        total = given.pop("total_epsilon")
        for factor, is_within in ((1, True), (1 + 1e-6, False)):
            rate = vector.expected["rate"] * factor
            one = Vector(vector.id, "", "", (), {**given, "rate": rate}, {}, {}, vector.tolerance)
            assert (guarantee_of(one)["epsilon"] <= total * (1 + 1e-9)) is is_within


@pytest.mark.parametrize(
    ("share", "hunters"),
    [
        (lambda given: 1, {"calibrate-pure", "calibrate-laplace"}),
        (lambda given: given["k"], {"calibrate-swap", "calibrate-approximate"}),
        (lambda given: 2 * given["k"], {"calibrate-one-item", "calibrate-laplace"}),
    ],
)
def test_wrong_shares_are_found(share: Callable[[Any], int], hunters: set[str]) -> None:
    """A budget always divided by 1, by k or by 2k fails the vectors made for it."""
    found = failed_ids(
        GROUP, "calibrate", lambda v: {"rate": float(v.input["total_epsilon"]) / share(v.input)}
    )
    assert hunters <= found
    assert found < {one.id for one in vectors_for(GROUP, "calibrate")}


def rate_of_plan(vector: Vector) -> dict[str, Any]:
    """Return the rate that our plan takes."""
    given = vector.input
    made = plan(
        given["m"],
        given["k"],
        epsilon=given["total_epsilon"],
        delta=given["delta"],
        noise=NoiseKind(given["noise"]),
        neighbours=Relation(given["relation"]),
    )
    return {"rate": 1 / made.noise_scale}


@pytest.mark.parametrize("vector", vectors_for(GROUP, "calibrate"), ids=lambda vector: vector.id)
def test_our_plan_passes(vector: Vector) -> None:
    """The plan takes the noise that the budget needs."""
    assert passes(vector, rate_of_plan)


@pytest.mark.parametrize("vector", vectors_for(GROUP, "calibrate"), ids=lambda vector: vector.id)
def test_our_call_promises_what_the_budget_allows(vector: Vector) -> None:
    """The public call names the relation and keeps to the budget."""
    given = vector.input
    selection = top_k(
        np.zeros(min(given["m"], 1000), dtype=np.int64),
        given["k"],
        epsilon=given["total_epsilon"],
        delta=given["delta"],
        noise=given["noise"],
        neighbours=given["relation"],
        rng=1,
    )
    assert selection.guarantee.relation == given["relation"]
    assert selection.guarantee.epsilon <= given["total_epsilon"]
