"""What a selection promises, and how much noise a promise needs."""

from fractions import Fraction
from typing import Any, Final

from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group, Tolerance
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
        "the rate under the others; with delta > 0 the k items cost at most k (G (1 + z) - "
        "ln(1 + G)), where k (z - ln(1 + z)) = ln(1/delta), G = 2 (e^(rate D) - 1), and D is 1/2 "
        "under add-remove and 1 under the others. `rho` is the zCDP of the whole selection, null "
        "if unknown."
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


def compare_neighbours(scores: Histogram, other_scores: Histogram) -> Solution:
    """Decide for each relation whether two score lists are neighbours."""
    pairs = zip(scores, other_scores, strict=True)
    return Solution(
        intermediates={"changes": [after - before for before, after in pairs]},
        expected={
            "is_neighbour": {r.value: is_neighbour(scores, other_scores, r) for r in Relation}
        },
        claims=("ours:relations", "model:votes", "erratum:neighbour-relation"),
    )


def find_guarantee(
    noise: NoiseKind, rate: Number, k: int, m: int, relation: Relation, delta: Number
) -> Solution:
    """Find what a selection promises."""
    given = (noise, rate, k, m, relation, delta)
    best = guarantee(*given)
    return Solution(
        intermediates={
            "step_range": range_of_step(rate, relation),
            "guarantees": [members_of(one) for one in guarantees(*given)],
        },
        expected={"epsilon": best.epsilon, "delta": best.delta, "rho": best.rho},
        claims=claims_of(best),
        tolerance=SEARCHED,
    )


def members_of(one: Guarantee) -> dict[str, Any]:
    """Return what is written of one of several guarantees."""
    return {"theorem": one.theorem, "epsilon": one.epsilon, "delta": one.delta}


def claims_of(best: Guarantee) -> tuple[str, ...]:
    """Return the claims that a guarantee rests on."""
    return tuple(dict.fromkeys((best.theorem, "erratum:neighbour-relation")))


def find_rate(
    noise: NoiseKind, total_epsilon: Number, k: int, m: int, relation: Relation, delta: Number
) -> Solution:
    """Find the rate that a promise needs."""
    rate = calibrate(noise, total_epsilon, k, m, relation, delta)
    best = guarantee(noise, rate, k, m, relation, delta)
    return Solution(
        intermediates={"theorem": best.theorem, "epsilon": best.epsilon},
        expected={"rate": rate},
        claims=claims_of(best),
        tolerance=SEARCHED,
    )


def cost_of_step(step_range: float, orders: tuple[float, ...]) -> Solution:
    """Compute what one step costs."""
    return Solution(
        intermediates={"loose_rho": step_range * step_range / 8},
        expected={
            "rho": zcdp_of_step(step_range),
            "log_moments": [log_moment_of_step(step_range, c) for c in orders],
        },
        claims=("ours:bounded-range-zcdp", "ours:bounded-range-renyi"),
        tolerance=CLOSED,
    )


def compose(step_range: float, k: int, delta: float) -> Solution:
    """Compute all composition bounds."""
    given = (step_range, k, delta)
    return Solution(
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


def convert(rho: float, delta: float) -> Solution:
    """Convert from zCDP."""
    return Solution(
        expected={"simple": simple_from_zcdp(rho, delta), "best": best_from_zcdp(rho, delta)},
        claims=("ours:conversion",),
        tolerance=SEARCHED,
    )


def group() -> Group:
    """Return the accounting."""
    return Group(
        name="accounting",
        task="Compute what a selection promises, or the noise that a promise takes, and compare.",
        operations=OPERATIONS,
        vectors=(
            *vectors_of("neighbours", compare_neighbours, PAIRS),
            *vectors_of("guarantee", find_guarantee, GUARANTEES),
            *vectors_of("calibrate", find_rate, BUDGETS),
            *vectors_of("step", cost_of_step, STEPS),
            *vectors_of("composition", compose, COMPOSITIONS),
            *vectors_of("conversion", convert, CONVERSIONS),
        ),
    )


ADD_REMOVE, SWAP, L_INFINITY = Relation
GUMBEL, LAPLACE = NoiseKind
TENTH: Final = Fraction(1, 10)
ORDERS: Final = (0.5, 1.0, 4.0, 64.0)
COMPOSITION: Final = ("ours:bounded-range-zcdp", "ours:bounded-range-renyi", "ours:conversion")

# fmt: off
PAIRS: Final[Cases] = (
    ("id",                   "scores",  "other_scores", "hunts"),
    ("neighbours-one-voter", (1, 3, 0), (2, 4, 0),      "Asking that one score moves only."),
    ("neighbours-both-ways", (1, 3),    (0, 4),         "Calling a swap add/remove."),
    ("neighbours-leaving",   (1, 3),    (0, 3),         "Forgetting clients who leave."),
    ("neighbours-same",      (2, 2),    (2, 2),         "Asking that neighbours differ."),
    ("neighbours-two-votes", (1, 3),    (3, 3),         "Adding up the moves of one score."),
)

GUARANTEES: Final[Cases] = (
    ("id", "noise", "rate", "k", "m", "relation", "delta", "hunts"),
    ("pure-add-remove", GUMBEL, TENTH, 10, 1000, ADD_REMOVE, 0,
     "Counting the budget once for k items, or doubling it without need."),
    ("pure-swap", GUMBEL, TENTH, 10, 1000, SWAP, 0,
     "Forgetting to double the budget where scores move both ways."),
    ("pure-l-infinity", GUMBEL, TENTH, 10, 1000, L_INFINITY, 0,
     "Taking the paper's k epsilon under its wider relation."),
    ("pure-one-item", GUMBEL, 1, 1, 5, ADD_REMOVE, 0,
     "Charging 2 epsilon for one item."),
    ("pure-laplace-add-remove", LAPLACE, TENTH, 10, 1000, ADD_REMOVE, 0,
     "Charging 2k epsilon under add/remove, as the paper states for all."),
    ("pure-laplace-swap", LAPLACE, TENTH, 10, 1000, SWAP, 0,
     "Charging k epsilon where scores move both ways."),
    ("pure-without-delta", GUMBEL, TENTH, 1000, 10**6, ADD_REMOVE, 0,
     "Using an approximate bound though delta = 0."),
    ("approximate-hundred-items", GUMBEL, 0.1, 100, 10**6, ADD_REMOVE, 1e-6,
     "Using a looser composition than the tight one of bounded range."),
    ("approximate-swap", GUMBEL, 0.1, 100, 10**6, SWAP, 1e-6,
     "Doubling the composed epsilon instead of the range of a step."),
    ("approximate-few-items", GUMBEL, 1.0, 2, 100, ADD_REMOVE, 1e-9,
     "Taking a composition bound where k epsilon is smaller."),
    ("approximate-laplace", LAPLACE, TENTH, 100, 1000, ADD_REMOVE, 1e-6,
     "Composing Laplace selections as if they were peeled, or not at all."),
    ("approximate-laplace-l-infinity", LAPLACE, 2.0**-12, 300, 1000, L_INFINITY, 0.05,
     "Taking the paper's 8 epsilon sqrt(k ln(m/delta)), or half the distance."),
    ("approximate-laplace-few-items", LAPLACE, 0.5, 3, 1000, SWAP, 1e-6,
     "Taking the approximate Laplace bound where 2k epsilon is smaller."),
)

BUDGETS: Final[Cases] = (
    ("id",                      "noise", "total_epsilon", "k", "m",   "relation", "delta", "hunts"),
    ("calibrate-pure",          GUMBEL,  1,               10,  1000,  ADD_REMOVE, 0,
     "Giving each item the whole budget."),
    ("calibrate-swap",          GUMBEL,  1,               10,  1000,  SWAP,       0,
     "Sharing the budget without the factor 2."),
    ("calibrate-one-item",      GUMBEL,  0.5,             1,   8,     ADD_REMOVE, 0,
     "Sharing the budget of one item."),
    ("calibrate-approximate",   GUMBEL,  1,               100, 10**6, ADD_REMOVE, 1e-6,
     "Sharing the budget by k though delta allows more."),
    ("calibrate-laplace",       LAPLACE, 1,               10,  1000,  ADD_REMOVE, 0,
     "Sharing by 2k under add/remove."),
    ("calibrate-laplace-delta", LAPLACE, 1,               100, 1000,  L_INFINITY, 1e-6,
     "Letting delta buy less Laplace noise."),
)

STEPS: Final[Cases] = (
    ("id",                  "step_range", "orders", "hunts"),
    ("step-of-range-one",   1.0,          ORDERS,   "Using rho = r^2/8 for the tight 0.1233."),
    ("step-of-small-range", 2.0**-20,     ORDERS,   "Cancelling for a small range."),
    ("step-of-large-range", 2000.0,       ORDERS,   "Overflowing in sinh."),
)

COMPOSITIONS: Final[Cases] = (
    ("id", "step_range", "k", "delta", "claims", "hunts"),
    ("composition-hundred", 0.1, 100, 1e-6,
     (*COMPOSITION, "fact:gumbel-approximate", "erratum:gumbel-approximate"),
     "Taking ln(1/delta) for its root, or base 10 for base e."),
    ("composition-one-step", 0.5, 1, 1e-3, (*COMPOSITION, "erratum:attribution"),
     "Composing for k - 1 steps."),
    ("composition-without-delta", 0.5, 3, 0.0, (*COMPOSITION, "erratum:parameter-ranges"),
     "Dividing by 0, or failing, for delta = 0: all bounds but one are infinite."),
)

CONVERSIONS: Final[Cases] = (
    ("id",                     "rho",  "delta", "hunts"),
    ("conversion-small",       0.1233, 1e-6,
     "Using the simple conversion for the best."),
    ("conversion-large-delta", 1e-4,   0.5,
     "Returning a negative epsilon where (0, delta) holds already."),
)
# fmt: on
