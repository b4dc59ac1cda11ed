"""The vectors of laws: enumeration and integration pass, wrong laws fail."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from conformance.support_vectors import failed_ids, passes, vectors_for
from privtopk.conformance.vectors import Vector

GROUP = "output-laws"


def law_of(probabilities: dict[tuple[int, ...], Any]) -> dict[str, Any]:
    """Return a law as a vector expects it."""
    return {
        "law": [
            {"items": list(items), "probability": probability}
            for items, probability in sorted(probabilities.items())
        ]
    }


def weights_of(vector: Vector) -> list[Fraction]:
    """Return base^score of each item, by repeated multiplication."""
    return [
        math.prod([vector.input["base"]] * h, start=Fraction(1)) for h in vector.input["scores"]
    ]


def ranking(weights: Sequence[Fraction], order: Sequence[int]) -> Fraction:
    """Return the probability of a whole ranking: Luce's product, from the last item up."""
    probability, rest = Fraction(1), Fraction(0)
    for item in reversed(order):
        rest += weights[item - 1]
        probability *= weights[item - 1] / rest
    return probability


def by_rankings(vector: Vector, *, is_ranked: bool) -> dict[str, Any]:
    """Sum over all m! whole rankings."""
    weights, k = weights_of(vector), vector.input.get("k", 1)
    law: dict[tuple[int, ...], Fraction] = {}
    for order in permutations(range(1, len(weights) + 1)):
        output = order[:k] if is_ranked else tuple(sorted(order[:k]))
        law[output] = law.get(output, Fraction(0)) + ranking(weights, order)
    return law_of(law)


def test_sums_over_all_rankings_pass() -> None:
    """Sets, ranked lists and single items have the probabilities of all rankings together."""
    assert failed_ids(GROUP, "gumbel-set-law", lambda v: by_rankings(v, is_ranked=False)) == set()
    assert failed_ids(GROUP, "gumbel-ranked-law", lambda v: by_rankings(v, is_ranked=True)) == set()
    assert failed_ids(GROUP, "exponential-law", lambda v: by_rankings(v, is_ranked=True)) == set()


def by_products(vector: Vector) -> dict[str, Any]:
    """Give each set the product of its weights, which is wrong for k > 1."""
    weights = weights_of(vector)
    sets = list(combinations(range(1, len(weights) + 1), vector.input["k"]))
    products = {chosen: math.prod(weights[i - 1] for i in chosen) for chosen in sets}
    total = sum(products.values())
    return law_of({chosen: product / total for chosen, product in products.items()})


def test_products_of_weights_are_found() -> None:
    """The wrong law fails exactly if more than one item and fewer than all are selected."""
    assert failed_ids(GROUP, "gumbel-set-law", by_products) == {
        "law-gumbel-pairs",
        "law-gumbel-ties",
        "law-gumbel-overflow",
        "law-gumbel-other-base",
    }


def by_exponentials(vector: Vector) -> dict[str, Any]:
    """Compute the weights e^(epsilon h) in doubles on the way, which raises if one overflows."""
    rate = math.log(vector.input["base"])
    assert all(math.exp(rate * h) >= 1 for h in vector.input["scores"])
    return by_rankings(vector, is_ranked=False)


def test_weights_in_doubles_are_found() -> None:
    """e^(epsilon h) overflows for scores of 2000 and of 1100."""
    assert failed_ids(GROUP, "gumbel-set-law", by_exponentials) == {
        "law-gumbel-overflow",
        "law-gumbel-underflow",
    }


def test_half_of_epsilon_is_found() -> None:
    """Weights e^(epsilon h/2) fail if the scores differ."""

    def law_of_half_the_rate(vector: Vector) -> dict[str, Any]:
        scores, base = vector.input["scores"], math.sqrt(vector.input["base"])
        weights = [Fraction(base ** (h - max(scores))) for h in scores]
        total = sum(weights)
        return law_of({(i,): float(w / total) for i, w in enumerate(weights, start=1)})

    found = failed_ids(GROUP, "exponential-law", law_of_half_the_rate)
    assert found == {"law-exponential"}


def laplace_by_integration(vector: Vector) -> dict[str, Any]:
    """Integrate over the smallest noisy score of the set, by quadrature between the kinks."""
    scores, rate = np.array(vector.input["scores"]), math.log(vector.input["base"])
    law = {}
    for chosen in combinations(range(1, len(scores) + 1), vector.input["k"]):
        inside = np.isin(np.arange(1, len(scores) + 1), chosen)

        def density(t: float, inside: Any = inside) -> float:
            z = rate * (t - scores)
            tails, densities = stats.laplace.sf(z[inside]), rate * stats.laplace.pdf(z[inside])
            others = stats.laplace.cdf(z[~inside])
            slope = sum(densities[i] * np.prod(np.delete(tails, i)) for i in range(len(densities)))
            return float(slope * np.prod(others))

        ends = [-80 / rate, *sorted(set(scores.tolist())), max(scores) + 80 / rate]
        law[chosen] = sum(
            integrate.quad(density, a, b, epsabs=0, epsrel=1e-13, limit=200)[0]
            for a, b in pairwise(ends)
        )
    return law_of(law)


@pytest.mark.slow
@pytest.mark.parametrize(
    "vector", vectors_for(GROUP, "laplace-set-law"), ids=lambda vector: vector.id
)
def test_laplace_laws_by_integration_pass(vector: Vector) -> None:
    """Quadrature of the separation integral agrees to 40 bits."""
    assert passes(vector, laplace_by_integration)


@pytest.mark.parametrize(
    "vector", vectors_for(GROUP, "laplace-set-law"), ids=lambda vector: vector.id
)
def test_laplace_laws_are_sums_of_their_parts(vector: Vector) -> None:
    """rational + log_coefficient ln(base) sums to 1 exactly: to 1 and to 0."""
    exact = vector.intermediates["exact"]
    assert sum(row["rational"] for row in exact) == 1
    assert sum(row["log_coefficient"] for row in exact) == 0


def test_the_gumbel_law_is_found_under_laplace_noise() -> None:
    """The law of Gumbel noise fails, except if there is one set only or all scores are equal."""
    agreeing = {"law-laplace-all", "law-laplace-equal-scores"}
    ids = {vector.id for vector in vectors_for(GROUP, "laplace-set-law")}

    def as_double(vector: Vector) -> dict[str, Any]:
        rows = by_rankings(vector, is_ranked=False)["law"]
        return {"law": [{**row, "probability": float(row["probability"])} for row in rows]}

    assert failed_ids(GROUP, "laplace-set-law", as_double) == ids - agreeing


def by_orders(vector: Vector) -> dict[str, Any]:
    """Permute and flip: walk through every order of the items."""
    scores, base = vector.input["scores"], vector.input["base"]
    law: dict[tuple[int, ...], Fraction] = {(i,): Fraction(0) for i in range(1, len(scores) + 1)}
    for order in permutations(range(1, len(scores) + 1)):
        reached = Fraction(1, math.factorial(len(scores)))
        for item in order:
            accepted = 1 / base ** (max(scores) - scores[item - 1])
            law[item,] += reached * accepted
            reached *= 1 - accepted
    return law_of(law)


def test_permute_and_flip_by_all_orders_passes() -> None:
    """The sum over all orders of the items passes."""
    assert failed_ids(GROUP, "permute-and-flip-law", by_orders) == set()


def test_the_exponential_mechanism_is_no_permute_and_flip() -> None:
    """Normalised acceptance probabilities fail both vectors."""
    found = failed_ids(GROUP, "permute-and-flip-law", lambda v: by_rankings(v, is_ranked=True))
    assert found == {"law-permute-and-flip", "law-permute-and-flip-pair"}


def in_a_limited_domain(vector: Vector, width: Callable[[int, int], int]) -> dict[str, Any]:
    """Sum over all rankings of the entering items and a token, each cut at the token."""
    given = vector.input
    scores, k, k_bar, base = given["scores"], given["k"], given["k_bar"], given["base"]
    m = len(scores)
    order = sorted(range(1, m + 1), key=lambda i: (-scores[i - 1], i))
    weights = {i: base ** scores[i - 1] for i in order[:k_bar]}
    if k_bar < m:
        weights[0] = base ** (scores[order[k_bar] - 1] + 1) * width(k_bar, m) / given["delta"]
    names = list(weights)
    law: dict[tuple[int, ...], Fraction] = {}
    for ranks in permutations(range(1, len(names) + 1)):
        probability = ranking(list(weights.values()), ranks)
        items = tuple(names[rank - 1] for rank in ranks)
        output = (items[: items.index(0)] if 0 in items else items)[:k]
        law[output] = law.get(output, Fraction(0)) + probability
    return law_of(law)


def test_limited_domains_by_all_rankings_pass() -> None:
    """The sum over all rankings, with the token as one more item, passes."""
    found = failed_ids(
        GROUP, "limited-domain-law", lambda v: in_a_limited_domain(v, lambda b, m: min(b, m - b))
    )
    assert found == set()


def test_the_wrong_width_is_found() -> None:
    """k_bar for min(k_bar, m - k_bar) fails the vector made for it."""
    found = failed_ids(
        GROUP, "limited-domain-law", lambda v: in_a_limited_domain(v, lambda b, m: b)
    )
    assert found == {"law-limited-domain-width"}


def two_laws(vector: Vector) -> tuple[list[Fraction], list[Fraction]]:
    """Return the laws of both score lists, by all rankings."""
    laws = []
    for name in ("scores", "other_scores"):
        given = {**vector.input, "scores": vector.input[name]}
        one = Vector(vector.id, "", "", (), given, {}, {}, vector.tolerance)
        laws.append([row["probability"] for row in by_rankings(one, is_ranked=False)["law"]])
    return laws[0], laws[1]


def test_ratios_of_single_outputs_pass() -> None:
    """The largest ratio of single outputs passes: without delta the worst set is one output."""

    def largest_ratio(vector: Vector) -> dict[str, Any]:
        pairs = list(zip(*two_laws(vector), strict=True))
        return {"ratio": max(max(p / q, q / p) for p, q in pairs)}

    assert failed_ids(GROUP, "tight-ratio", largest_ratio) == set()


@pytest.mark.parametrize("step", [2, 4])
def test_bounds_are_no_ratios(step: int) -> None:
    """e^(k epsilon) and e^(2 k epsilon) fail every vector: the ratio itself is asked for."""
    found = failed_ids(GROUP, "tight-ratio", lambda v: {"ratio": Fraction(step) ** v.input["k"]})
    assert found == {vector.id for vector in vectors_for(GROUP, "tight-ratio")}


def test_swapped_votes_exceed_the_pure_bound() -> None:
    """Under add/remove the ratios are at most e^(k epsilon), under the wider relation larger."""
    exceeding = {
        vector.id
        for vector in vectors_for(GROUP, "tight-ratio")
        if vector.expected["ratio"] > vector.input["base"] ** vector.input["k"]
    }
    assert exceeding == {"ratio-swap", "ratio-l-infinity", "ratio-of-pairs-swapped"}


def with_replacement(vector: Vector) -> dict[str, Any]:
    """Draw every place of a ranked list from the weights of the whole domain."""
    weights = weights_of(vector)
    total = sum(weights)
    orders = permutations(range(1, len(weights) + 1), vector.input["k"])
    return law_of({o: math.prod(weights[i - 1] / total for i in o) for o in orders})


def test_draws_with_replacement_are_found() -> None:
    """Draws with replacement fail both vectors of ranked lists."""
    found = failed_ids(GROUP, "gumbel-ranked-law", with_replacement)
    assert found == {"law-gumbel-ranked", "law-gumbel-ranked-all"}


def excess(p: Sequence[Fraction], q: Sequence[Fraction], ratio: Fraction) -> Fraction:
    """Return the largest P(A) - ratio Q(A) over all sets A, by trying them all."""
    outputs = range(len(p))
    sets = [s for size in range(len(p) + 1) for s in combinations(outputs, size)]
    return max(sum((p[o] - ratio * q[o] for o in s), Fraction(0)) for s in sets)


def test_deltas_over_all_sets_pass() -> None:
    """The definition, tried on all sets of outputs in both directions, gives the delta."""

    def both_ways(vector: Vector) -> dict[str, Any]:
        p, q = two_laws(vector)
        ratio = vector.input["ratio"]
        return {"delta": max(excess(p, q, ratio), excess(q, p, ratio))}

    assert failed_ids(GROUP, "tight-delta", both_ways) == set()


def test_wrong_deltas_are_found() -> None:
    """A delta of one direction, and one of single outputs, fail the vectors made for them."""

    def one_way(vector: Vector) -> dict[str, Any]:
        p, q = two_laws(vector)
        return {"delta": excess(p, q, vector.input["ratio"])}

    def one_output(vector: Vector) -> dict[str, Any]:
        p, q = two_laws(vector)
        ratio = vector.input["ratio"]
        gaps = [(a - ratio * b, b - ratio * a) for a, b in zip(p, q, strict=True)]
        return {"delta": max(Fraction(0), *(max(gap) for gap in gaps))}

    assert "delta-both-ways" in failed_ids(GROUP, "tight-delta", one_way)
    assert "delta-at-ratio" in failed_ids(GROUP, "tight-delta", one_output)
