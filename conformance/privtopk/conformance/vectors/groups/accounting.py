"""What a selection promises, and how much noise a promise takes."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from privtopk.conformance.vectors.vector import EXACT, Group, Tolerance, Vector
from privtopk.spec.accounting.bounded_range import log_moment_of_step, range_of_step, zcdp_of_step
from privtopk.spec.accounting.composition import (
    azuma_composition,
    printed_composition,
    pure_composition,
    renyi_composition,
    zcdp_composition,
)
from privtopk.spec.accounting.conversion import best_from_zcdp, simple_from_zcdp
from privtopk.spec.accounting.guarantee import Guarantee, calibrate, guarantee, guarantees
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.values import Histogram, Number
from privtopk.spec.noise.distributions import NoiseKind

OPERATIONS: Final = {
    "neighbours": (
        "Return for each relation whether the two score lists are neighbours: add-remove if all "
        "scores move the same way by 0 or 1, swap and l-infinity if each moves by at most 1."
    ),
    "guarantee": (
        "Return the smallest epsilon that holds, with the given delta or with delta = 0, for a "
        "selection of k of m items whose noise has the scale 1/rate, by the bounds of "
        "`composition`. Under Laplace noise an item costs the rate under add-remove and twice "
        "the rate under the others, and nothing better is used unless `allow_cited`: then "
        "8 rate sqrt(k ln(m/delta)), if m >= 2, 0 < delta <= 0.05 and that is at most 0.2. "
        "`rho` is the zCDP of the whole selection, null if unknown."
    ),
    "calibrate": (
        "Return the largest rate, 1/scale of the noise, for which the guarantee is at most "
        "total_epsilon with this delta."
    ),
    "step": (
        "Return what one step of loss range r costs: rho = x - 1 - ln x, x = r/(1 - e^-r), and "
        "ln E[e^(c L)] <= J(c + 1) - J(c) - J(1), J(y) = y ln(sinh(r y/2)/y), for each order c."
    ),
    "composition": (
        "Return the epsilon of k steps of loss range r with this delta: pure k r; printed "
        "k r tanh(r/2) + r sqrt(k ln(1/delta)); azuma k r^2/8 + r sqrt(k ln(1/delta)/2); zcdp "
        "and renyi: the smallest over c > 0 of (K(c) + c ln(c/(c + 1)) - ln(c + 1) - "
        "ln(delta))/c, at least 0, with K(c) = k rho c (c + 1) and k times the moment of `step`."
    ),
    "conversion": (
        "Return the epsilon of rho-zCDP with this delta: simple rho + 2 sqrt(rho ln(1/delta)), "
        "and best as in `composition` with K(c) = rho c (c + 1)."
    ),
}

CLOSED: Final = Tolerance(
    2.0**-42, 0.0, "Closed forms; written carelessly they cancel and lose more than this."
)

SEARCHED: Final = Tolerance(
    2.0**-30, 0.0, "A minimum over all orders, found by search; close to it the value is flat."
)

ADD_REMOVE, SWAP, L_INFINITY = Relation
GUMBEL, LAPLACE = NoiseKind


def neighbours(identity: str, hunts: str, first: Histogram, second: Histogram) -> Vector:
    """Return the vector of a pair of score lists."""
    return Vector(
        id=identity,
        operation="neighbours",
        hunts=hunts,
        claims=("ours:relations", "model:votes", "erratum:neighbour-relation"),
        input={"scores": first, "other_scores": second},
        intermediates={
            "changes": [after - before for before, after in zip(first, second, strict=True)]
        },
        expected={"is_neighbour": {r.value: is_neighbour(first, second, r) for r in Relation}},
        tolerance=EXACT,
    )


def promised(
    identity: str,
    hunts: str,
    noise: NoiseKind,
    rate: Number,
    sizes: tuple[int, int],
    relation: Relation,
    delta: Number = 0,
    *,
    allow_cited: bool = False,
) -> Vector:
    """Return the vector of a guarantee; sizes are k and m."""
    k, m = sizes
    given = (noise, rate, k, m, relation, delta)
    best = guarantee(*given, allow_cited=allow_cited)
    return Vector(
        id=identity,
        operation="guarantee",
        hunts=hunts,
        claims=tuple(dict.fromkeys((best.theorem, "erratum:neighbour-relation"))),
        input={
            "noise": noise,
            "rate": rate,
            "k": k,
            "m": m,
            "relation": relation,
            "delta": delta,
            "allow_cited": allow_cited,
        },
        intermediates={
            "step_range": range_of_step(rate, relation),
            "guarantees": [written(one) for one in guarantees(*given)],
        },
        expected={"epsilon": best.epsilon, "delta": best.delta, "rho": best.rho},
        tolerance=SEARCHED,
    )


def written(one: Guarantee) -> dict[str, Any]:
    """Return one of several guarantees."""
    return {
        "theorem": one.theorem,
        "epsilon": one.epsilon,
        "delta": one.delta,
        "is_proved": one.is_proved,
    }


def calibrated(
    identity: str,
    hunts: str,
    noise: NoiseKind,
    total: Number,
    sizes: tuple[int, int],
    relation: Relation,
    delta: Number = 0,
) -> Vector:
    """Return the vector of a rate; sizes are k and m."""
    k, m = sizes
    rate = calibrate(noise, total, k, m, relation, delta)
    best = guarantee(noise, rate, k, m, relation, delta)
    return Vector(
        id=identity,
        operation="calibrate",
        hunts=hunts,
        claims=tuple(dict.fromkeys((best.theorem, "erratum:neighbour-relation"))),
        input={
            "noise": noise,
            "total_epsilon": total,
            "k": k,
            "m": m,
            "relation": relation,
            "delta": delta,
        },
        intermediates={"theorem": best.theorem, "epsilon": best.epsilon},
        expected={"rate": rate},
        tolerance=SEARCHED,
    )


def step(identity: str, hunts: str, step_range: float, orders: tuple[float, ...]) -> Vector:
    """Return the vector of what one step costs."""
    return Vector(
        id=identity,
        operation="step",
        hunts=hunts,
        claims=("ours:bounded-range-zcdp", "ours:bounded-range-renyi"),
        input={"step_range": step_range, "orders": orders},
        intermediates={"loose_rho": step_range * step_range / 8},
        expected={
            "rho": zcdp_of_step(step_range),
            "log_moments": [log_moment_of_step(step_range, c) for c in orders],
        },
        tolerance=CLOSED,
    )


def composed(
    identity: str, hunts: str, claims: tuple[str, ...], step_range: float, k: int, delta: float
) -> Vector:
    """Return the vector of all composition bounds."""
    given = (step_range, k, delta)
    return Vector(
        id=identity,
        operation="composition",
        hunts=hunts,
        claims=claims,
        input={"step_range": step_range, "k": k, "delta": delta},
        intermediates={"rho": zcdp_of_step(step_range)},
        expected={
            "pure": pure_composition(step_range, k),
            "printed": printed_composition(*given),
            "azuma": azuma_composition(*given),
            "zcdp": zcdp_composition(*given),
            "renyi": renyi_composition(*given),
        },
        tolerance=SEARCHED,
    )


def converted(identity: str, hunts: str, rho: float, delta: float) -> Vector:
    """Return the vector of a conversion from zCDP."""
    expected: Mapping[str, float] = {
        "simple": simple_from_zcdp(rho, delta),
        "best": best_from_zcdp(rho, delta),
    }
    return Vector(
        id=identity,
        operation="conversion",
        hunts=hunts,
        claims=("ours:conversion",),
        input={"rho": rho, "delta": delta},
        intermediates={},
        expected=expected,
        tolerance=SEARCHED,
    )


def group() -> Group:
    """Return the accounting."""
    return Group(
        name="accounting",
        task="Compute what a selection promises, or the noise that a promise takes, and compare.",
        operations=OPERATIONS,
        vectors=(*_neighbours(), *_pure(), *_approximate(), *_calibrated(), *_parts()),
    )


def _neighbours() -> tuple[Vector, ...]:
    return (
        neighbours(
            "neighbours-one-voter", "Asking that one score moves only.", (1, 3, 0), (2, 4, 0)
        ),
        neighbours("neighbours-both-ways", "Calling a swap add/remove.", (1, 3), (0, 4)),
        neighbours("neighbours-leaving", "Forgetting clients who leave.", (1, 3), (0, 3)),
        neighbours("neighbours-same", "Asking that neighbours differ.", (2, 2), (2, 2)),
        neighbours("neighbours-two-votes", "Adding up the moves of one score.", (1, 3), (3, 3)),
    )


def _pure() -> tuple[Vector, ...]:
    tenth = Fraction(1, 10)
    return (
        promised(
            "pure-add-remove",
            "Counting the budget once for k items, or doubling it without need.",
            GUMBEL,
            tenth,
            (10, 1000),
            ADD_REMOVE,
        ),
        promised(
            "pure-swap",
            "Forgetting to double the budget where scores move both ways.",
            GUMBEL,
            tenth,
            (10, 1000),
            SWAP,
        ),
        promised(
            "pure-l-infinity",
            "Taking the paper's k epsilon under its wider relation.",
            GUMBEL,
            tenth,
            (10, 1000),
            L_INFINITY,
        ),
        promised(
            "pure-one-item", "Charging 2 epsilon for one item.", GUMBEL, 1, (1, 5), ADD_REMOVE
        ),
        promised(
            "pure-laplace-add-remove",
            "Charging 2k epsilon under add/remove, as the paper states for all.",
            LAPLACE,
            tenth,
            (10, 1000),
            ADD_REMOVE,
        ),
        promised(
            "pure-laplace-swap",
            "Charging k epsilon where scores move both ways.",
            LAPLACE,
            tenth,
            (10, 1000),
            SWAP,
        ),
        promised(
            "pure-laplace-has-no-composition",
            "Composing Laplace selections as if they were peeled.",
            LAPLACE,
            tenth,
            (100, 1000),
            ADD_REMOVE,
            1e-6,
        ),
        promised(
            "pure-without-delta",
            "Using an approximate bound though delta = 0.",
            GUMBEL,
            tenth,
            (1000, 10**6),
            ADD_REMOVE,
        ),
    )


def _approximate() -> tuple[Vector, ...]:
    return (
        promised(
            "approximate-hundred-items",
            "Using a looser composition than the tight one of bounded range.",
            GUMBEL,
            0.1,
            (100, 10**6),
            ADD_REMOVE,
            1e-6,
        ),
        promised(
            "approximate-swap",
            "Doubling the composed epsilon instead of the range of a step.",
            GUMBEL,
            0.1,
            (100, 10**6),
            SWAP,
            1e-6,
        ),
        promised(
            "approximate-few-items",
            "Taking a composition bound where k epsilon is smaller.",
            GUMBEL,
            1.0,
            (2, 100),
            ADD_REMOVE,
            1e-9,
        ),
        promised(
            "approximate-cited-laplace",
            "Using another constant than 8, or a logarithm to another base.",
            LAPLACE,
            2.0**-12,
            (300, 1000),
            L_INFINITY,
            0.05,
            allow_cited=True,
        ),
        promised(
            "approximate-cited-only-if-allowed",
            "Using a cited bound without leave.",
            LAPLACE,
            2.0**-12,
            (300, 1000),
            L_INFINITY,
            0.05,
        ),
        promised(
            "approximate-cited-beyond-its-hypothesis",
            "Using the cited bound though its epsilon exceeds 0.2.",
            LAPLACE,
            0.1,
            (1000, 1000),
            L_INFINITY,
            0.05,
            allow_cited=True,
        ),
    )


def _calibrated() -> tuple[Vector, ...]:
    return (
        calibrated(
            "calibrate-pure",
            "Giving each item the whole budget.",
            GUMBEL,
            1,
            (10, 1000),
            ADD_REMOVE,
        ),
        calibrated(
            "calibrate-swap",
            "Sharing the budget without the factor 2.",
            GUMBEL,
            1,
            (10, 1000),
            SWAP,
        ),
        calibrated(
            "calibrate-one-item", "Sharing the budget of one item.", GUMBEL, 0.5, (1, 8), ADD_REMOVE
        ),
        calibrated(
            "calibrate-approximate",
            "Sharing the budget by k though delta allows more.",
            GUMBEL,
            1,
            (100, 10**6),
            ADD_REMOVE,
            1e-6,
        ),
        calibrated(
            "calibrate-laplace",
            "Sharing by 2k under add/remove.",
            LAPLACE,
            1,
            (10, 1000),
            ADD_REMOVE,
        ),
        calibrated(
            "calibrate-laplace-delta",
            "Letting delta buy less Laplace noise.",
            LAPLACE,
            1,
            (100, 1000),
            L_INFINITY,
            1e-6,
        ),
    )


def _parts() -> tuple[Vector, ...]:
    composition = ("ours:bounded-range-zcdp", "ours:bounded-range-renyi", "ours:conversion")
    orders = (0.5, 1.0, 4.0, 64.0)
    return (
        step("step-of-range-one", "Using rho = r^2/8 for the tight 0.1233.", 1.0, orders),
        step("step-of-small-range", "Cancelling for a small range.", 2.0**-20, orders),
        step("step-of-large-range", "Overflowing in sinh.", 2000.0, orders),
        composed(
            "composition-hundred",
            "Taking ln(1/delta) for its root, or base 10 for base e.",
            (*composition, "fact:gumbel-approximate", "erratum:gumbel-approximate"),
            0.1,
            100,
            1e-6,
        ),
        composed(
            "composition-one-step",
            "Composing for k - 1 steps.",
            (*composition, "erratum:attribution"),
            0.5,
            1,
            1e-3,
        ),
        composed(
            "composition-without-delta",
            "Dividing by 0, or failing, for delta = 0: all bounds but one are infinite.",
            (*composition, "erratum:parameter-ranges"),
            0.5,
            3,
            0.0,
        ),
        converted("conversion-small", "Using the simple conversion for the best.", 0.1233, 1e-6),
        converted(
            "conversion-large-delta",
            "Returning a negative epsilon where (0, delta) holds already.",
            1e-4,
            0.5,
        ),
    )
