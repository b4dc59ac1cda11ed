"""Checks of the model: votes, neighbours, accuracy, the privacy definition."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.accuracy import error_of, is_accurate, is_top_set, kth_largest
from privtopk.spec.model.neighbours import Relation, is_neighbour, meeting_point
from privtopk.spec.model.privacy import (
    hockey_stick,
    is_private,
    is_private_by_definition,
    tight_delta,
    tight_ratio,
)
from privtopk.spec.model.values import Histogram, items_of
from privtopk.spec.model.votes import Dataset, histogram_from_rows, histogram_of, replace_client
from privtopk.spec.proofs.gate.registry import Method, expect, supports

Law = dict[str, Fraction]


def _datasets(m: int, clients: int) -> Iterator[Dataset]:
    return product(product((0, 1), repeat=m), repeat=clients)


def _histograms(m: int, largest: int) -> Iterator[Histogram]:
    return product(range(largest + 1), repeat=m)


@supports("model:votes", method=Method.ENUMERATION)
def one_client_moves_scores_by_one() -> str:
    """Adding, removing or replacing one client moves every score by at most 1."""
    cases = 0
    for dataset in _datasets(3, 2):
        before = histogram_of(dataset, 3)
        for ballot in product((0, 1), repeat=3):
            cases += 1
            added = histogram_of((*dataset, ballot), 3)
            swapped = histogram_of(replace_client(dataset, 0, ballot), 3)
            expect(is_neighbour(before, added, Relation.ADD_REMOVE), f"{dataset} plus {ballot}")
            expect(is_neighbour(before, swapped, Relation.SWAP), f"{dataset} with {ballot}")
    return f"m = 3, 2 clients: {cases:,} changes"


@supports("model:votes", method=Method.ENUMERATION)
def repeated_rows_count_once() -> str:
    """A repeated row of a client adds nothing; counting it would move a score by 2."""
    rows = [("ann", 1), ("ann", 1), ("ann", 2), ("bob", 1)]
    expect(histogram_from_rows(rows, 3) == (2, 1, 0), "a repeated row was counted")
    by_rows = tuple(sum(1 for _, item in rows if item == i) for i in items_of(3))
    without_ann = histogram_from_rows([("bob", 1)], 3)
    expect(
        not is_neighbour(by_rows, without_ann, Relation.L_INFINITY),
        "the control, counting rows, did not fail",
    )
    return "one repeated row, and the count of rows as a control"


@supports("ours:relations", method=Method.ENUMERATION)
def swap_is_l_infinity() -> str:
    """Two histograms are swap neighbours exactly if their l-infinity distance is at most 1."""
    m, clients = 2, 3
    reachable = {
        (histogram_of(dataset, m), histogram_of(replace_client(dataset, 0, ballot), m))
        for dataset in _datasets(m, clients)
        for ballot in product((0, 1), repeat=m)
    }
    pairs = list(product(_histograms(m, clients), repeat=2))
    for first, second in pairs:
        by_data = (first, second) in reachable
        for relation in (Relation.SWAP, Relation.L_INFINITY):
            by_scores = is_neighbour(first, second, relation)
            expect(by_data == by_scores, f"{first}, {second}: {relation} by scores is {by_scores}")
    return f"m = 2, 3 clients: {len(pairs):,} pairs against all data sets"


@supports("ours:relations", method=Method.ENUMERATION)
def l_infinity_is_two_steps() -> str:
    """The meeting point of two l-infinity neighbours is one add/remove step from each."""
    cases = 0
    for first, second in product(_histograms(3, 2), repeat=2):
        if is_neighbour(first, second, Relation.ADD_REMOVE):
            expect(is_neighbour(first, second, Relation.SWAP), f"{first}, {second}")
        if is_neighbour(first, second, Relation.L_INFINITY):
            cases += 1
            middle = meeting_point(first, second)
            expect(
                is_neighbour(first, middle, Relation.ADD_REMOVE)
                and is_neighbour(middle, second, Relation.ADD_REMOVE),
                f"{first}, {middle}, {second}",
            )
    return f"m = 3, scores to 2: {cases:,} pairs"


@supports("def:accuracy", method=Method.ENUMERATION)
def accuracy_is_the_error() -> str:
    """A selection is (alpha, k)-accurate exactly if alpha >= its error; a top set has error 0."""
    cases = 0
    for histogram in _histograms(4, 2):
        for k in range(1, 5):
            for chosen in combinations(items_of(4), k):
                cases += 1
                error = error_of(histogram, chosen, k)
                expect(is_accurate(histogram, chosen, error, k), f"{histogram} {chosen}")
                below = error == 0 or not is_accurate(histogram, chosen, error - 1, k)
                expect(below, f"{histogram} {chosen}: a smaller alpha was accepted")
                expect(
                    (error == 0)
                    == all(histogram[i - 1] >= kth_largest(histogram, k) for i in chosen),
                    f"{histogram} {chosen}",
                )
                expect(not is_top_set(histogram, chosen, k) or error == 0, f"{chosen}")
    return f"m = 4, scores to 2: {cases:,} selections"


def _laws(outputs: int, total: int) -> list[Law]:
    names = "abc"[:outputs]
    return [
        {name: Fraction(part, total) for name, part in zip(names, parts, strict=True)}
        for parts in product(range(total + 1), repeat=outputs)
        if sum(parts) == total
    ]


@supports("def:differential-privacy", "ours:hockey-stick", method=Method.EXACT)
def hockey_stick_decides_all_sets() -> str:
    """The hockey-stick divergence decides (eps, delta)-privacy as a test of every set does."""
    cases = 0
    ratios = (Fraction(1), Fraction(3, 2), Fraction(4))
    deltas = (Fraction(0), Fraction(1, 8), Fraction(1, 2))
    for p, q in product(_laws(3, 4), repeat=2):
        for ratio, delta in product(ratios, deltas):
            cases += 1
            expect(
                is_private(p, q, ratio, delta) == is_private_by_definition(p, q, ratio, delta),
                f"{p} {q} at ratio {ratio}, delta {delta}",
            )
    return f"3 outputs in quarters: {cases:,} decisions"


@supports("ours:hockey-stick", method=Method.EXACT)
def tight_ratio_is_the_least() -> str:
    """The tight ratio is private, anything smaller is not, and it inverts the tight delta."""
    cases = 0
    for p, q in product(_laws(3, 4), repeat=2):
        for delta in (Fraction(0), Fraction(1, 8), Fraction(1, 3)):
            ratio = tight_ratio(p, q, delta)
            cases += 1
            if ratio is None:
                huge = Fraction(10**9)
                expect(tight_delta(p, q, huge) > delta, f"{p} {q}: a finite ratio exists")
                continue
            expect(tight_delta(p, q, ratio) <= delta, f"{p} {q} at {ratio}")
            if ratio > 1:
                smaller = 1 + (ratio - 1) * Fraction(999, 1000)
                expect(tight_delta(p, q, smaller) > delta, f"{p} {q}: {smaller} is enough")
    return f"3 outputs in quarters: {cases:,} inversions"


@supports("def:differential-privacy", "erratum:parameter-ranges", method=Method.EXACT)
def pure_privacy_is_covered() -> str:
    """delta = 0 and eps = 0 are allowed: equal laws are (0, 0)-private, different laws are not."""
    p = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    q = {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    expect(is_private(p, p, Fraction(1)), "equal laws must be (0, 0)-private")
    expect(not is_private(p, q, Fraction(1)), "different laws must not be (0, 0)-private")
    expect(tight_ratio(p, q) == Fraction(3, 2), "the pure ratio of the pair is 3/2")
    expect(hockey_stick(p, q, Fraction(1)) == Fraction(1, 6), "the total variation is 1/6")
    return "two laws, in exact rationals"


@supports("erratum:access-pattern", method=Method.ENUMERATION)
def accesses_depend_on_scores() -> str:
    """With the same noise, some neighbouring histograms take different numbers of accesses."""
    differing = [
        (first, second)
        for first, second in product(_histograms(3, 2), repeat=2)
        if is_neighbour(first, second, Relation.ADD_REMOVE) and _cost(first) != _cost(second)
    ]
    expect(bool(differing), "no neighbouring pair had different costs")
    return f"{len(differing)} neighbouring pairs with different costs"


def _cost(histogram: Histogram) -> int:
    scores = StoredList(histogram)
    private_threshold(scores, StoredList((3, 2, 0)), 1)
    return scores.ledger.cost
