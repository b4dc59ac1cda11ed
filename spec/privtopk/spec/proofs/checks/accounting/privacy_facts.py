"""Checks of the paper's privacy facts: exact ratios, their neighbour relation, tight pairs."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from flint import arb, ctx

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.laws.gumbel import ranked_law, set_law, weights
from privtopk.spec.laws.laplace import exact_laplace_set_law
from privtopk.spec.laws.log_linear import LogLinear
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.privacy import is_private, tight_ratio
from privtopk.spec.model.values import Histogram, Item
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports
from privtopk.spec.proofs.instruments.small_tables import neighbouring_pairs

BASE = Fraction(2)
"""e^epsilon in the exact checks; not e, so that epsilon and 1/epsilon cannot be confused."""

WITNESSES: tuple[tuple[Histogram, Histogram, int, Fraction], ...] = (
    ((1, 3), (0, 4), 1, Fraction(17, 5)),
    ((1, 0, 0), (0, 1, 1), 1, Fraction(5, 2)),
    ((1, 1, 3, 3), (0, 0, 4, 4), 2, Fraction(187, 15)),
)
"""Pairs at l-infinity distance 1 with k and the exact ratio of their Gumbel set laws."""


@refutes("fact:gumbel-pure", "erratum:neighbour-relation", method=Method.EXACT)
def gumbel_exceeds_k_eps_at_l_infinity() -> str:
    """At l-infinity distance 1 the Gumbel sets exceed the printed ratio e^(k eps)."""
    found = []
    for first, second, k, stated in WITNESSES:
        expect(is_neighbour(first, second, Relation.L_INFINITY), f"{first} {second}")
        ratio = tight_ratio(set_law(weights(first, BASE), k), set_law(weights(second, BASE), k))
        expect(ratio == stated, f"{first} {second}: {ratio}")
        expect(stated > BASE**k, f"{stated} does not exceed {BASE**k}")
        found.append(f"{stated} > {BASE**k}")
    return "e^eps = 2: " + ", ".join(found)


@refutes("erratum:exponential-mechanism", method=Method.EXACT)
def exponential_mechanism_exceeds_eps_at_l_infinity() -> str:
    """The exponential mechanism has the ratio 17/5 > 2 on a pair at l-infinity distance 1."""
    ratio = tight_ratio(exponential_law((1, 3), BASE), exponential_law((0, 4), BASE))
    expect(ratio == Fraction(17, 5), f"{ratio}")
    return "e^eps = 2, h = (1, 3), h' = (0, 4): 17/5"


@supports(
    "fact:gumbel-pure",
    "ours:accounting-pure",
    "erratum:neighbour-relation",
    "erratum:exponential-mechanism",
    "rem:ranked-release",
    method=Method.EXACT,
    is_slow=True,
)
def gumbel_is_k_eps_and_two_k_eps() -> str:
    """Gumbel sets and ranked lists are k eps-private under add/remove, 2k eps under l-infinity."""
    cases = 0
    for base, m, largest in ((BASE, 3, 3), (Fraction(6, 5), 3, 2), (BASE, 4, 1)):
        for relation, factor in ((Relation.ADD_REMOVE, 1), (Relation.L_INFINITY, 2)):
            for first, second in neighbouring_pairs(m, largest, relation):
                for k in range(1, m):
                    cases += 1
                    ratio = base ** (factor * k)
                    p, q = (ranked_law(weights(h, base), k) for h in (first, second))
                    expect(is_private(p, q, ratio), f"{first} {second} k = {k}, ranked")
                    a, b = (set_law(weights(h, base), k) for h in (first, second))
                    expect(is_private(a, b, ratio), f"{first} {second} k = {k}, set")
    return f"m <= 4: {cases:,} pairs and k, sets and ranked lists, in exact rationals"


@supports("ours:accounting-pure", "rem:ranked-release", method=Method.EXACT)
def gumbel_accounting_is_tight() -> str:
    """The losses k eps and 2k eps are approached as m grows, so no smaller factor holds."""
    for k in (1, 2):
        rest = 400
        up = _group_ratio((1,) * k + (0,) * rest, (0,) * k + (0,) * rest, k)
        expect(up > Fraction(95, 100) * BASE**k, f"add/remove, k = {k}: {float(up)}")
        both = _group_ratio((1,) * k + (0,) * rest, (0,) * k + (1,) * rest, k)
        expect(both > Fraction(95, 100) * BASE ** (2 * k), f"l-infinity, k = {k}: {float(both)}")
    return "m = 400 and more: above 95 % of e^(k eps) and e^(2k eps)"


def _group_ratio(first: Histogram, second: Histogram, k: int) -> Fraction:
    """Return the ratio of the probabilities that the ranked list is 1, ..., k."""
    ratio = Fraction(1)
    for step in range(k):
        ratio *= BASE ** (first[step] - second[step])
        ratio *= sum(BASE**score for score in second[step:])
        ratio /= sum(BASE**score for score in first[step:])
    return ratio


def _ratios_are_at_most(
    p: Mapping[frozenset[Item], LogLinear], q: Mapping[frozenset[Item], LogLinear], ratio: Fraction
) -> bool:
    """Decide exactly whether p <= ratio q and q <= ratio p for every set."""
    return not any(
        (p[s] - q[s] * ratio).is_positive() or (q[s] - p[s] * ratio).is_positive() for s in p
    )


@supports(
    "fact:laplace-pure",
    "ours:accounting-laplace",
    "erratum:laplace-tight",
    method=Method.EXACT,
    is_slow=True,
)
def laplace_is_k_eps_and_two_k_eps() -> str:
    """Laplace sets are k eps-private under add/remove and 2k eps-private under l-infinity."""
    cases = 0
    for relation, factor in ((Relation.ADD_REMOVE, 1), (Relation.L_INFINITY, 2)):
        for first, second in neighbouring_pairs(3, 2, relation):
            for k in (1, 2):
                cases += 1
                laws = [exact_laplace_set_law(h, k, BASE) for h in (first, second)]
                ratio = BASE ** (factor * k)
                expect(
                    _ratios_are_at_most(laws[0], laws[1], ratio),
                    f"{first} {second} k = {k} {relation}",
                )
    return f"m = 3, scores to 2: {cases} pairs and k, decided exactly in a + b ln 2"


@supports("erratum:laplace-tight", "fact:laplace-pure", method=Method.EXACT)
def laplace_is_tight_at_l_infinity() -> str:
    """With k = 1 and m = 60 the l-infinity ratio exceeds 0.9999 e^(2 eps)."""
    others = 59
    first, second = (1, *(0,) * others), (0, *(1,) * others)
    laws = [exact_laplace_set_law(h, 1, BASE)[frozenset({Item(1)})] for h in (first, second)]
    expect((laws[0] - laws[1] * Fraction(39996, 10000)).is_positive(), "the ratio is smaller")
    expect(not (laws[0] - laws[1] * 4).is_positive(), "the ratio exceeds e^(2 eps)")
    return "e^eps = 2, m = 60: between 3.9996 and 4"


@supports("erratum:laplace-hypothesis", method=Method.ARB)
def laplace_hypothesis_is_vacuous_at_zero() -> str:
    """The printed bound is infinite at delta = 0, and below 2k eps only if k > 16 ln(m/delta)."""
    ctx.prec = 100
    expect(not (arb(10) / arb(0)).log().is_finite(), "ln(m/0) is finite")
    for m, exponent in product((10, 10**6), (2, 6, 12)):
        log_term = (arb(m) * arb(10) ** exponent).log()
        border = 16 * log_term
        for k in (int(float(border)) - 1, int(float(border)) + 1):
            printed, pure = 8 * (k * log_term).sqrt(), 2 * arb(k)
            expect(bool(printed < pure) == bool(arb(k) > border), f"m = {m}, k = {k}")
    return "delta = 0, and six borders of k"
