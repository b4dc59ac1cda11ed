"""Parameters that must be refused, with the reason, and some that must not be."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar

from privtopk.conformance.vectors.vector import EXACT, Group, Vector
from privtopk.spec.accounting.guarantee import calibrate, guarantee
from privtopk.spec.algorithms.one_shot import one_shot_ranked, one_shot_set
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.noise.distributions import NoiseKind, noise_of
from privtopk.spec.noise.permutation import LazyPermutation
from privtopk.spec.upper_bounds.batched import cheapest_prefix

Member = TypeVar("Member", bound=StrEnum)

OPERATIONS: Final = {
    "select": (
        "Ask for k items of the scores with noise of scale 1/rate, as a ranked list if "
        "`is_ranked`, else as a set."
    ),
    "guarantee": "Ask what a selection promises, as in the group accounting.",
    "calibrate": "Ask for the rate that a promise takes, as in the group accounting.",
    "cheapest-prefix": "Ask for the cheapest prefix, as in the group bounds.",
    "random-access": "Ask a list for the value of an item.",
    "sorted-access": "Ask a list for its next entry as often as `count` says.",
    "item-at": "Ask a permutation of m for the item at a position.",
    "uniform": "Take a number for a uniform.",
}


def select(scores: Sequence[Any], k: Any, rate: Any, noise: Any, is_ranked: bool) -> None:
    """Make a selection."""
    selected = one_shot_ranked if is_ranked else one_shot_set
    selected(tuple(scores), k, noise_of(_member(noise, NoiseKind), rate), seeded_tape(0))


def promise(noise: Any, rate: Any, k: Any, m: Any, relation: Any, delta: Any) -> None:
    """Ask for a guarantee."""
    guarantee(_member(noise, NoiseKind), rate, k, m, _member(relation, Relation), delta)


def rate_for(noise: Any, total_epsilon: Any, k: Any, m: Any, relation: Any, delta: Any) -> None:
    """Ask for a rate."""
    calibrate(_member(noise, NoiseKind), total_epsilon, k, m, _member(relation, Relation), delta)


def read_random(scores: Sequence[Any], item: Any) -> None:
    """Read one value of a list."""
    StoredList(scores).random_access(item)


def read_sorted(scores: Sequence[Any], count: int) -> None:
    """Read some entries of a list."""
    stored = StoredList(scores)
    for _ in range(count):
        stored.sorted_access()


def item_at(m: Any, position: Any) -> None:
    """Ask for the item at a position."""
    LazyPermutation(m, seeded_tape(0)).item_at(position)


def take_uniform(u: Any) -> None:
    """Take a number for a uniform."""
    tape_of(u).uniform()


CALLS: Final[Mapping[str, Callable[..., object]]] = {
    "select": select,
    "guarantee": promise,
    "calibrate": rate_for,
    "cheapest-prefix": cheapest_prefix,
    "random-access": read_random,
    "sorted-access": read_sorted,
    "item-at": item_at,
    "uniform": take_uniform,
}


def _member(name: Any, kind: type[Member]) -> Any:
    """Return the member of an enumeration that a name stands for, or the name itself."""
    return kind(name) if name in list(kind) else name


def verdict(
    identity: str, hunts: str, claims: tuple[str, ...], operation: str, **given: Any
) -> Vector:
    """Return the vector of one call: refused with a reason, or accepted."""
    reason, message = None, None
    try:
        CALLS[operation](**given)
    except SelectionError as error:
        reason, message = error.reason, str(error)
    return Vector(
        id=identity,
        operation=operation,
        hunts=hunts,
        claims=claims,
        input=given,
        intermediates={"message": message},
        expected={"is_accepted": reason is None, "reason": reason},
        tolerance=EXACT,
    )


SELECT: Final = {
    "scores": (3, 1, 2),
    "k": 2,
    "rate": 1,
    "noise": NoiseKind.GUMBEL.value,
    "is_ranked": False,
}
PROMISE: Final = {
    "noise": NoiseKind.GUMBEL.value,
    "rate": 1,
    "k": 2,
    "m": 5,
    "relation": Relation.ADD_REMOVE.value,
    "delta": 0,
}
RATE: Final = {
    "noise": NoiseKind.GUMBEL.value,
    "total_epsilon": 1,
    "k": 2,
    "m": 5,
    "relation": Relation.ADD_REMOVE.value,
    "delta": 0,
}
"""Parameters that are accepted; a vector changes one of them."""

RANGES: Final = ("erratum:parameter-ranges",)
EDGES: Final = ("erratum:threshold-edge-cases",)


def group() -> Group:
    """Return all rejections."""
    return Group(
        name="rejections",
        task=(
            "Make the call and compare whether it is refused, and for which reason, before any "
            "score is read; the reason depends on parameters only and the message is for people. "
            "A text that is no number by the conventions is a text of the caller."
        ),
        operations=OPERATIONS,
        vectors=(*_sizes(), *_budgets(), *_choices(), *_scores(), *_others(), *_accepted()),
    )


def _sizes() -> tuple[Vector, ...]:
    return (
        verdict("reject-k-zero", "Returning an empty set.", EDGES, "select", **SELECT | {"k": 0}),
        verdict(
            "reject-k-negative",
            "Slicing from the end: the last items are returned.",
            EDGES,
            "select",
            **SELECT | {"k": -1},
        ),
        verdict(
            "reject-k-above-m",
            "Reading past the end, or returning fewer than k items.",
            EDGES,
            "select",
            **SELECT | {"k": 4},
        ),
        verdict("reject-k-fraction", "Rounding k.", EDGES, "select", **SELECT | {"k": 1.5}),
        verdict(
            "reject-k-whole-double",
            "Taking a double for a whole number.",
            EDGES,
            "select",
            **SELECT | {"k": 2.0},
        ),
        verdict("reject-k-boolean", "Taking true for 1.", EDGES, "select", **SELECT | {"k": True}),
        verdict(
            "reject-k-missing",
            "Taking null for a default.",
            EDGES,
            "select",
            **SELECT | {"k": None},
        ),
        verdict(
            "reject-empty-domain",
            "Failing late, or looping.",
            EDGES,
            "select",
            **SELECT | {"scores": ()},
        ),
        verdict("reject-m-zero", "Dividing by m.", EDGES, "guarantee", **PROMISE | {"m": 0}),
        verdict(
            "reject-guarantee-k-above-m",
            "Promising something for a selection that cannot be.",
            EDGES,
            "guarantee",
            **PROMISE | {"k": 6},
        ),
    )


def _budgets() -> tuple[Vector, ...]:
    return (
        verdict("reject-rate-zero", "Dividing by 0.", RANGES, "select", **SELECT | {"rate": 0}),
        verdict(
            "reject-rate-negative",
            "Turning the noise upside down.",
            RANGES,
            "select",
            **SELECT | {"rate": -1},
        ),
        verdict(
            "reject-rate-infinite",
            "Adding no noise at all.",
            RANGES,
            "select",
            **SELECT | {"rate": math.inf},
        ),
        verdict(
            "reject-rate-nan",
            "Letting NaN through a comparison that is written the wrong way round.",
            RANGES,
            "select",
            **SELECT | {"rate": math.nan},
        ),
        verdict(
            "reject-rate-without-scale",
            "Dividing by a number so small that the scale is infinite.",
            RANGES,
            "select",
            **SELECT | {"rate": 2.0**-1074},
        ),
        verdict(
            "reject-rate-text", "Comparing a text.", RANGES, "select", **SELECT | {"rate": "one"}
        ),
        verdict(
            "reject-total-zero",
            "Sharing nothing.",
            RANGES,
            "calibrate",
            **RATE | {"total_epsilon": 0},
        ),
        verdict(
            "reject-total-nan",
            "Searching for ever with NaN.",
            RANGES,
            "calibrate",
            **RATE | {"total_epsilon": math.nan},
        ),
        verdict(
            "reject-total-tiny",
            "Returning a rate of 0 for a budget too small to be shared.",
            RANGES,
            "calibrate",
            **RATE | {"total_epsilon": 2.0**-1074},
        ),
        verdict(
            "reject-delta-negative",
            "Taking the logarithm of a negative number.",
            RANGES,
            "guarantee",
            **PROMISE | {"delta": -0.5},
        ),
        verdict(
            "reject-delta-one", "Promising nothing.", RANGES, "guarantee", **PROMISE | {"delta": 1}
        ),
        verdict(
            "reject-delta-nan",
            "Letting NaN through.",
            RANGES,
            "guarantee",
            **PROMISE | {"delta": math.nan},
        ),
        verdict(
            "reject-calibrate-delta",
            "Checking delta in one of two places.",
            RANGES,
            "calibrate",
            **RATE | {"delta": Fraction(3, 2)},
        ),
    )


def _choices() -> tuple[Vector, ...]:
    ranked = ("rem:ranked-release",)
    relation = ("erratum:neighbour-relation",)
    return (
        verdict(
            "reject-ranked-laplace",
            "Releasing the order under Laplace noise, which its approximate guarantee forbids.",
            ranked,
            "select",
            **SELECT | {"noise": "laplace", "is_ranked": True},
        ),
        verdict(
            "reject-unknown-noise",
            "Falling back to a default noise.",
            ("def:noise",),
            "select",
            **SELECT | {"noise": "gaussian"},
        ),
        verdict(
            "reject-unknown-relation",
            "Falling back to a default relation, and to half of the noise.",
            relation,
            "guarantee",
            **PROMISE | {"relation": "substitute"},
        ),
        verdict(
            "reject-missing-relation",
            "Promising something without a relation.",
            relation,
            "calibrate",
            **RATE | {"relation": None},
        ),
    )


def _scores() -> tuple[Vector, ...]:
    votes = ("model:votes",)
    return (
        verdict(
            "reject-negative-score",
            "Taking a negative number of votes.",
            votes,
            "select",
            **SELECT | {"scores": (3, -1, 2)},
        ),
        verdict(
            "reject-fractional-score",
            "Rounding a score, or taking it as it is: the sensitivity is no longer 1.",
            votes,
            "select",
            **SELECT | {"scores": (3, 0.5, 2)},
        ),
        verdict(
            "reject-nan-score",
            "Sorting NaN, which lands anywhere.",
            votes,
            "select",
            **SELECT | {"scores": (3, math.nan, 2)},
        ),
        verdict(
            "reject-missing-score",
            "Taking null for 0.",
            votes,
            "select",
            **SELECT | {"scores": (3, None, 2)},
        ),
        verdict(
            "reject-boolean-score",
            "Taking true for one vote.",
            votes,
            "select",
            **SELECT | {"scores": (3, True, 2)},
        ),
    )


def _others() -> tuple[Vector, ...]:
    access = ("model:random-access",)
    prices = {"m": 100, "k": 5, "sorted_cost": 1, "random_cost": 1}
    uniforms = ("erratum:quantile", "fact:inversion")
    return (
        verdict(
            "reject-item-zero",
            "Counting items from 0: the last one is returned.",
            access,
            "random-access",
            scores=(3, 1, 2),
            item=0,
        ),
        verdict(
            "reject-item-above-m",
            "Reading past the end.",
            access,
            "random-access",
            scores=(3, 1, 2),
            item=4,
        ),
        verdict(
            "reject-exhausted-list",
            "Starting again at the top, or delivering the last item twice.",
            ("model:sorted-access",),
            "sorted-access",
            scores=(3, 1, 2),
            count=4,
        ),
        verdict(
            "reject-position-zero",
            "Counting positions from 0.",
            ("erratum:feasible",),
            "item-at",
            m=5,
            position=0,
        ),
        verdict(
            "reject-position-above-m",
            "Taking the virtual end m + 1 for a position.",
            ("erratum:feasible",),
            "item-at",
            m=5,
            position=6,
        ),
        verdict(
            "reject-cost-zero",
            "Dividing by a price.",
            ("ours:unequal-costs",),
            "cheapest-prefix",
            **prices | {"sorted_cost": 0},
        ),
        verdict(
            "reject-cost-negative",
            "Taking the root of a negative number.",
            ("ours:unequal-costs",),
            "cheapest-prefix",
            **prices | {"random_cost": -1},
        ),
        verdict(
            "reject-cost-infinite",
            "Adding up infinite prices.",
            ("ours:unequal-costs",),
            "cheapest-prefix",
            **prices | {"random_cost": math.inf},
        ),
        verdict(
            "reject-uniform-zero",
            "Taking the logarithm of 0: an infinite noise.",
            uniforms,
            "uniform",
            u=0.0,
        ),
        verdict(
            "reject-uniform-one",
            "Taking 1, whose level is 0 and whose noise is infinite.",
            uniforms,
            "uniform",
            u=1.0,
        ),
    )


def _accepted() -> tuple[Vector, ...]:
    return (
        verdict("accept-k-one", "Refusing k = 1.", EDGES, "select", **SELECT | {"k": 1}),
        verdict("accept-k-equal-m", "Refusing k = m.", EDGES, "select", **SELECT | {"k": 3}),
        verdict(
            "accept-one-item",
            "Refusing m = 1.",
            EDGES,
            "select",
            **SELECT | {"scores": (7,), "k": 1},
        ),
        verdict(
            "accept-zero-scores",
            "Refusing items without votes: they can be selected.",
            ("model:votes",),
            "select",
            **SELECT | {"scores": (0, 0, 0)},
        ),
        verdict(
            "accept-huge-scores",
            "Refusing scores beyond every double: that would reveal them.",
            ("model:votes",),
            "select",
            **SELECT | {"scores": (2**2000, 1, 0)},
        ),
        verdict(
            "accept-ranked-gumbel",
            "Refusing the ranked list under Gumbel noise.",
            ("rem:ranked-release",),
            "select",
            **SELECT | {"is_ranked": True},
        ),
        verdict(
            "accept-laplace-set",
            "Refusing Laplace noise for a set.",
            ("rem:ranked-release",),
            "select",
            **SELECT | {"noise": "laplace"},
        ),
        verdict("accept-delta-zero", "Asking for delta > 0.", RANGES, "guarantee", **PROMISE),
        verdict(
            "accept-large-epsilon",
            "Refusing a large epsilon as useless.",
            RANGES,
            "guarantee",
            **PROMISE | {"rate": 1000},
        ),
        verdict(
            "accept-fraction-rate",
            "Refusing an exact rate.",
            RANGES,
            "select",
            **SELECT | {"rate": Fraction(1, 3)},
        ),
        verdict(
            "accept-last-entry",
            "Refusing the last entry of a list.",
            ("model:sorted-access",),
            "sorted-access",
            scores=(3, 1, 2),
            count=3,
        ),
        verdict(
            "accept-smallest-uniform",
            "Refusing the smallest uniform, 2^-53.",
            ("fact:inversion",),
            "uniform",
            u=2.0**-53,
        ),
    )
