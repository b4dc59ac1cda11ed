"""Selections with the noise given: what every algorithm must return when nothing is random."""

import math
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.vectors.numbers import uniform
from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group, Tolerance
from privtopk.spec.algorithms.batched import fixed_prefix, two_phase
from privtopk.spec.algorithms.limited_domain import limited_domain
from privtopk.spec.algorithms.one_shot import noisy_scores, select_with
from privtopk.spec.model.access import Door, StoredList
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Number, exact_sum
from privtopk.spec.noise.distributions import NoiseKind, noise_of, sample
from privtopk.spec.noise.field import ServedNoise

OPERATIONS: Final = {
    "select": (
        "Add noise i to score i without rounding and return the k items with the largest sums, "
        "best first, ties to the smaller item."
    ),
    "select-from-uniforms": (
        "Turn uniform i into the noise of item i by inversion: with E = -ln u, Gumbel noise is "
        "-ln(E)/rate, and Laplace noise is (ln 2 - E)/rate if u < 1/2 and -ln(2 (1 - u))/rate "
        "if not. Then select."
    ),
    "two-phase": (
        "Read the first `prefix` items of the score list, sorted from the largest score down, "
        "ties to the smaller item, and keep the k best sums. The bar is the k-th best sum minus "
        "the last score read; it is null if fewer than k items were read or none is left. Then "
        "read by random access the score of every other item whose noise exceeds the bar, of "
        "every other item if there is none. `candidates` are those items, in ascending order."
    ),
    "limited-domain": (
        "Only the k_bar items with the largest scores enter, ties to the smaller item. Rank them "
        "by score plus noise and return the first k, but only those whose sum exceeds "
        "stop_score + stop_noise."
    ),
}

ITEMS_ONLY: Final = Tolerance(
    0.0,
    0.0,
    "The items are exact: no two sums are closer than 2^-20, so that no rounding of a logarithm "
    "can change their order.",
)


def select(scores: tuple[int, ...], noises: Sequence[Number], k: int) -> Solution:
    """Select with given noise."""
    return Solution(
        intermediates={"sums": noisy_scores(scores, noises)},
        expected={"ranked": select_with(scores, noises, k)},
    )


def select_from_uniforms(
    scores: tuple[int, ...], noise: NoiseKind, rate: float, uniforms: Sequence[int], k: int
) -> Solution:
    """Select with noise that comes from uniforms."""
    tape = tape_of(*map(uniform, uniforms))
    noises = [sample(noise_of(noise, rate), tape) for _ in scores]
    return Solution(
        intermediates={
            "levels": [-math.log(uniform(word)) for word in uniforms],
            "noises": noises,
            "sums": [float(value) for value in noisy_scores(scores, noises)],
        },
        expected={"ranked": select_with(scores, noises, k)},
        claims=("algo:one-shot", "def:noise", "fact:inversion"),
        tolerance=ITEMS_ONLY,
    )


def run_two_phases(
    scores: Sequence[int], noises: Sequence[Number], k: int, prefix: int
) -> Solution:
    """Run the two phases with a fixed prefix."""
    source = StoredList(scores)
    field = ServedNoise(noises, noise_of(NoiseKind.GUMBEL, 1))
    run = two_phase(source, field, k, fixed_prefix(prefix))
    accesses = source.ledger.accesses
    return Solution(
        intermediates={"bar": _bar(scores, noises, k, prefix)},
        expected={
            "ranked": [entry.item for entry in run.selected],
            "delivered": [item for door, item in accesses if door is Door.SORTED],
            "candidates": sorted(item for door, item in accesses if door is Door.RANDOM),
        },
        claims=("ours:batched-exact", "ours:batched-candidates"),
    )


def _bar(scores: Sequence[int], noises: Sequence[Number], k: int, prefix: int) -> Number | None:
    """Return the bar after a prefix: the noise of an unseen item must exceed it."""
    if not k <= prefix < len(scores):
        return None
    source = StoredList(scores)
    seen = [source.sorted_access() for _ in range(prefix)]
    sums = sorted(exact_sum((entry.value, noises[entry.item - 1])) for entry in seen)
    return sums[-k] - seen[-1].value


def select_from_limited_domain(
    scores: tuple[int, ...],
    noises: Sequence[Number],
    k: int,
    k_bar: int,
    stop_score: Number,
    stop_noise: Number,
) -> Solution:
    """Select among the k_bar best items, down to the stop token."""
    stop_sum = exact_sum((stop_score, stop_noise))
    return Solution(
        intermediates={"sums": noisy_scores(scores, noises), "stop_sum": stop_sum},
        expected={"ranked": limited_domain(scores, k, k_bar, stop_score, noises, stop_noise)},
        claims=("rel:limited-domain",),
    )


def group() -> Group:
    """Return all selections."""
    return Group(
        name="served-noise-selections",
        task="Select with the noise that is given and compare the items.",
        operations=OPERATIONS,
        vectors=(
            *vectors_of("select", select, SELECTIONS),
            *vectors_of("select-from-uniforms", select_from_uniforms, DRAWN_SELECTIONS),
            *vectors_of("two-phase", run_two_phases, TWO_PHASES),
            *vectors_of("limited-domain", select_from_limited_domain, LIMITED_DOMAINS),
        ),
    )


ONE_SHOT: Final = ("algo:one-shot",)
TIES: Final = ("algo:one-shot", "erratum:tie-order", "erratum:atoms")

WORDS: Final = [n * 0x9E3779B97F4A7 % 2**52 for n in range(1, 11)]
EDGES: Final = [0, 2**51 - 2**40, 2**51 + 2**40, 2**52 - 1, 2**50, 3 * 2**50]
"""Words of uniforms: scattered, and at the ends and around the median."""

GUMBEL, LAPLACE = NoiseKind
STAIRS: Final = (20, 19, 18, 17, 16, 15, 14, 13, 12, 11)

# fmt: off
SELECTIONS: Final[Cases] = (
    ("id", "scores", "noises", "k", "claims", "hunts"),
    ("select-without-noise", (3, 1, 4, 1, 5, 9, 2, 6), (0,) * 8, 3, ONE_SHOT,
     "Returning the worst items instead of the best, as a released library did."),
    ("select-by-the-sum", (10, 8, 6, 4, 2, 0), (-9, -6, 5, 3, 1, 4), 2, ONE_SHOT,
     "Ranking by score alone, or by noise alone."),
    ("select-subtracts-nothing", (5, 5, 5, 5), (-2, 3, -1, 1), 2, ONE_SHOT,
     "Subtracting the noise: right in law for Laplace noise, wrong item by item."),
    ("select-best-first", (1, 2, 3, 4, 5), (0, 8, 1, 3, 0), 5, ONE_SHOT,
     "Returning a ranked list in ascending order, or in the order of the items."),
    ("select-ties-to-smaller-item", (1, 1, 1, 1, 1), (0, 0, 0, 0, 0), 2, TIES,
     "Breaking ties towards the larger item."),
    ("select-ties-at-the-border", (4, 0, 2, 3, 1), (0, 4, 2, 1, 0), 2, TIES,
     "Breaking a tie between the last item let in and the first left out by its score."),
    ("select-one-of-one", (0,), (-40,), 1, ONE_SHOT,
     "Failing on a list of one item."),
    ("select-all", (2, 0, 1), (0, 0, 0), 3, ONE_SHOT,
     "Leaving out an item when k = m."),
    ("select-negative-sums", (0, 0, 0), (-3, -1, -2), 1, ONE_SHOT,
     "Starting the search for the maximum at 0."),
    ("select-beyond-double-scores", (2**53, 2**53, 2**53), (0.25, 0.5, 0.375), 2, ONE_SHOT,
     "Adding a score of 2^53 and a small noise in doubles."),
    ("select-beyond-double-range", (2**63, 2**63 + 1, 2**63 - 1), (0.5, -0.25, 1.625), 2, ONE_SHOT,
     "Turning scores into doubles that hold no neighbouring whole numbers."),
    ("select-single-precision", (2**24, 2**24 + 1, 2**24), (0.5, 0.0, 0.75), 1, ONE_SHOT,
     "Adding noise in single precision, which cannot tell 2^24 from 2^24 + 1."),
    ("select-truncates-no-noise", (7, 7, 7, 7), (0.25, 0.75, -0.25, 0.5), 2, ONE_SHOT,
     "Rounding the noise to a whole number before it is added."),
    ("select-keeps-last-item", (0, 0, 0, 0, 0, 0, 0, 8), (0,) * 8, 1, ONE_SHOT,
     "Forgetting the last item of the list."),
    ("select-keeps-first-item", (8, 0, 0, 0), (0, 0, 0, 0), 1, ONE_SHOT,
     "Counting items from 0 where the lists count from 1."),
)

DRAWN_SELECTIONS: Final[Cases] = (
    ("id",                         "scores",            "noise", "rate", "uniforms", "k", "hunts"),
    ("drawn-gumbel-scale",         STAIRS,              GUMBEL,  0.125,  WORDS,      3,
     "Multiplying the noise by the rate instead of dividing it."),
    ("drawn-gumbel-sign",          (0,) * 10,           GUMBEL,  1.0,    WORDS,      4,
     "Drawing ln(-ln u), the mirrored Gumbel law."),
    ("drawn-gumbel-upper-tail",    (0,) * 6,            GUMBEL,  2.0,    EDGES,      2,
     "Using 1 - u for u: the largest uniform must give the largest noise."),
    ("drawn-laplace-scale",        STAIRS,              LAPLACE, 0.125,  WORDS,      3,
     "Multiplying Laplace noise by the rate, or taking 2/rate for its scale."),
    ("drawn-laplace-branches",     (0,) * 6,            LAPLACE, 1.0,    EDGES,      3,
     "Taking one branch of the Laplace law for both sides of the median."),
    ("drawn-laplace-is-no-gumbel", (10, 2, 1, 2, 0, 1), LAPLACE, 1.0,    EDGES,      3,
     "Drawing Gumbel noise whatever noise is asked for."),
)

TWO_PHASES: Final[Cases] = (
    ("id", "scores", "noises", "k", "prefix", "hunts"),
    ("two-phase-bar", (9, 8, 7, 6, 5, 4, 3, 2, 1, 0), (0, 2, 1, 0, 8, -3, 5, 9, 1, 4), 2, 4,
     "Taking the best sum for the bar, not the k-th best, so that candidates are missed."),
    ("two-phase-last-score", (9, 8, 7, 6, 5, 4, 3, 2, 1, 0), (0, 2, 1, 0, 3, -3, 5, 4, 1, 4), 2, 3,
     "Subtracting the first score read from the bar instead of the last."),
    ("two-phase-strict-bar", (5, 4, 3, 3, 3), (0, 1, 0, 2, 3), 1, 3,
     "Letting in items whose noise equals the bar: with a continuous law they cost "
     "accesses and win nothing."),
    ("two-phase-everything-read", (3, 1, 2), (0, 5, 1), 2, 3,
     "Asking for candidates though the prefix is the whole list."),
    ("two-phase-short-prefix", (3, 1, 2, 0), (0, 0, 0, 9), 2, 1,
     "Building a bar from fewer than k items."),
    ("two-phase-no-prefix", (0, 2, 1), (3, 0, 1), 1, 0,
     "Failing when nothing is read by sorted access."),
    ("two-phase-no-candidates", (50, 40, 30, 2, 1), (0, 0, 0, 1, 2), 2, 3,
     "Reading by random access though no unseen noise exceeds the bar."),
    ("two-phase-flat-scores", (4, 4, 4, 4, 4, 4), (2, 5, 1, 3, 6, 4), 2, 3,
     "Reading an item of the prefix again when all scores are equal."),
    ("two-phase-huge-scores", (2**60,) * 4, (0.25, 0.125, 0.1875, 0.3125), 1, 2,
     "Computing the bar in doubles, where 2^60 + 1/4 - 2^60 is 0."),
)

LIMITED_DOMAINS: Final[Cases] = (
    ("id", "scores", "noises", "k", "k_bar", "stop_score", "stop_noise", "hunts"),
    ("limited-domain-excludes-low-items", (9, 7, 5, 3, 1), (0, 1, 2, 9, 9), 2, 3, 4, 0,
     "Letting an item below the true top k_bar win by its noise."),
    ("limited-domain-returns-fewer", (9, 7, 5, 3, 1), (0, -4, 2, 0, 0), 3, 3, 6, 0.5,
     "Filling the selection up to k items below the stop token."),
    ("limited-domain-token-has-noise", (9, 7, 5, 3, 1), (0, 0, 0, 0, 0), 2, 3, 6, 4,
     "Comparing with the score of the stop token without its noise."),
    ("limited-domain-whole", (9, 7, 5, 3, 1), (0, 0, 0, 0, 12), 2, 5, -math.inf, 3,
     "Stopping at a token though k_bar = m has none."),
)
# fmt: on
