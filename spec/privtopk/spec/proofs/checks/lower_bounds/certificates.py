"""Checks that no certificate exceeds the cost of a real algorithm that satisfies its premises."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.algorithms.threshold import Reading
from privtopk.spec.lower_bounds.certificate import certificate_exact
from privtopk.spec.lower_bounds.hard_families import HardInstance, hard_instance
from privtopk.spec.lower_bounds.hit_certificate import hit_certificate_exact
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.privacy import tight_delta
from privtopk.spec.model.values import Histogram, Item, items_of
from privtopk.spec.proofs.gate.registry import Method, expect, supports

Law = dict[frozenset[Item], Fraction]


def _instances(m: int, s: int, a: int, n: int) -> Iterator[HardInstance]:
    """Yield every instance of these sizes, all equally likely."""
    for chosen in combinations(items_of(m), s):
        yield from (hard_instance(m, chosen, low, n) for low in combinations(chosen, a))


def _lottery(histogram: Histogram, ranks: Sequence[int]) -> tuple[frozenset[Item], int]:
    """Read the list down to the largest of these ranks; return the items there, and the cost.

    With uniform ranks up to |S| the output is a uniform subset of S on both histograms:
    perfectly private and accurate on the hard inputs.
    """
    source = StoredList(histogram)
    delivered = [source.sorted_access().item for _ in range(max(ranks))]
    return frozenset(delivered[rank - 1] for rank in ranks), source.ledger.cost


def _lottery_cost(k: int, s: int) -> Fraction:
    return Fraction(k * (s + 1), k + 1)


@supports("ours:certificate", method=Method.ENUMERATION)
def lottery_is_private_and_accurate() -> str:
    """Returning uniform ranks among the first |S| has one law on all hard inputs of one S."""
    cases = 0
    for m, s, a, k in ((4, 3, 1, 1), (4, 3, 2, 2), (5, 4, 2, 2), (5, 4, 1, 3)):
        draws = list(combinations(range(1, s + 1), k))
        for each in _instances(m, s, a, 3):
            for histogram in (each.base, each.neighbour):
                cases += 1
                played = [_lottery(histogram, ranks) for ranks in draws]
                outputs = Counter(output for output, _ in played)
                uniform = Counter(map(frozenset, combinations(sorted(each.chosen), k)))
                expect(outputs == uniform, f"{histogram}: {outputs}")
                cost = Fraction(sum(cost for _, cost in played), len(played))
                expect(cost == _lottery_cost(k, s), f"{histogram}: {cost}")
    return f"{cases} inputs, every draw played"


def _sizes(m: int) -> Iterator[tuple[int, int, int]]:
    """Yield all k <= s <= m and 1 <= a <= s."""
    return ((k, s, a) for s in range(1, m + 1) for k in range(1, s + 1) for a in range(1, s + 1))


@supports("ours:certificate", method=Method.EXACT)
def certificates_stay_below_a_real_cost() -> str:
    """No certificate exceeds the cost of the lottery, even if it sometimes leaks or fails.

    With probability delta it returns the exact answer, with probability beta k fixed items.
    Both cost k.
    """
    cases, closest = 0, Fraction(0)
    choices = [(m, *sizes) for m in (1, 2, 5, 9, 12) for sizes in _sizes(m)]
    choices += [(400, k, s, a) for k in (1, 2) for s in (10, 20, 40) for a in (2, 5, s // 2)]
    rare = Fraction(1, 5)
    for m, k, s, a in choices:
        for delta, beta in ((Fraction(0), Fraction(0)), (rare, Fraction(0)), (Fraction(0), rare)):
            cases += 1
            cost = (1 - delta - beta) * _lottery_cost(k, s) + (delta + beta) * k
            bound = certificate_exact(m, k, s, a, Fraction(1), delta, beta)
            expect(0 <= bound <= cost, f"m={m}, k={k}, s={s}, a={a}: {bound} > {cost}")
            closest = max(closest, bound / cost) if bound > k else closest
    expect(closest > Fraction(1, 3), "the control, a third of the cost, was never exceeded")
    return f"{cases:,} certificates; those above k reach {float(closest):.3f} of the real cost"


@supports("ours:hit-certificate", method=Method.EXACT)
def hit_certificates_stay_below_a_real_cost() -> str:
    """No hit certificate exceeds the cost of the lottery, which is private and accurate."""
    cases, closest = 0, Fraction(0)
    choices = [(m, *sizes) for m in (1, 2, 5, 9) for sizes in _sizes(m)]
    choices += [(400, k, s, a) for k in (1, 4) for s in (10, 20, 40) for a in (4, s // 2)]
    for m, k, s, a in choices:
        for hits in range(1, min(k, a) + 1):
            cases += 1
            bound = hit_certificate_exact(m, k, s, a, hits, Fraction(1), 0, 0)
            cost = _lottery_cost(k, s)
            expect(0 <= bound <= cost, f"m={m}, k={k}, s={s}, a={a}, hits={hits}: {bound}")
            closest = max(closest, bound / cost) if k < s else closest
    expect(closest > Fraction(1, 2), "the control, half of the cost, was never exceeded")
    return f"{cases:,} certificates, up to {float(closest):.3f} of the real cost"


def _threshold_runs(
    histogram: Histogram, noise_values: Sequence[int], k: int
) -> tuple[Law, Fraction]:
    """Return output law and mean cost of Algorithm 3 over all orders of these noises."""
    outputs: Counter[frozenset[Item]] = Counter()
    cost = 0
    for noises in permutations(noise_values):
        source = StoredList(histogram)
        outputs[private_threshold(source, StoredList(noises), k, Reading.MEMOISED).items] += 1
        cost += source.ledger.cost
    runs = outputs.total()
    law = {output: Fraction(count, runs) for output, count in outputs.items()}
    return law, Fraction(cost, runs)


def _parameters(
    instances: Sequence[HardInstance], noise_values: Sequence[int], k: int, ratio: Fraction
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the algorithm's true delta at e^epsilon = ratio, its beta, and its mean cost."""
    deltas, betas, costs = [], [], []
    for each in instances:
        before, _ = _threshold_runs(each.base, noise_values, k)
        after, cost = _threshold_runs(each.neighbour, noise_values, k)
        deltas.append(tight_delta(before, after, ratio))
        betas.append(sum((p for out, p in before.items() if not out <= each.chosen), Fraction(0)))
        costs.append(cost)
    return max(deltas), max(betas), sum(costs, Fraction(0)) / len(costs)


@supports("ours:certificate", "ours:hit-certificate", method=Method.EXACT)
def threshold_algorithm_pays_its_certificate() -> str:
    """Algorithm 3 with a finite noise costs at least the certificates of its true parameters."""
    cases, positive = 0, 0
    for m, s, a, k in ((3, 2, 1, 1), (4, 3, 1, 1), (4, 3, 1, 2), (4, 4, 2, 1)):
        for n, noise_values in ((3, (0, 1, 2, 4)), (3, (0, 3, 6, 9)), (30, (0, 3, 6, 9))):
            instances = list(_instances(m, s, a, n))
            for ratio in (Fraction(1), Fraction(2)):
                cases += 1
                delta, beta, cost = _parameters(instances, noise_values[:m], k, ratio)
                if delta < 1 and beta < 1:
                    promise = (1 / ratio, delta, beta)
                    bounds = [certificate_exact(m, k, s, a, *promise)]
                    counts = range(1, min(k, a) + 1)
                    bounds += [hit_certificate_exact(m, k, s, a, c, *promise) for c in counts]
                    where = f"m={m}, s={s}, a={a}, k={k}, n={n}"
                    expect(max(bounds) <= cost, f"{where}: {max(bounds)} > {cost}")
                    positive += min(bounds) > 0
    expect(positive > 0, "no certificate is positive")
    return f"{cases} algorithms, {positive} with a positive certificate"
