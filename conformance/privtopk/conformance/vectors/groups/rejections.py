"""Parameters that must be refused, with the reason, and some that must be accepted."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, TypeVar

from privtopk.conformance.vectors.tables import Cases
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
    mechanism = one_shot_ranked if is_ranked else one_shot_set
    mechanism(tuple(scores), k, noise_of(_member(noise, NoiseKind), rate), seeded_tape(0))


def ask_for_guarantee(noise: Any, rate: Any, k: Any, m: Any, relation: Any, delta: Any) -> None:
    """Ask for a guarantee."""
    guarantee(_member(noise, NoiseKind), rate, k, m, _member(relation, Relation), delta)


def ask_for_rate(noise: Any, total_epsilon: Any, k: Any, m: Any, relation: Any, delta: Any) -> None:
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
    "guarantee": ask_for_guarantee,
    "calibrate": ask_for_rate,
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
    identity: str, operation: str, change: dict[str, Any], claims: tuple[str, ...], hunts: str
) -> Vector:
    """Return the vector of one call: refused with a reason, or accepted."""
    given = USUAL[operation] | change
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


def group() -> Group:
    """Return all rejections."""
    _header, *rows = CALLS_TO_JUDGE
    return Group(
        name="rejections",
        task=(
            "Make the call and compare whether it is refused, and for which reason, before any "
            "score is read; the reason depends on parameters only and the message is for people. "
            "A text that is no number by the conventions is a text of the caller."
        ),
        operations=OPERATIONS,
        vectors=tuple(verdict(*row) for row in rows),
    )


EDGES: Final = ("erratum:threshold-edge-cases",)
RANGES: Final = ("erratum:parameter-ranges",)
RANKED: Final = ("rem:ranked-release",)
RELATION: Final = ("erratum:neighbour-relation",)
VOTES: Final = ("model:votes",)
ITEMS: Final = ("model:random-access",)
ENTRIES: Final = ("model:sorted-access",)
POSITIONS: Final = ("erratum:feasible",)
PRICES: Final = ("ours:unequal-costs",)
UNIFORMS: Final = ("erratum:quantile", "fact:inversion")

# fmt: off
USUAL: Final[Mapping[str, dict[str, Any]]] = {
    "select": {"scores": (3, 1, 2), "k": 2, "rate": 1, "noise": "gumbel", "is_ranked": False},
    "guarantee": {
        "noise": "gumbel", "rate": 1, "k": 2, "m": 5, "relation": "add-remove", "delta": 0,
    },
    "calibrate": {
        "noise": "gumbel", "total_epsilon": 1, "k": 2, "m": 5, "relation": "add-remove", "delta": 0,
    },
    "cheapest-prefix": {"m": 100, "k": 5, "sorted_cost": 1, "random_cost": 1},
    "random-access": {"scores": (3, 1, 2), "item": 1},
    "sorted-access": {"scores": (3, 1, 2), "count": 1},
    "item-at": {"m": 5, "position": 1},
    "uniform": {"u": 0.5},
}
"""Parameters that are accepted; a row changes some of them."""

CALLS_TO_JUDGE: Final[Cases] = (
    ("id", "operation", "change", "claims", "hunts"),

    # sizes
    ("reject-k-zero", "select", {"k": 0}, EDGES, "Returning an empty set."),
    ("reject-k-negative", "select", {"k": -1}, EDGES,
     "Slicing from the end: the last items are returned."),
    ("reject-k-above-m", "select", {"k": 4}, EDGES,
     "Reading past the end, or returning fewer than k items."),
    ("reject-k-fraction", "select", {"k": 1.5}, EDGES, "Rounding k."),
    ("reject-k-whole-double", "select", {"k": 2.0}, EDGES, "Taking a double for a whole number."),
    ("reject-k-boolean", "select", {"k": True}, EDGES, "Taking true for 1."),
    ("reject-k-missing", "select", {"k": None}, EDGES, "Taking null for a default."),
    ("reject-empty-domain", "select", {"scores": ()}, EDGES, "Failing late, or looping."),
    ("reject-m-zero", "guarantee", {"m": 0}, EDGES, "Dividing by m."),
    ("reject-guarantee-k-above-m", "guarantee", {"k": 6}, EDGES,
     "Promising something for a selection that cannot be."),

    # budgets
    ("reject-rate-zero", "select", {"rate": 0}, RANGES, "Dividing by 0."),
    ("reject-rate-negative", "select", {"rate": -1}, RANGES, "Turning the noise upside down."),
    ("reject-rate-infinite", "select", {"rate": math.inf}, RANGES, "Adding no noise at all."),
    ("reject-rate-nan", "select", {"rate": math.nan}, RANGES,
     "Letting NaN through a comparison that is written the wrong way round."),
    ("reject-rate-without-scale", "select", {"rate": 2.0**-1074}, RANGES,
     "Dividing by a number so small that the scale is infinite."),
    ("reject-rate-text", "select", {"rate": "one"}, RANGES, "Comparing a text."),
    ("reject-total-zero", "calibrate", {"total_epsilon": 0}, RANGES, "Sharing nothing."),
    ("reject-total-nan", "calibrate", {"total_epsilon": math.nan}, RANGES,
     "Searching for ever with NaN."),
    ("reject-total-tiny", "calibrate", {"total_epsilon": 2.0**-1074}, RANGES,
     "Returning a rate of 0 for a budget too small to be shared."),
    ("reject-delta-negative", "guarantee", {"delta": -0.5}, RANGES,
     "Taking the logarithm of a negative number."),
    ("reject-delta-one", "guarantee", {"delta": 1}, RANGES, "Promising nothing."),
    ("reject-delta-nan", "guarantee", {"delta": math.nan}, RANGES, "Letting NaN through."),
    ("reject-calibrate-delta", "calibrate", {"delta": Fraction(3, 2)}, RANGES,
     "Checking delta in one of two places."),

    # choices
    ("reject-ranked-laplace", "select", {"noise": "laplace", "is_ranked": True}, RANKED,
     "Releasing the order under Laplace noise, which its approximate guarantee forbids."),
    ("reject-unknown-noise", "select", {"noise": "gaussian"}, ("def:noise",),
     "Falling back to a default noise."),
    ("reject-unknown-relation", "guarantee", {"relation": "substitute"}, RELATION,
     "Falling back to a default relation, and to half of the noise."),
    ("reject-missing-relation", "calibrate", {"relation": None}, RELATION,
     "Promising something without a relation."),

    # scores
    ("reject-negative-score", "select", {"scores": (3, -1, 2)}, VOTES,
     "Taking a negative number of votes."),
    ("reject-fractional-score", "select", {"scores": (3, 0.5, 2)}, VOTES,
     "Rounding a score, or taking it as it is: the sensitivity is no longer 1."),
    ("reject-nan-score", "select", {"scores": (3, math.nan, 2)}, VOTES,
     "Sorting NaN, which lands anywhere."),
    ("reject-missing-score", "select", {"scores": (3, None, 2)}, VOTES, "Taking null for 0."),
    ("reject-boolean-score", "select", {"scores": (3, True, 2)}, VOTES,
     "Taking true for one vote."),

    # accesses, prices and uniforms
    ("reject-item-zero", "random-access", {"item": 0}, ITEMS,
     "Counting items from 0: the last one is returned."),
    ("reject-item-above-m", "random-access", {"item": 4}, ITEMS, "Reading past the end."),
    ("reject-exhausted-list", "sorted-access", {"count": 4}, ENTRIES,
     "Starting again at the top, or delivering the last item twice."),
    ("reject-position-zero", "item-at", {"position": 0}, POSITIONS, "Counting positions from 0."),
    ("reject-position-above-m", "item-at", {"position": 6}, POSITIONS,
     "Taking the virtual end m + 1 for a position."),
    ("reject-cost-zero", "cheapest-prefix", {"sorted_cost": 0}, PRICES, "Dividing by a price."),
    ("reject-cost-negative", "cheapest-prefix", {"random_cost": -1}, PRICES,
     "Taking the root of a negative number."),
    ("reject-cost-infinite", "cheapest-prefix", {"random_cost": math.inf}, PRICES,
     "Adding up infinite prices."),
    ("reject-uniform-zero", "uniform", {"u": 0.0}, UNIFORMS,
     "Taking the logarithm of 0: an infinite noise."),
    ("reject-uniform-one", "uniform", {"u": 1.0}, UNIFORMS,
     "Taking 1, whose level is 0 and whose noise is infinite."),

    # what must be accepted
    ("accept-k-one", "select", {"k": 1}, EDGES, "Refusing k = 1."),
    ("accept-k-equal-m", "select", {"k": 3}, EDGES, "Refusing k = m."),
    ("accept-one-item", "select", {"scores": (7,), "k": 1}, EDGES, "Refusing m = 1."),
    ("accept-zero-scores", "select", {"scores": (0, 0, 0)}, VOTES,
     "Refusing items without votes: they can be selected."),
    ("accept-huge-scores", "select", {"scores": (2**2000, 1, 0)}, VOTES,
     "Refusing scores beyond every double: that would reveal them."),
    ("accept-ranked-gumbel", "select", {"is_ranked": True}, RANKED,
     "Refusing the ranked list under Gumbel noise."),
    ("accept-laplace-set", "select", {"noise": "laplace"}, RANKED,
     "Refusing Laplace noise for a set."),
    ("accept-delta-zero", "guarantee", {}, RANGES, "Asking for delta > 0."),
    ("accept-large-epsilon", "guarantee", {"rate": 1000}, RANGES,
     "Refusing a large epsilon as useless."),
    ("accept-fraction-rate", "select", {"rate": Fraction(1, 3)}, RANGES, "Refusing an exact rate."),
    ("accept-last-entry", "sorted-access", {"count": 3}, ENTRIES,
     "Refusing the last entry of a list."),
    ("accept-smallest-uniform", "uniform", {"u": 2.0**-53}, ("fact:inversion",),
     "Refusing the smallest uniform, 2^-53."),
)
# fmt: on
