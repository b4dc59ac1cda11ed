"""Checks that privacy forces low items into the output, and of what that costs by sorted access."""

from fractions import Fraction
from itertools import combinations, product

from privtopk.spec.laws.gumbel import set_law, weights
from privtopk.spec.lower_bounds.certificate import report_probability
from privtopk.spec.lower_bounds.hard_families import HardInstance, hard_instance, printed_low_size
from privtopk.spec.lower_bounds.hit_certificate import demanded_hits
from privtopk.spec.lower_bounds.theorems import (
    miss_probability,
    sorted_access_product,
    sorted_low_size,
)
from privtopk.spec.model.access import sorted_entries
from privtopk.spec.model.accuracy import top_items
from privtopk.spec.model.privacy import tight_ratio
from privtopk.spec.model.values import Histogram, Item, items_of
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.sizes import pairs_up_to

Law = dict[frozenset[Item], Fraction]
BASES = (Fraction(11, 10), Fraction(3, 2), Fraction(3))
"""Values of e^epsilon for one of the k selections."""


def _gumbel_law(histogram: Histogram, k: int, base: Fraction) -> Law:
    """Return the exact output law of the one-shot mechanism with Gumbel noise."""
    return set_law(weights(histogram, base), k)


def _leaky_law(histogram: Histogram, k: int, base: Fraction, leak: Fraction) -> Law:
    """Return the law of a mechanism that returns the exact answer with probability `leak`."""
    law = {output: (1 - leak) * p for output, p in _gumbel_law(histogram, k, base).items()}
    law[frozenset(top_items(histogram, k))] += leak
    return law


def _ceil_quotient(s: int, k: int) -> int:
    return -(-s // k)


def _instances(m: int, s: int, a: int, n: int) -> list[HardInstance]:
    """Return the instances with S = [s] and every low set of a items."""
    chosen = items_of(s)
    return [hard_instance(m, chosen, low, n) for low in combinations(chosen, a)]


def _meeting_probability(law: Law, low: frozenset[Item]) -> Fraction:
    return sum((p for output, p in law.items() if output & low), Fraction(0))


@supports("lem:report-low-items", method=Method.EXACT)
def private_mechanisms_report_low_items() -> str:
    """Real mechanisms return a low item at least as often as Lemma 5.2 demands of their parameters.

    The Gumbel mechanism is base^k-private; the leaky one also has delta > 0.
    """
    cases = 0
    for m in (3, 5):
        for k, s in pairs_up_to(m):
            a = _ceil_quotient(s, k)
            instances = _instances(m, s, a, 3)
            for base in BASES:
                for leak in (Fraction(0), Fraction(1, 10)):
                    cases += 1
                    law = _leaky_law(instances[0].base, k, base, leak)
                    beta = 1 - sum(p for output, p in law.items() if output <= {*items_of(s)})
                    outputs = [_leaky_law(each.neighbour, k, base, leak) for each in instances]
                    met = sum(
                        map(_meeting_probability, outputs, (each.low for each in instances)),
                        Fraction(0),
                    )
                    chance = met / len(instances)
                    claimed = report_probability(k, s, a, base**-k, leak, beta)
                    where = f"m={m}, k={k}, s={s}, base={base}, leak={leak}"
                    expect(chance >= claimed, f"{where}: {chance} < {claimed}")
                    printed = ball(base**-k) * (ball(1 - beta - leak) - ball(-1).exp())
                    expect(ball(chance) >= printed, f"{where}: {chance} < {printed}")
    return f"m = 3, 5, all k <= |S|: {cases} mechanisms, averaged over all low sets"


def _mean_hits(law: Law, low: frozenset[Item], hits: int) -> Fraction:
    """Return the mean number of low items in the output, counting at most `hits`."""
    return sum((p * min(hits, len(output & low)) for output, p in law.items()), Fraction(0))


@supports("ours:hit-certificate", method=Method.EXACT)
def private_mechanisms_report_many_low_items() -> str:
    """Real mechanisms return as many low items as the hit certificate demands of them."""
    cases, positive, complements = 0, 0, 0
    for m, s, k, a in ((3, 2, 2, 1), (5, 4, 2, 2), (5, 5, 3, 4), (5, 4, 3, 3), (6, 5, 2, 3)):
        instances = _instances(m, s, a, 30)
        for base, leak in product(BASES, (Fraction(0), Fraction(1, 10))):
            law = _leaky_law(instances[0].base, k, base, leak)
            beta = 1 - sum(p for output, p in law.items() if output <= {*items_of(s)})
            outputs = [_leaky_law(each.neighbour, k, base, leak) for each in instances]
            for hits in range(1, min(k, a) + 1):
                cases += 1
                pairs = zip(outputs, (each.low for each in instances), strict=True)
                mean = sum((_mean_hits(*pair, hits) for pair in pairs), Fraction(0))
                demanded = demanded_hits(k, s, a, hits, base**-k, leak, beta)
                where = f"m={m}, k={k}, s={s}, a={a}, hits={hits}, base={base}, leak={leak}"
                expect(mean >= demanded * len(instances), f"{where}: {mean} < {demanded}")
                positive += demanded > 0
                complements += demanded > base**-k * (1 - beta) * hits
    expect(positive * 2 > cases, "most demands are not positive")
    expect(complements > 0, "the complement never demands more than e^-epsilon of all hits")
    return f"m <= 6: {cases} demands, {positive} of them positive, averaged over all low sets"


@supports("lem:report-low-items", method=Method.EXACT)
def privacy_is_needed_to_report() -> str:
    """The mechanism is base^k-private on these pairs; the exact answer never has a low item."""
    m, k, s = 5, 2, 4
    for base in BASES:
        for each in _instances(m, s, 2, 3):
            pair = (_gumbel_law(each.base, k, base), _gumbel_law(each.neighbour, k, base))
            for p, q in (pair, pair[::-1]):
                ratio = tight_ratio(p, q)
                expect(ratio is not None and ratio <= base**k, f"base={base}: {ratio}")
    exact = [bool({*top_items(each.neighbour, k)} & each.low) for each in _instances(m, s, 2, 3)]
    expect(not any(exact), "the control, the exact answer, met a low item")
    return "m = 5, k = 2, |S| = 4: ratios at most base^2; the exact answer never meets S_L"


@supports("lem:report-low-items", "erratum:integrality", method=Method.ARB)
def low_sets_of_ceil_size_are_hard_to_miss() -> str:
    """C(s-k,a)/C(s,a) is at most 1/e for a = ceil(s/k), and e^(-1/2) for a = ceil(s/2k)."""
    cases, floors = 0, 0
    for k, s in pairs_up_to(90):
        cases += 1
        missed = miss_probability(s, k, _ceil_quotient(s, k))
        expect(ball(missed) <= ball(-1).exp(), f"k={k}, s={s}: {missed}")
        half = miss_probability(s, k, _ceil_quotient(s, 2 * k))
        expect(ball(half) <= ball(Fraction(-1, 2)).exp(), f"k={k}, s={s}: {half}")
        floors += bool(ball(miss_probability(s, k, s // k)) > ball(-1).exp())
    expect(floors > 0, "the control, floor(s/k), did not fail")
    return f"all k <= s <= 90: {cases:,} sizes; with the floor it fails {floors:,} times"


@supports("ours:lower-sorted", "thm:lower-sorted", method=Method.EXACT)
def ingredients_of_the_sorted_bound() -> str:
    """With p = (1+delta)/2: m - a + 1 >= m (1-p), and P(S_L is missed) is at most 1-p."""
    cases = 0
    for k, m in pairs_up_to(40):
        for delta in (Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
            cases += 1
            a, missed = sorted_low_size(m, k, delta), (1 - delta) / 2
            where = f"m={m}, k={k}, delta={delta}, a={a}"
            expect(m - a + 1 >= m * missed, f"{where}: too few high items")
            expect(miss_probability(m, k, a) <= missed, f"{where}: missed too often")
            is_least = a == 1 or (m - a + 1) ** k > missed * m**k
            expect(is_least, f"{where}: a smaller low set is enough")
            bound = sorted_access_product(m, k, Fraction(1), delta)
            expect(bound >= (1 - delta) ** 2 * m / 4, f"{where}: {bound}")
    return f"all k <= m <= 40: {cases:,} choices"


def _last_rank(histogram: Histogram, output: frozenset[Item]) -> int:
    """Return how many sorted accesses deliver the whole output."""
    order = [entry.item for entry in sorted_entries(histogram)]
    return max(order.index(item) for item in output) + 1


def _sorted_cost(instances: list[HardInstance], k: int, base: Fraction) -> Fraction:
    """Return the least expected sorted accesses of the Gumbel mechanism on the second histogram.

    An implementation must have received every item that it returns.
    """
    costs = (
        p * _last_rank(each.neighbour, output)
        for each in instances
        for output, p in _gumbel_law(each.neighbour, k, base).items()
    )
    return sum(costs, Fraction(0)) / len(instances)


@supports("ours:lower-sorted", method=Method.EXACT)
def real_mechanism_pays_the_sorted_bound() -> str:
    """On S2's input the Gumbel mechanism needs at least as many sorted accesses as S2 states."""
    cases = 0
    for m in (1, 2, 4, 6):
        for k in range(1, m + 1):
            instances = _instances(m, m, sorted_low_size(m, k, 0), 1)
            for base in BASES:
                cases += 1
                cost = _sorted_cost(instances, k, base)
                product = sorted_access_product(m, k, base**-k, 0)
                expect(cost >= product >= base**-k * m / 4, f"m={m}, k={k}, base={base}: {cost}")
    exact = [_last_rank(h, frozenset(top_items(h, 1))) for h in ((1, 1, 0, 0, 0, 0), (0,) * 6)]
    expect(max(exact) < Fraction(6, 4), "the control, the exact answer, did not fail")
    return f"m <= 6: {cases} mechanisms over all low sets; the exact answer costs 1 < m/4"


@supports("thm:lower-sorted", method=Method.EXACT)
def printed_sorted_bound_from_two_items_on() -> str:
    """The printed family bounds the cost by a constant times m for k >= 2, and by 0 for k = 1."""
    left = ball(Fraction(4, 10)) - ball(-1).exp()
    expect(left > ball(Fraction(3, 100)), f"1 - 0.6 - 1/e = {left}")
    for k in range(2, 40):
        for s in range(k, 400, k):
            expect(s - printed_low_size(s, k) >= Fraction(s, 2), f"k={k}, |S|={s}")
    expect(7 - printed_low_size(7, 1) == 0, "k = 1 leaves high items")
    cases = 0
    for m, k in ((4, 2), (6, 3), (8, 2)):
        instances = _instances(m, m // 2, printed_low_size(m // 2, k), 3)
        for base in BASES:
            cases += 1
            law = _gumbel_law(instances[0].base, k, base)
            accurate = sum(p for output, p in law.items() if output <= {*items_of(m // 2)})
            claimed = ball(base**-k) * (ball(accurate) - ball(-1).exp())
            free = m // 2 - printed_low_size(m // 2, k)
            cost = _sorted_cost(instances, k, base)
            expect(ball(cost) >= claimed * free, f"m={m}, k={k}, base={base}: {cost}")
    return f"constants for k < 40; {cases} real mechanisms; S2 covers k = 1"
