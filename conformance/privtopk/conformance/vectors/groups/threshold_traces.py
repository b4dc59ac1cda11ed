"""Traces of the threshold algorithm: every access of a run, and the round in which it stops."""

from collections.abc import Sequence
from typing import Any, Final

from privtopk.conformance.vectors.numbers import uniform
from privtopk.conformance.vectors.vector import EXACT, Group, Vector
from privtopk.spec.algorithms.threshold import keep_best, threshold_algorithm, total
from privtopk.spec.model.access import Entry, Ledger, StoredList
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Item, Number
from privtopk.spec.noise.distributions import Gumbel, Laplace, sample
from privtopk.spec.upper_bounds.cost_models import CostModel, charged, reading_of

OPERATIONS: Final = {
    "threshold": (
        "Algorithm 3 on the two lists `scores` and `noises`, both sorted from the largest value "
        "down, ties to the smaller item. A round takes the next item of `scores` and learns its "
        "noise, then the next item of `noises` and learns its score, and keeps the k items with "
        "the largest sums, ties to the smaller item. The threshold is the last score delivered "
        "plus the last noise delivered. The run stops at the end of the first round in which k "
        "items are kept and the smallest sum of them is at least the threshold. `model` says "
        "what is read: literal reads both values of a delivered item by random access, "
        "two-a-round only the other value; memoised and distinct only what was "
        "not read before. `cost` is the number of accesses to `scores`, for distinct the number "
        "of items whose score was read."
    ),
}


class _WatchedSums:
    """The aggregation of Algorithm 3, which notes what it was asked."""

    def __init__(self) -> None:
        self.sums: list[Number] = []

    def __call__(self, attributes: tuple[Number, ...]) -> Number:
        self.sums.append(total(attributes))
        return self.sums[-1]


def trace(
    identity: str,
    hunts: str,
    claims: tuple[str, ...],
    scores: Sequence[int],
    noises: Sequence[Number],
    k: int,
    model: CostModel = CostModel.TWO_A_ROUND,
) -> Vector:
    """Return the vector of one run."""
    lists = StoredList(scores), StoredList(noises)
    watched = _WatchedSums()
    run = threshold_algorithm(lists, k, watched, reading_of(model))
    score_ledger, noise_ledger = (source.ledger for source in lists)
    return Vector(
        id=identity,
        operation="threshold",
        hunts=hunts,
        claims=claims,
        input={"scores": scores, "noises": noises, "k": k, "model": model},
        intermediates={"round_states": _round_states(scores, noises, watched.sums, k)},
        expected={
            "ranked": [entry.item for entry in run.selected],
            "stopping_round": run.rounds,
            "score_accesses": accesses(score_ledger),
            "noise_accesses": accesses(noise_ledger),
            "cost": charged(score_ledger, model),
        },
        tolerance=EXACT,
    )


def accesses(ledger: Ledger) -> list[list[object]]:
    """Return every access to one list in order, as pairs of door and item."""
    return [[door, item] for door, item in ledger.accesses]


def _round_states(
    scores: Sequence[int], noises: Sequence[Number], sums: Sequence[Number], k: int
) -> list[dict[str, Any]]:
    """Return what is known at the end of each round; a round asks for three sums."""
    by_score, by_noise = _order(scores), _order(noises)
    best: tuple[Entry, ...] = ()
    rounds = []
    for index in range(len(sums) // 3):
        first, second, threshold = sums[3 * index : 3 * index + 3]
        best = keep_best(best, Entry(by_score[index], first), k)
        best = keep_best(best, Entry(by_noise[index], second), k)
        rounds.append(
            {
                "score_item": by_score[index],
                "noise_item": by_noise[index],
                "kept": [entry.item for entry in best],
                "smallest_kept": best[-1].value if len(best) == k else None,
                "threshold": threshold,
            }
        )
    return rounds


def _order(values: Sequence[Number]) -> list[Item]:
    stored = StoredList(values)
    return [stored.sorted_access().item for _ in values]


def group() -> Group:
    """Return all traces."""
    return Group(
        name="threshold-traces",
        task="Run the threshold algorithm on two given lists and compare every access.",
        operations=OPERATIONS,
        vectors=(*_stopping(), *_costs(), *_ties(), *_sums(), *_drawn()),
    )


def _stopping() -> tuple[Vector, ...]:
    algorithm = ("algo:threshold-algorithm", "algo:private-threshold")
    edges = (*algorithm, "erratum:threshold-edge-cases")
    return (
        trace(
            "threshold-stop-on-equality",
            "Stopping when the smallest sum kept exceeds the threshold, not when it equals it.",
            (*algorithm, "erratum:atoms"),
            (5, 0),
            (1, 0),
            1,
        ),
        trace(
            "threshold-stop-on-equality-late",
            "Stopping only above the threshold, where the equality comes from different items.",
            (*algorithm, "erratum:atoms"),
            (6, 5, 3, 2, 1, 0),
            (0, 2, 1, 4, 3, 5),
            2,
        ),
        trace(
            "threshold-needs-k-items",
            "Stopping before k items were seen, because the best of fewer beats the threshold.",
            algorithm,
            (100, 3, 2, 1, 0),
            (100, 0, 1, 2, 3),
            3,
        ),
        trace(
            "threshold-of-last-delivered",
            "Taking the threshold of the first round for all rounds.",
            (*algorithm, "erratum:threshold-arity"),
            (9, 8, 2, 1, 0),
            (0, 1, 2, 3, 4),
            1,
        ),
        trace(
            "threshold-not-at-best-sum",
            "Comparing the threshold with the best sum instead of the k-th best.",
            algorithm,
            (10, 4, 3, 2, 1, 0),
            (10, 0, 2, 1, 4, 3),
            2,
        ),
        trace(
            "threshold-waits-for-late-winner",
            "Stopping as soon as k items were seen on both lists together.",
            algorithm,
            (10, 9, 8, 7, 0, 0),
            (0, 1, 9, 8, 5, 10),
            2,
        ),
        trace(
            "threshold-opposite-orders",
            "Reading to the end of both lists when one order is the reverse of the other.",
            (*algorithm, "ours:rounds-law"),
            (7, 6, 5, 4, 3, 2, 1, 0),
            (0, 2, 4, 6, 8, 10, 12, 14),
            1,
        ),
        trace(
            "threshold-claim-one-witness",
            "Taking the printed Claim One at its word: two items in common, yet two full rounds.",
            ("erratum:claim-one",),
            (1, 0),
            (0, 1),
            1,
        ),
        trace(
            "threshold-all-items",
            "Looking for a sum outside the selection when k = m.",
            edges,
            (3, 1, 4, 1, 5),
            (0, 3, 1, 4, 2),
            5,
        ),
        trace(
            "threshold-all-but-one",
            "Reading past the end of a list when k = m - 1 and the orders are opposite.",
            edges,
            (4, 3, 2, 1, 0),
            (0, 2, 4, 6, 8),
            4,
        ),
        trace("threshold-one-item", "Failing on a list of one item.", edges, (7,), (-3,), 1),
    )


def _costs() -> tuple[Vector, ...]:
    claims = ("ours:cost-models", "erratum:cost-parity")
    witness = ((5, 0), (1, 0), 1)
    run = ((6, 8, 0, 2, 3, 7, 1), (3, 6, 2, 0, 4, 1, 5), 2)
    return (
        trace(
            "cost-literal-witness",
            "Charging two accesses a round for the algorithm as printed, which makes three.",
            claims,
            *witness,
            CostModel.LITERAL,
        ),
        trace(
            "cost-memoised-witness",
            "Taking every cost for an even number.",
            claims,
            *witness,
            CostModel.MEMOISED,
        ),
        trace(
            "cost-literal",
            "Not reading the delivered value again where the model says so.",
            claims,
            *run,
            CostModel.LITERAL,
        ),
        trace(
            "cost-two-a-round",
            "Remembering items of earlier rounds where the model does not.",
            claims,
            *run,
            CostModel.TWO_A_ROUND,
        ),
        trace(
            "cost-memoised",
            "Reading the score of an item again that sorted access delivered before.",
            claims,
            *run,
            CostModel.MEMOISED,
        ),
        trace(
            "cost-distinct",
            "Counting accesses where the items learned are asked for.",
            claims,
            *run,
            CostModel.DISTINCT,
        ),
    )


def _ties() -> tuple[Vector, ...]:
    claims = ("erratum:tie-order", "erratum:atoms")
    return (
        trace(
            "ties-of-scores",
            "Delivering equal scores in an order other than that of the items.",
            claims,
            (2, 2, 2, 2, 2),
            (0, 3, 1, 4, 2),
            2,
        ),
        trace(
            "ties-of-noises",
            "Delivering equal noises in an order other than that of the items.",
            claims,
            (0, 3, 1, 4, 2),
            (1, 1, 1, 1, 1),
            2,
        ),
        trace(
            "ties-of-sums",
            "Keeping the item met first, instead of the smaller one, when sums are equal.",
            claims,
            (0, 1, 2, 3),
            (3, 2, 1, 0),
            2,
        ),
        trace(
            "ties-everywhere",
            "Reading more than k rounds when everything is equal.",
            claims,
            (0, 0, 0, 0),
            (0, 0, 0, 0),
            3,
        ),
        trace(
            "same-item-from-both-lists",
            "Keeping an item twice that both lists deliver, so that fewer than k are left.",
            ("algo:threshold-algorithm",),
            (9, 8, 1, 0),
            (5, 4, 0, 1),
            2,
        ),
    )


def _sums() -> tuple[Vector, ...]:
    claims = ("algo:private-threshold",)
    return (
        trace(
            "negative-sums",
            "Starting the best sum, or the threshold, at 0 though every sum is negative.",
            claims,
            (0, 0, 1, 0),
            (-9, -5, -8, -7),
            1,
        ),
        trace(
            "huge-scores",
            "Adding score and noise in doubles, where a score of 2^60 swallows the noise.",
            claims,
            (2**60, 2**60, 2**60, 2**60 - 1),
            (0.25, 0.5, 0.125, 0.75),
            2,
        ),
        trace(
            "noise-outweighs-votes",
            "Reading the score list only: the winner has the smallest score of all.",
            claims,
            (5, 4, 3, 2, 1, 0),
            (-1.5, -0.5, 0.0, 0.5, 1.0, 9.75),
            1,
        ),
        trace(
            "swapped-lists",
            "Taking noises for scores and scores for noises: the accesses change places.",
            claims,
            (4, 0, 3, 1, 2),
            (2, 4, 1, 3, 0),
            2,
        ),
    )


def _drawn() -> tuple[Vector, ...]:
    """Return two runs with noise as it is drawn, one of each kind."""
    uniforms = [uniform(n * 0x5DEECE66D1234 % 2**52) for n in range(1, 13)]
    scores = (31, 12, 30, 7, 29, 3, 28, 28, 1, 27, 0, 26)
    tapes = tape_of(*uniforms), tape_of(*uniforms)
    gumbel = [sample(Gumbel(0.5), tapes[0]) for _ in scores]
    laplace = [sample(Laplace(0.25), tapes[1]) for _ in scores]
    claims = ("algo:private-threshold", "def:noise")
    return (
        trace(
            "drawn-gumbel",
            "Rounding sums, or comparing them with a slack, so that a run stops too early.",
            claims,
            scores,
            gumbel,
            3,
        ),
        trace(
            "drawn-laplace-memoised",
            "Losing count of what was read when negative and positive noises mix.",
            claims,
            scores,
            laplace,
            4,
            CostModel.MEMOISED,
        ),
    )
