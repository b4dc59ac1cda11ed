"""Selections with the noise given: what every algorithm must return when nothing is random."""

import math
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.vectors.numbers import uniform
from privtopk.conformance.vectors.vector import EXACT, Group, Tolerance, Vector
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


def selection(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    scores: Sequence[int],
    noises: Sequence[Number],
    k: int,
) -> Vector:
    """Return the vector of a selection with given noise."""
    histogram = tuple(scores)
    return Vector(
        id=identity,
        operation="select",
        hunts=hunts,
        claims=claims,
        input={"scores": scores, "noises": noises, "k": k},
        intermediates={"sums": noisy_scores(histogram, noises)},
        expected={"ranked": select_with(histogram, noises, k)},
        tolerance=EXACT,
    )


def drawn_selection(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    scores: tuple[int, ...],
    noise: NoiseKind,
    rate: float,
    words: Sequence[int],
    k: int,
) -> Vector:
    """Return the vector of a selection whose noise comes from uniforms."""
    tape = tape_of(*map(uniform, words))
    noises = [sample(noise_of(noise, rate), tape) for _ in scores]
    return Vector(
        id=identity,
        operation="select-from-uniforms",
        hunts=hunts,
        claims=claims,
        input={"scores": scores, "noise": noise, "rate": rate, "uniforms": words, "k": k},
        intermediates={
            "levels": [-math.log(uniform(word)) for word in words],
            "noises": noises,
            "sums": [float(value) for value in noisy_scores(scores, noises)],
        },
        expected={"ranked": select_with(scores, noises, k)},
        tolerance=ITEMS_ONLY,
    )


def two_phases(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    scores: Sequence[int],
    noises: Sequence[Number],
    k: int,
    prefix: int,
) -> Vector:
    """Return the vector of a two-phase run with a fixed prefix."""
    source = StoredList(scores)
    field = ServedNoise(noises, noise_of(NoiseKind.GUMBEL, 1))
    run = two_phase(source, field, k, fixed_prefix(prefix))
    accesses = source.ledger.accesses
    return Vector(
        id=identity,
        operation="two-phase",
        hunts=hunts,
        claims=claims,
        input={"scores": scores, "noises": noises, "k": k, "prefix": prefix},
        intermediates={"bar": _bar(scores, noises, k, prefix)},
        expected={
            "ranked": [entry.item for entry in run.selected],
            "delivered": [item for door, item in accesses if door is Door.SORTED],
            "candidates": sorted(item for door, item in accesses if door is Door.RANDOM),
        },
        tolerance=EXACT,
    )


def _bar(scores: Sequence[int], noises: Sequence[Number], k: int, prefix: int) -> Number | None:
    """Return what the noise of an unseen item must exceed after a prefix, if there is a bar."""
    if not k <= prefix < len(scores):
        return None
    source = StoredList(scores)
    seen = [source.sorted_access() for _ in range(prefix)]
    sums = sorted(exact_sum((entry.value, noises[entry.item - 1])) for entry in seen)
    return sums[-k] - seen[-1].value


def limited(
    identity: str,
    hunts: str,
    scores: tuple[int, ...],
    noises: Sequence[Number],
    k: int,
    k_bar: int,
    stop: tuple[Number, Number],
) -> Vector:
    """Return the vector of a limited-domain selection; `stop` is the token's score and noise."""
    return Vector(
        id=identity,
        operation="limited-domain",
        hunts=hunts,
        claims=("rel:limited-domain",),
        input={
            "scores": scores,
            "noises": noises,
            "k": k,
            "k_bar": k_bar,
            "stop_score": stop[0],
            "stop_noise": stop[1],
        },
        intermediates={"sums": noisy_scores(scores, noises), "stop_sum": exact_sum(stop)},
        expected={"ranked": limited_domain(scores, k, k_bar, stop[0], noises, stop[1])},
        tolerance=EXACT,
    )


def group() -> Group:
    """Return all selections."""
    return Group(
        name="served-noise-selections",
        task="Select with the noise that is given and compare the items.",
        operations=OPERATIONS,
        vectors=(*_selections(), *_drawn(), *_two_phases(), *_limited()),
    )


def _selections() -> tuple[Vector, ...]:
    claims = ("algo:one-shot",)
    ties = ("algo:one-shot", "erratum:tie-order", "erratum:atoms")
    return (
        selection(
            "select-without-noise",
            "Returning the worst items instead of the best, as a released library did.",
            claims,
            (3, 1, 4, 1, 5, 9, 2, 6),
            (0,) * 8,
            3,
        ),
        selection(
            "select-by-the-sum",
            "Ranking by score alone, or by noise alone.",
            claims,
            (10, 8, 6, 4, 2, 0),
            (-9, -6, 5, 3, 1, 4),
            2,
        ),
        selection(
            "select-subtracts-nothing",
            "Subtracting the noise: right in law for Laplace noise, wrong item by item.",
            claims,
            (5, 5, 5, 5),
            (-2, 3, -1, 1),
            2,
        ),
        selection(
            "select-best-first",
            "Returning a ranked list in ascending order, or in the order of the items.",
            claims,
            (1, 2, 3, 4, 5),
            (0, 8, 1, 3, 0),
            5,
        ),
        selection(
            "select-ties-to-smaller-item",
            "Breaking ties towards the larger item.",
            ties,
            (1, 1, 1, 1, 1),
            (0, 0, 0, 0, 0),
            2,
        ),
        selection(
            "select-ties-at-the-border",
            "Breaking a tie between the last item let in and the first left out by its score.",
            ties,
            (4, 0, 2, 3, 1),
            (0, 4, 2, 1, 0),
            2,
        ),
        selection("select-one-of-one", "Failing on a list of one item.", claims, (0,), (-40,), 1),
        selection("select-all", "Leaving out an item when k = m.", claims, (2, 0, 1), (0, 0, 0), 3),
        selection(
            "select-negative-sums",
            "Starting the search for the maximum at 0.",
            claims,
            (0, 0, 0),
            (-3, -1, -2),
            1,
        ),
        selection(
            "select-beyond-double-scores",
            "Adding a score of 2^53 and a small noise in doubles.",
            claims,
            (2**53, 2**53, 2**53),
            (0.25, 0.5, 0.375),
            2,
        ),
        selection(
            "select-beyond-double-range",
            "Turning scores into doubles that hold no neighbouring whole numbers.",
            claims,
            (2**63, 2**63 + 1, 2**63 - 1),
            (0.5, -0.25, 1.625),
            2,
        ),
        selection(
            "select-single-precision",
            "Adding noise in single precision, which cannot tell 2^24 from 2^24 + 1.",
            claims,
            (2**24, 2**24 + 1, 2**24),
            (0.5, 0.0, 0.75),
            1,
        ),
        selection(
            "select-truncates-no-noise",
            "Rounding the noise to a whole number before it is added.",
            claims,
            (7, 7, 7, 7),
            (0.25, 0.75, -0.25, 0.5),
            2,
        ),
        selection(
            "select-keeps-last-item",
            "Forgetting the last item of the list.",
            claims,
            (0, 0, 0, 0, 0, 0, 0, 8),
            (0, 0, 0, 0, 0, 0, 0, 0),
            1,
        ),
        selection(
            "select-keeps-first-item",
            "Counting items from 0 where the lists count from 1.",
            claims,
            (8, 0, 0, 0),
            (0, 0, 0, 0),
            1,
        ),
    )


def _drawn() -> tuple[Vector, ...]:
    claims = ("algo:one-shot", "def:noise", "fact:inversion")
    words = [n * 0x9E3779B97F4A7 % 2**52 for n in range(1, 11)]
    scores = (20, 19, 18, 17, 16, 15, 14, 13, 12, 11)
    edge = [0, 2**51 - 2**40, 2**51 + 2**40, 2**52 - 1, 2**50, 3 * 2**50]
    return (
        drawn_selection(
            "drawn-gumbel-scale",
            "Multiplying the noise by the rate instead of dividing it.",
            claims,
            scores,
            NoiseKind.GUMBEL,
            0.125,
            words,
            3,
        ),
        drawn_selection(
            "drawn-gumbel-sign",
            "Drawing ln(-ln u), the mirrored Gumbel law.",
            claims,
            (0,) * 10,
            NoiseKind.GUMBEL,
            1.0,
            words,
            4,
        ),
        drawn_selection(
            "drawn-gumbel-upper-tail",
            "Using 1 - u for u: the largest uniform must give the largest noise.",
            claims,
            (0,) * 6,
            NoiseKind.GUMBEL,
            2.0,
            edge,
            2,
        ),
        drawn_selection(
            "drawn-laplace-scale",
            "Multiplying Laplace noise by the rate, or taking 2/rate for its scale.",
            claims,
            scores,
            NoiseKind.LAPLACE,
            0.125,
            words,
            3,
        ),
        drawn_selection(
            "drawn-laplace-branches",
            "Taking one branch of the Laplace law for both sides of the median.",
            claims,
            (0,) * 6,
            NoiseKind.LAPLACE,
            1.0,
            edge,
            3,
        ),
        drawn_selection(
            "drawn-laplace-is-no-gumbel",
            "Drawing Gumbel noise whatever noise is asked for.",
            claims,
            (10, 2, 1, 2, 0, 1),
            NoiseKind.LAPLACE,
            1.0,
            edge,
            3,
        ),
    )


def _two_phases() -> tuple[Vector, ...]:
    claims = ("ours:batched-exact", "ours:batched-candidates")
    scores = (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    noises = (0, 2, 1, 0, 8, -3, 5, 9, 1, 4)
    return (
        two_phases(
            "two-phase-bar",
            "Taking the best sum for the bar, not the k-th best, so that candidates are missed.",
            claims,
            scores,
            noises,
            2,
            4,
        ),
        two_phases(
            "two-phase-last-score",
            "Subtracting the first score read from the bar instead of the last.",
            claims,
            scores,
            (0, 2, 1, 0, 3, -3, 5, 4, 1, 4),
            2,
            3,
        ),
        two_phases(
            "two-phase-strict-bar",
            "Letting in items whose noise equals the bar: with a continuous law they cost "
            "accesses and win nothing.",
            claims,
            (5, 4, 3, 3, 3),
            (0, 1, 0, 2, 3),
            1,
            3,
        ),
        two_phases(
            "two-phase-everything-read",
            "Asking for candidates though the prefix is the whole list.",
            claims,
            (3, 1, 2),
            (0, 5, 1),
            2,
            3,
        ),
        two_phases(
            "two-phase-short-prefix",
            "Building a bar from fewer than k items.",
            claims,
            (3, 1, 2, 0),
            (0, 0, 0, 9),
            2,
            1,
        ),
        two_phases(
            "two-phase-no-prefix",
            "Failing when nothing is read by sorted access.",
            claims,
            (0, 2, 1),
            (3, 0, 1),
            1,
            0,
        ),
        two_phases(
            "two-phase-no-candidates",
            "Reading by random access though no unseen noise exceeds the bar.",
            claims,
            (50, 40, 30, 2, 1),
            (0, 0, 0, 1, 2),
            2,
            3,
        ),
        two_phases(
            "two-phase-flat-scores",
            "Reading an item of the prefix again when all scores are equal.",
            claims,
            (4, 4, 4, 4, 4, 4),
            (2, 5, 1, 3, 6, 4),
            2,
            3,
        ),
        two_phases(
            "two-phase-huge-scores",
            "Computing the bar in doubles, where 2^60 + 1/4 - 2^60 is 0.",
            claims,
            (2**60, 2**60, 2**60, 2**60),
            (0.25, 0.125, 0.1875, 0.3125),
            1,
            2,
        ),
    )


def _limited() -> tuple[Vector, ...]:
    scores = (9, 7, 5, 3, 1)
    return (
        limited(
            "limited-domain-excludes-low-items",
            "Letting an item below the true top k_bar win by its noise.",
            scores,
            (0, 1, 2, 9, 9),
            2,
            3,
            (4, 0),
        ),
        limited(
            "limited-domain-returns-fewer",
            "Filling the selection up to k items below the stop token.",
            scores,
            (0, -4, 2, 0, 0),
            3,
            3,
            (6, 0.5),
        ),
        limited(
            "limited-domain-token-has-noise",
            "Comparing with the score of the stop token without its noise.",
            scores,
            (0, 0, 0, 0, 0),
            2,
            3,
            (6, 4),
        ),
        limited(
            "limited-domain-whole",
            "Stopping at a token though k_bar = m has none.",
            scores,
            (0, 0, 0, 0, 12),
            2,
            5,
            (-math.inf, 3),
        ),
    )
