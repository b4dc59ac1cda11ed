"""Checks of the hit certificate against the cheapest algorithm, found among all of them."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from privtopk.spec.laws.hypergeometric import hypergeometric_cdf
from privtopk.spec.lower_bounds.certificate import certificate_exact
from privtopk.spec.lower_bounds.hit_certificate import (
    demanded_hits,
    hit_certificate_exact,
    hit_rate,
    luck_bound,
)
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.access_games import (
    HitGame,
    all_instances,
    least_price,
    with_known_highs,
)

SIZES = ((4, 3, 1), (4, 3, 2), (5, 3, 1), (5, 4, 2), (5, 4, 3), (6, 4, 2), (6, 3, 2))
"""m, s and a of the games whose strategies are enumerated."""

PRICES = ((1, 1), (1, 3), (3, 1))

NOTHING, EIGHTH = Fraction(0), Fraction(1, 8)
PROMISES = (
    (Fraction(1), NOTHING, NOTHING),
    (Fraction(3, 4), EIGHTH, NOTHING),
    (Fraction(1, 2), NOTHING, EIGHTH),
)
"""Triples of e^-epsilon, delta and beta."""


def _games() -> Iterator[tuple[int, int, int, int]]:
    """Yield m, s, a and the hits that count."""
    return ((m, s, a, hits) for m, s, a in SIZES for hits in range(1, a + 1))


@supports("ours:hit-certificate", method=Method.ENUMERATION)
def best_play_buys_at_the_rate() -> str:
    """At any prices, the mean hits of a strategy are at most rate times mean price plus luck.

    If the high items are known, a rate below that of one hit fails.
    """
    games, control_failures = 0, 0
    for m, s, a, hits in _games():
        every = all_instances(m, s, a)
        informed = with_known_highs(every)
        for costs in PRICES:
            rate, luck = hit_rate(m, s, a, hits, costs), luck_bound(m, s, a, hits)
            for instances in (every, informed):
                games += 1
                worth = HitGame(instances, hits, rate, costs).best().worth(rate)
                gain = Fraction(worth, rate.denominator * len(instances))
                where = f"m={m}, s={s}, a={a}, hits={hits}, costs={costs}"
                expect(gain <= luck, f"{where}: gained {gain}")
            lower = rate * Fraction(99, 100)
            control_failures += HitGame(informed, hits, lower, costs).best().worth(lower) > 0
    expect(control_failures * 2 == games, f"a lower rate failed only {control_failures} times")
    return f"m <= 6: {games} games over all strategies; a rate 1 % lower always fails"


@supports("ours:hit-certificate", method=Method.EXACT, is_slow=True)
def certificates_stay_below_the_cheapest_algorithm() -> str:
    """No certificate exceeds the least price of an algorithm with the hits demanded.

    If the high items are known and one hit counts, the certificate is that price.
    """
    cases, closest = 0, Fraction(0)
    for m, s, a, hits in _games():
        every = all_instances(m, s, a)
        for costs in PRICES:
            for promise in PROMISES:
                cases += 1
                k = min(hits + 1, s)
                demanded = demanded_hits(k, s, a, hits, *promise)
                bound = hit_certificate_exact(m, k, s, a, hits, *promise, costs)
                informed = least_price(with_known_highs(every), hits, demanded, costs)
                is_plain = costs == PRICES[0]
                price = least_price(every, hits, demanded, costs) if is_plain else informed
                where = f"m={m}, k={k}, s={s}, a={a}, hits={hits}, costs={costs}"
                expect(bound <= informed <= price, f"{where}: {bound}, {informed}, {price}")
                expect(hits > 1 or bound == informed, f"{where}: {bound} < {informed}")
                closest = max(closest, bound / price)
    expect(closest == 1, f"the control, any larger bound, did not fail: {float(closest)}")
    return f"{cases} certificates against all algorithms, m <= 6; some are attained"


def _best_stop(hidden: int, a: int, hits: int, rate: Fraction) -> Fraction:
    """Return the largest E[hits - rate * accesses] of a strategy with random access only."""

    @cache
    def gain(accesses: int, found: int) -> Fraction:
        if found == hits:
            return Fraction(0)
        chance = Fraction(a - found, hidden - accesses)
        met = chance * (1 + gain(accesses + 1, found + 1))
        missed = (1 - chance) * gain(accesses + 1, found) if chance < 1 else Fraction(0)
        return max(Fraction(0), met + missed - rate)

    return gain(0, 0)


@supports("ours:hit-certificate", method=Method.EXACT)
def luck_of_stopping_is_small() -> str:
    """Random access stopped at the best moment has mean gain at most luck, at rate (a+1)/(M+1)."""
    cases, lucky, largest = 0, 0, Fraction(0)
    for hidden in (1, 2, 5, 9, 14, 24):
        for a in range(1, hidden + 1):
            for hits in range(1, a + 1):
                cases += 1
                gain = _best_stop(hidden, a, hits, Fraction(a + 1, hidden + 1))
                luck = luck_bound(hidden, a, a, hits)
                expect(gain <= luck, f"M={hidden}, a={a}, hits={hits}: {gain} > {luck}")
                expect(hits > 1 or gain == 0, f"M={hidden}, a={a}: {gain} for one hit")
                lucky += gain > 0
                largest = max(largest, gain / luck if luck else Fraction(0))
    expect(lucky > 0, "the control, no luck at all, did not fail")
    return f"{cases} games, {lucky} of them lucky, at most {float(largest):.2f} of the bound"


@supports("ours:hit-certificate", method=Method.EXACT)
def time_of_a_hit_has_its_moments() -> str:
    """The j-th of a low items among M is found at j(M+1)/(a+1), with the variance of the proof."""
    cases = 0
    for hidden in (1, 2, 7, 15):
        for a in range(1, hidden + 1):
            for j in range(1, a + 1):
                cases += 1
                later = [hypergeometric_cdf(hidden, a, t, j - 1) for t in range(hidden)]
                mean = sum(later, Fraction(0))
                square = sum(((2 * t + 1) * p for t, p in enumerate(later)), Fraction(0))
                spread = j * (a + 1 - j) * (hidden + 1) * (hidden - a)
                expect(mean == Fraction(j * (hidden + 1), a + 1), f"mean {mean}")
                variance = Fraction(spread, (a + 1) ** 2 * (a + 2))
                expect(square - mean**2 == variance, f"M={hidden}, a={a}, j={j}: {square}")
    return f"all 1 <= j <= a <= M, M = 1, 2, 7, 15: {cases} laws"


@supports("ours:hit-certificate", "ours:certificate", method=Method.EXACT)
def one_hit_certifies_no_less_than_before() -> str:
    """For the same sizes, counting one hit certifies at least the sum of S3."""
    cases, better = 0, 0
    for m in (1, 2, 5, 9, 13):
        for s in range(1, m + 1):
            for k in range(1, s + 1):
                for a in range(1, s + 1):
                    for promise in PROMISES:
                        cases += 1
                        before = certificate_exact(m, k, s, a, *promise)
                        bound = hit_certificate_exact(m, k, s, a, 1, *promise)
                        expect(bound >= before, f"m={m}, k={k}, s={s}, a={a}: {bound} < {before}")
                        better += bound > before
    expect(better * 2 > cases, "the control, an equal bound, rarely failed")
    return f"{cases:,} choices of sizes and promises, larger for {better:,}"
