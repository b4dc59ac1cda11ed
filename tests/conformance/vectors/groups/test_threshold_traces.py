"""The vectors of threshold traces: a naive run and our engine pass, wrong runs fail."""

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from conformance.support_vectors import failed_ids
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.vectors import Vector, vectors
from privtopk.impl.engines.threshold import ThresholdStop, select_by_threshold
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.scores.reader import Reader
from privtopk.impl.subjects.selectors import NegatedLevels, ServedLevels, ServedSource
from privtopk.spec.model.values import Number

GROUP = "threshold-traces"
LISTS = ("scores", "noises")

IN_RANGE = [one for one in vectors(GROUP) if max(one.input["scores"]) <= LARGEST_SCORE]
"""Our engines take at most 2^53 votes per item."""


def exact_sum(score: Number, noise: Number) -> Number:
    """Return a sum without rounding."""
    return Fraction(score) + Fraction(noise)


@dataclass(frozen=True)
class Naive:
    """A run by the definition, recomputed per round from whole lists. Each default is right."""

    scores: Sequence[int]
    noises: Sequence[Number]
    k: int
    model: str

    is_enough: Callable[[Number, Number], bool] = operator.ge
    add: Callable[[Number, Number], Number] = exact_sum

    tie: int = 1
    """-1 prefers the larger item."""

    watched: int | None = None
    """The rank of the sum that is compared with the threshold; k if None."""

    def order(self, values: Sequence[Number]) -> list[int]:
        """Return the items by descending value."""
        items = range(1, len(values) + 1)
        return sorted(items, key=lambda i: (-Fraction(values[i - 1]), self.tie * i))

    def sum_of(self, score_item: int, noise_item: int) -> Number:
        """Return the score of one item plus the noise of another."""
        return self.add(self.scores[score_item - 1], self.noises[noise_item - 1])

    def best(self, seen: set[int]) -> list[int]:
        """Return the items seen, best first."""
        return sorted(seen, key=lambda i: (-self.sum_of(i, i), self.tie * i))

    def answer(self) -> dict[str, Any]:
        """Return the whole answer of a trace, at the first round that suffices."""
        by_score, by_noise = self.order(self.scores), self.order(self.noises)
        watched = self.watched or self.k
        for r in range(1, len(by_score) + 1):
            best = self.best({*by_score[:r], *by_noise[:r]})
            threshold = self.sum_of(by_score[r - 1], by_noise[r - 1])
            if len(best) >= watched and self.is_enough(
                self.sum_of(best[watched - 1], best[watched - 1]), threshold
            ):
                return self.trace(best[: self.k], by_score[:r], by_noise[:r])
        raise LookupError("no round is enough")

    def trace(self, best: list[int], by_score: list[int], by_noise: list[int]) -> dict[str, Any]:
        """Return the answer of a run with these deliveries."""
        of_scores = list(self.accesses(list(zip(by_score, by_noise, strict=True)), 0))
        of_noises = list(self.accesses(list(zip(by_score, by_noise, strict=True)), 1))
        learned = {item for _, item in of_scores}
        return {
            "ranked": best,
            "stopping_round": len(by_score),
            "score_accesses": of_scores,
            "noise_accesses": of_noises,
            "cost": len(learned) if self.model == "distinct" else len(of_scores),
        }

    def accesses(self, delivered: list[tuple[int, int]], own: int) -> Iterator[list[Any]]:
        """Yield the accesses to list `own`, given what both lists deliver in each round."""
        known: set[int] = set()
        for pair in delivered:
            for source, item in enumerate(pair):
                if source == own:
                    yield ["sorted", item]
                is_again = source == own and self.model != "literal"
                is_remembered = self.model in ("memoised", "distinct") and item in known
                if not is_again and not is_remembered:
                    yield ["random", item]
                known.add(item)


def naive_run(**deviation: Any) -> Callable[[Vector], dict[str, Any]]:
    """Return the naive run as an implementation, with a deviation if it should be wrong."""
    return lambda vector: Naive(**{**vector.input, **deviation}).answer()


def test_a_naive_run_passes() -> None:
    """The specification and the naive run make the same accesses."""
    assert failed_ids(GROUP, "threshold", naive_run()) == set()


def by_engine(vector: Vector) -> ThresholdStop:
    """Run our engine on the lists of a vector."""
    scores, _ = open_doors(ListedScores(tuple(vector.input["scores"])))
    noises, _ = open_doors(ListedScores(tuple(map(float, vector.input["noises"]))))
    reader = Reader(ServedSource(scores))
    return select_by_threshold(
        reader, ServedLevels(noises), vector.input["k"], 1.0, NegatedLevels()
    )


@pytest.mark.parametrize("vector", IN_RANGE, ids=lambda vector: vector.id)
def test_our_engine_finds_the_same_items_in_no_more_rounds(vector: Vector) -> None:
    """The engine's set has the same sums, and it stops at the same round or a meeting round."""
    run = by_engine(vector)
    sums = [exact_sum(*pair) for pair in zip(*(vector.input[name] for name in LISTS), strict=True)]
    assert sorted(sums[item] for item in run.items) == sorted(
        sums[item - 1] for item in vector.expected["ranked"]
    )
    assert run.rounds <= vector.expected["stopping_round"]


STOPS_AT_EQUALITY = {
    vector.id
    for vector in vectors(GROUP)
    if vector.intermediates["round_states"][-1]["smallest_kept"]
    == vector.intermediates["round_states"][-1]["threshold"]
}


def has_ties(vector: Vector) -> bool:
    """Return whether two items have the same score, the same noise or the same sum."""
    scores, noises = (vector.input[name] for name in LISTS)
    sums = map(exact_sum, scores, noises)
    return any(len(set(values)) < len(scores) for values in (scores, noises, sums))


def test_stopping_only_above_the_threshold_is_found() -> None:
    """A run with > for >= fails every vector that stops at equality, and no other."""
    found = failed_ids(GROUP, "threshold", naive_run(is_enough=operator.gt))
    assert found == STOPS_AT_EQUALITY
    assert {"threshold-stop-on-equality", "threshold-stop-on-equality-late"} <= found


def test_larger_items_first_is_found() -> None:
    """A run that prefers larger items in ties fails the vectors made for it, and none without."""
    found = failed_ids(GROUP, "threshold", naive_run(tie=-1))
    tied = {vector.id for vector in vectors(GROUP) if has_ties(vector)}
    assert {"ties-of-scores", "ties-of-noises", "ties-of-sums", "ties-everywhere"} <= found <= tied
    assert len(tied) < len(vectors(GROUP))


def test_comparing_the_best_sum_is_found() -> None:
    """A run that watches the best sum instead of the k-th best fails the vectors with k > 1."""
    found = failed_ids(GROUP, "threshold", naive_run(watched=1))
    assert {"threshold-not-at-best-sum", "threshold-needs-k-items"} <= found
    assert all(vector.input["k"] > 1 for vector in vectors(GROUP) if vector.id in found)


def test_sums_in_doubles_are_found() -> None:
    """A run that adds in doubles fails exactly if a large score rounds the noise away."""
    assert failed_ids(GROUP, "threshold", naive_run(add=lambda a, b: float(a) + float(b))) == {
        "huge-scores"
    }


@pytest.mark.parametrize(
    ("model", "missed"),
    [
        ("literal", {"cost-literal", "cost-literal-witness"}),
        ("memoised", {"cost-memoised", "cost-memoised-witness", "drawn-laplace-memoised"}),
        ("distinct", {"cost-distinct"}),
    ],
)
def test_the_default_model_is_found_for_another_one(model: str, missed: set[str]) -> None:
    """A run that always counts two accesses per round fails the vectors of other cost models."""
    found = failed_ids(GROUP, "threshold", naive_run(model="two-a-round"))
    asked = {vector.id for vector in vectors(GROUP) if vector.input["model"] == model}
    assert found & asked == missed


def test_the_four_models_charge_differently() -> None:
    """The four cost models give 12, 8, 6 and 5 on the same run."""
    costs = {vector.id: vector.expected["cost"] for vector in vectors(GROUP)}
    names = ("literal", "two-a-round", "memoised", "distinct")
    assert [costs[f"cost-{name}"] for name in names] == [12, 8, 6, 5]


def test_forgetting_to_swap_is_found() -> None:
    """A run that takes noises for scores fails the vector made for it."""

    def answer_of_swapped_lists(vector: Vector) -> dict[str, Any]:
        lists = {"scores": vector.input["noises"], "noises": vector.input["scores"]}
        return Naive(**{**vector.input, **lists}).answer()

    assert "swapped-lists" in failed_ids(GROUP, "threshold", answer_of_swapped_lists)
