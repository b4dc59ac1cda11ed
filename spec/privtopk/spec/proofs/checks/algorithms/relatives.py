"""Checks of the related mechanisms of Section 6, each by its exact output law."""

import math
from fractions import Fraction
from functools import partial
from itertools import product

import sympy

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.limited_domain import (
    draw_until_stop,
    limited_domain_law,
    stop_threshold,
    stop_weight,
    stopped_law,
)
from privtopk.spec.algorithms.noisy_max import exact_laplace_noisy_max_law, gumbel_noisy_max_law
from privtopk.spec.algorithms.peeling import peel, peeling_law
from privtopk.spec.algorithms.permute_and_flip import (
    acceptances,
    permute_and_flip,
    permute_and_flip_law,
)
from privtopk.spec.laws.gumbel import ranked_law, set_law, weights
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.privacy import is_private, tight_delta, tight_ratio
from privtopk.spec.model.tape import Tape, every_outcome
from privtopk.spec.model.values import Histogram, Item, items_of
from privtopk.spec.proofs.gate.registry import Method, expect, supports

BASE = Fraction(2)
"""e^epsilon in the exact checks."""


@supports("rel:peeling", method=Method.EXACT)
def peeling_is_the_gumbel_ranking() -> str:
    """All outcomes of the peeling algorithm have the law of the one-shot ranked list."""
    cases = 0
    for histogram in product(range(3), repeat=3):
        for k in (1, 2, 3):
            cases += 1
            exact = weights(histogram, BASE)
            played = every_outcome(partial(peel, exact, k))
            expect(
                played == ranked_law(exact, k) == peeling_law(histogram, k, BASE), f"{histogram}"
            )
            as_sets: dict[frozenset[Item], Fraction] = {}
            for ranking, p in played.items():
                chosen = frozenset(ranking)
                as_sets[chosen] = as_sets.get(chosen, Fraction(0)) + p
            expect(as_sets == set_law(exact, k), f"{histogram} k = {k}: the set law")
    return f"m = 3: {cases} laws by all outcomes"


@supports("rel:report-noisy-max", "cor:exponential-mechanism", method=Method.EXACT)
def noisy_max_is_the_exponential_mechanism() -> str:
    """Gumbel noisy max, one peel and the exponential mechanism have one law, Laplace another."""
    for histogram in product(range(3), repeat=3):
        law = exponential_law(histogram, BASE)
        expect(gumbel_noisy_max_law(histogram, BASE) == law, f"{histogram}")
        peeled = {ranking[0]: p for ranking, p in peeling_law(histogram, 1, BASE).items()}
        expect(peeled == law, f"{histogram}: one peel differs")
    laplace = exact_laplace_noisy_max_law((1, 0, 0), BASE)
    gumbel = exponential_law((1, 0, 0), BASE)
    expect(
        float(laplace[Item(1)]) != float(gumbel[Item(1)]),
        "the control, Laplace noise, has the same law",
    )
    return "27 histograms; Laplace as a control"


def _expected_error(law: dict[Item, Fraction], histogram: Histogram) -> Fraction:
    best = max(histogram)
    return sum((p * (best - histogram[item - 1]) for item, p in law.items()), Fraction(0))


@supports("rel:permute-and-flip", method=Method.EXACT)
def permute_and_flip_is_never_worse() -> str:
    """Permute-and-flip has its closed law, and at most the error of the exponential mechanism."""
    cases = better = 0
    for histogram in product(range(3), repeat=3):
        cases += 1
        accepted = acceptances(histogram, BASE)
        law = permute_and_flip_law(accepted)
        expect(law == every_outcome(partial(permute_and_flip, accepted)), f"{histogram}")
        ours = _expected_error(law, histogram)
        theirs = _expected_error(exponential_law(histogram, BASE), histogram)
        expect(ours <= theirs, f"{histogram}: {ours} against {theirs}")
        better += ours < theirs
    expect(better > 0, "it is never strictly better")
    return f"m = 3: {cases} histograms, strictly better on {better}"


@supports("rel:permute-and-flip", method=Method.SYMBOLIC)
def rejecting_an_item_lowers_the_error() -> str:
    """A step that meets an item changes the mean error A/P by p (e - A/P)(P-1)/(P-p).

    The item is accepted with probability p and has error e; a rejection leaves the exponential
    mechanism on the others. P and A are the sums of p and of p e. Over all items the p (e - A/P)
    sum to 0; e falls and 1/(P-p) rises with p, so the mean change is at most 0 if P >= 1.
    """
    p, e, total, weight = sympy.symbols("p e P A", positive=True)
    mean = weight / total
    step = p * e + (1 - p) * (weight - p * e) / (total - p)
    change = p * (e - mean) * (total - 1) / (total - p)
    expect(sympy.simplify(step - mean - change) == 0, "the change of one item")
    rise = sympy.diff(1 / (total - p), p)
    expect(sympy.simplify(rise - (total - p) ** -2) == 0, "1/(P-p) does not rise with p")
    return "the term of one item, with symbolic p, e and sums over all items"


@supports("rel:permute-and-flip", method=Method.EXACT)
def permute_and_flip_may_stop_early() -> str:
    """Permute-and-flip is private, and may return before it has seen all items."""

    def count_draws(tape: Tape) -> int:
        counting = _CountingTape(tape)
        permute_and_flip(acceptances((2, 0, 0), BASE), counting)
        return counting.draws

    lengths = every_outcome(count_draws)
    expect(lengths[1] > 0 and set(lengths) == {1, 2, 3}, f"{lengths}")
    worst = {Relation.ADD_REMOVE: Fraction(1), Relation.L_INFINITY: Fraction(1)}
    histograms = list(product(range(3), repeat=3))
    for first, second in product(histograms, repeat=2):
        laws = [permute_and_flip_law(acceptances(h, BASE)) for h in (first, second)]
        ratio = tight_ratio(laws[0], laws[1])
        for relation in worst:
            if ratio is not None and is_neighbour(first, second, relation):
                worst[relation] = max(worst[relation], ratio)
    expect(worst[Relation.ADD_REMOVE] == BASE, f"add/remove: {worst}")
    expect(worst[Relation.L_INFINITY] == BASE**2, f"l-infinity: {worst}")
    return f"stops at the first item with probability {lengths[1]}; eps and 2 eps attained"


class _CountingTape:
    """A tape that counts the items drawn."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.draws = 0
        self.uniform, self.choose, self.subset = tape.uniform, tape.choose, tape.subset

    def below(self, n: int) -> int:
        self.draws += 1
        return self._tape.below(n)


@supports("rel:limited-domain", method=Method.EXACT)
def limited_domain_may_return_fewer() -> str:
    """Limited-domain selection may return fewer than k items, and is Algorithm 2 if k-bar = m."""
    delta = Fraction(1, 10)
    cases = 0
    for histogram in product(range(3), repeat=3):
        for k, k_bar in ((1, 1), (1, 2), (2, 2), (2, 3)):
            cases += 1
            law = limited_domain_law(histogram, k, k_bar, BASE, delta)
            expect(sum(law.values()) == 1, f"{histogram}: the law has mass {sum(law.values())}")
            if k_bar < 3:
                stated = stop_threshold(histogram, k_bar, math.log(2), delta)
                weight = stop_weight(histogram, k_bar, BASE, delta)
                expect(abs(2**stated / float(weight) - 1) < 1e-12, f"{histogram}: the token")
            shorter = sum((p for chosen, p in law.items() if len(chosen) < k), Fraction(0))
            expect((shorter > 0) == (k_bar < 3), f"{histogram} k-bar = {k_bar}: {shorter}")
            if k_bar == 3:
                expect(law == ranked_law(weights(histogram, BASE), k), f"{histogram}")
    entering = {item: BASE**score for item, score in zip(items_of(2), (2, 1), strict=True)}
    stop = stop_weight((2, 1, 0), 2, BASE, delta)
    played = every_outcome(
        partial(draw_until_stop, dict[Item, Fraction | int | float](entering), stop, 2)
    )
    expect(played == stopped_law(entering, stop, 2), "the law of all outcomes differs")
    return f"m = 3: {cases} laws"


@supports("rel:limited-domain", method=Method.EXACT, is_slow=True)
def limited_domain_is_private() -> str:
    """Under add/remove the limited-domain law is (k eps, delta)-private, and needs its delta."""
    delta = Fraction(1, 10)
    cases, largest = 0, Fraction(0)
    histograms = list(product(range(3), repeat=3))
    for first, second in product(histograms, repeat=2):
        if first >= second or not is_neighbour(first, second, Relation.ADD_REMOVE):
            continue
        for k, k_bar in ((1, 1), (1, 2), (2, 2)):
            cases += 1
            laws = [limited_domain_law(h, k, k_bar, BASE, delta) for h in (first, second)]
            expect(is_private(laws[0], laws[1], BASE**k, delta), f"{first} {second} {k} {k_bar}")
            largest = max(largest, tight_delta(laws[0], laws[1], BASE**k))
    expect(largest > 0, "delta is never needed")
    return f"m = 3: {cases} pairs; the largest delta needed is {largest} of {delta}"
