"""Checks that every algorithm selects as the one-shot algorithm does."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations, product

from privtopk.spec.algorithms.atoms import DiscreteNoise, TieRule, one_shot_atoms, two_phase_atoms
from privtopk.spec.algorithms.batched import (
    Prefix,
    StoppingRule,
    adaptive_prefix,
    fixed_prefix,
    multi_stage,
    two_phase,
)
from privtopk.spec.algorithms.one_shot import noisy_scores, one_shot_set, select_with
from privtopk.spec.algorithms.private_threshold import noise_list, private_threshold
from privtopk.spec.laws.gumbel import float_weights, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.tape import Tape, every_outcome, seeded_tape
from privtopk.spec.model.values import Histogram, Item, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.field import LazyNoise, ServedNoise
from privtopk.spec.noise.online_oracle import OnlineOracle
from privtopk.spec.noise.rank_free import RankFreeOracle
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports
from privtopk.spec.proofs.instruments.goodness import expect_rejected, fits

COIN = DiscreteNoise((0, 1), (Fraction(1, 2), Fraction(1, 2)))
NOISE_VALUES = (1.875, -0.5, 0.3125, 2.75)
"""Noise values whose sums with whole scores never tie."""


def _noisy_tables(m: int, largest: int = 2) -> Iterator[tuple[Histogram, tuple[float, ...]]]:
    """Return every histogram with scores up to `largest`, in every order of m distinct noises."""
    return product(product(range(largest + 1), repeat=m), permutations(NOISE_VALUES[:m]))


@supports("algo:one-shot", method=Method.ENUMERATION)
def one_shot_is_a_top_set() -> str:
    """The one-shot algorithm returns k items that no other noisy score exceeds, best first."""
    cases = 0
    for histogram, noises in _noisy_tables(3):
        for k in (1, 2, 3):
            cases += 1
            chosen = select_with(histogram, noises, k)
            scores = noisy_scores(histogram, noises)
            expect(is_top_set(scores, chosen, k), f"{histogram} {noises} {k}")
            ranked = [scores[item - 1] for item in chosen]
            expect(ranked == sorted(ranked, reverse=True), f"{chosen} is not ranked")
    return f"m = 3: {cases:,} tables of scores and noise"


@supports("algo:private-threshold", method=Method.ENUMERATION, is_slow=True)
def threshold_selects_the_one_shot_set() -> str:
    """On the same noise, Algorithm 3 returns the set of Algorithm 2."""
    cases = 0
    for histogram, noises in _noisy_tables(4):
        for k in (1, 2, 4):
            cases += 1
            run = private_threshold(StoredList(histogram), StoredList(noises), k)
            expect(
                run.items == frozenset(select_with(histogram, noises, k)),
                f"{histogram} {noises} {k}",
            )
    return f"m = 4: {cases:,} tables of scores and noise"


def _rules(m: int, k: int) -> Iterator[StoppingRule]:
    """Yield rules that depend on revealed values only: fixed, adaptive and irregular ones."""
    for r in range(m + 1):
        yield fixed_prefix(r)
    for latest in range(k, m + 1):
        yield adaptive_prefix(m, k, latest)
        yield adaptive_prefix(m, k, latest, sorted_cost=5, random_cost=1)
    yield lambda prefix: prefix.chance < 0.4
    yield lambda prefix: prefix.length % 3 == 2


@supports("ours:batched-exact", "ours:adaptive-prefix", method=Method.ENUMERATION, is_slow=True)
def two_phase_selects_the_one_shot_set() -> str:
    """On the same noise, the two-phase algorithm returns the one-shot set under every rule."""
    cases = 0
    for histogram, noises in _noisy_tables(4, largest=1):
        for k in (1, 2):
            expected = select_with(histogram, noises, k)
            for rule in _rules(4, k):
                cases += 1
                run = two_phase(StoredList(histogram), ServedNoise(noises, Gumbel(1)), k, rule)
                chosen = tuple(entry.item for entry in run.selected)
                expect(chosen == expected, f"{histogram} {noises} {k}: {chosen}")
    return f"m = 4: {cases:,} runs, fixed, adaptive and irregular rules"


@supports("ours:adaptive-stages", method=Method.ENUMERATION, is_slow=True)
def stages_select_the_one_shot_set() -> str:
    """On the same noise, the staged algorithm returns the one-shot set for all stage sizes."""
    cases = stages = 0
    noise = Gumbel(1)
    for histogram, noises in _noisy_tables(4):
        for k, first, latest in ((1, 1, 4), (1, 2, 3), (2, 2, 4)):
            cases += 1
            scores = StoredList(histogram)
            run = multi_stage(scores, ServedNoise(noises, noise), k, noise, latest, first, growth=2)
            stages += run.prefix > first
            chosen = tuple(entry.item for entry in run.selected)
            expect(chosen == select_with(histogram, noises, k), f"{histogram} {noises} {k}")
    expect(stages > 100, f"only {stages} runs reached a second stage")
    return f"m = 4: {cases:,} runs, {stages:,} of them with several stages"


@supports("ours:adaptive-prefix", method=Method.EXACT)
def peeking_is_caught() -> str:
    """A prefix that depends on hidden noise, which is then drawn again, has another law: 4/9."""
    noise = DiscreteNoise((0, 1, 2), (Fraction(1, 3),) * 3)

    def select_honestly(tape: Tape) -> Item:
        return min(one_shot_atoms((0, 0), 1, noise, tape))

    def select_after_peeking(tape: Tape) -> Item:
        first, hidden = noise.sample(tape), noise.sample(tape)
        second = noise.sample(tape) if hidden <= 1 else hidden
        return Item(1) if first >= second else Item(2)

    right, wrong = every_outcome(select_honestly), every_outcome(select_after_peeking)
    expect(right[Item(2)] == Fraction(1, 3), f"{right}")
    expect(wrong[Item(2)] == Fraction(4, 9), f"{wrong}")
    rule: StoppingRule = fixed_prefix(1)
    expect(rule(Prefix(1, 0.5)) and not rule(Prefix(0, 1.0)), "rules see lengths and chances only")
    return "m = 2, noise uniform on 0, 1, 2: 4/9 instead of 1/3"


@supports("ours:atoms", "ours:batched-exact", method=Method.EXACT)
def at_least_rule_is_exact_with_atoms() -> str:
    """If ties at the bar are let in, the law is that of the one-shot, ties to the smaller item."""
    noises = (COIN, DiscreteNoise((0, 2, 3), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))))
    cases = 0
    for histogram in ((0, 0, 0), (1, 0, 0), (0, 1, 1), (2, 1, 0), (0, 2, 1), (0, 0, 1)):
        for noise, k, r in product(noises, (1, 2), (1, 2, 3)):
            if r < k:
                continue
            cases += 1
            full = every_outcome(partial(one_shot_atoms, histogram, k, noise))
            batched = every_outcome(partial(_batched_atoms, histogram, k, r, noise))
            expect(full == batched, f"{histogram} k = {k}, r = {r}, {noise.values}")
    return f"m = 3: {cases} equal laws in exact rationals"


def _batched_atoms(
    histogram: Histogram, k: int, r: int, noise: DiscreteNoise, tape: Tape
) -> frozenset[Item]:
    return two_phase_atoms(StoredList(histogram), k, r, noise, TieRule.AT_LEAST, tape)


@supports("ours:atoms", method=Method.EXACT)
def strict_rule_is_wrong_with_atoms() -> str:
    """The strict rule gives (3/4, 1/4) for a fair coin where uniform ties give (1/2, 1/2)."""
    law = every_outcome(
        lambda tape: two_phase_atoms(StoredList((0, 0)), 1, 1, COIN, TieRule.STRICT, tape)
    )
    expect(law[frozenset({Item(1)})] == Fraction(3, 4), f"{law}")
    return "m = 2, k = r = 1: the control is (3/4, 1/4)"


@supports("ours:atoms", "erratum:atoms", method=Method.STATISTICAL, is_slow=True)
def lexicographic_rule_breaks_ties_uniformly() -> str:
    """Comparing pairs gives the one-shot law with uniform ties.

    Null hypothesis: the exact law of the scan with uniform ties. n = 6,000 seeded runs per
    case, false-alarm rate 1e-9. The strict rule, wrong by 1/4, is the negative control.
    """
    evidence = []
    for histogram, k, r in (((0, 0), 1, 1), ((0, 0, 0), 2, 2), ((1, 0, 0, 1), 2, 3)):
        tape = seeded_tape(len(histogram))
        run = partial(two_phase_atoms, k=k, r=r, noise=COIN, tape=tape)
        law = {chosen: float(p) for chosen, p in _uniform_tie_law(histogram, k).items()}
        counts = Counter(
            run(StoredList(histogram), rule=TieRule.LEXICOGRAPHIC) for _ in range(6_000)
        )
        evidence.append(fits(counts, law, f"{histogram}"))
        wrong = Counter(run(StoredList(histogram), rule=TieRule.STRICT) for _ in range(6_000))
        expect_rejected(partial(fits, wrong, law, "control"))
    return "; ".join(evidence)


def _uniform_tie_law(histogram: Histogram, k: int) -> dict[frozenset[Item], Fraction]:
    """Return the one-shot law for coin noise if a uniform order of the items breaks ties."""
    law: dict[frozenset[Item], Fraction] = {}
    orders = list(permutations(items_of(len(histogram))))
    for order in orders:
        relabelled = tuple(histogram[item - 1] for item in order)
        for chosen, p in every_outcome(partial(one_shot_atoms, relabelled, k, COIN)).items():
            items = frozenset(order[place - 1] for place in chosen)
            law[items] = law.get(items, Fraction(0)) + p / len(orders)
    return law


@refutes("erratum:atoms", method=Method.EXACT)
def threshold_breaks_ties_by_index() -> str:
    """With a fair coin as noise Algorithm 3 returns item 1 with probability 3/4, not 1/2."""

    def run(tape: Tape) -> frozenset[Item]:
        noises = StoredList([COIN.sample(tape), COIN.sample(tape)])
        return private_threshold(StoredList((0, 0)), noises, 1).items

    law = every_outcome(run)
    uniform = _uniform_tie_law((0, 0), 1)
    one = frozenset({Item(1)})
    expect(law[one] == Fraction(3, 4) and uniform[one] == Fraction(1, 2), f"{law} {uniform}")
    return "h = (0, 0): 3/4 by the threshold algorithm, 1/2 by the scan with uniform ties"


@supports("erratum:atoms", "algo:private-threshold", method=Method.EXACT)
def common_tie_order_inherits_the_law() -> str:
    """With one fixed tie order the laws of Algorithms 2 and 3 agree, atoms included."""
    noise = DiscreteNoise((0, 1, 3), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))
    cases = 0
    for histogram, k in product(product(range(2), repeat=3), (1, 2, 3)):
        cases += 1
        full = every_outcome(partial(one_shot_atoms, histogram, k, noise))
        both = every_outcome(partial(_threshold_with_tie_order, histogram, k, noise))
        expect(both == full, f"{histogram} k = {k}")
    return f"m = 3: {cases} equal laws in exact rationals"


def _threshold_with_tie_order(
    histogram: Histogram, k: int, noise: DiscreteNoise, tape: Tape
) -> frozenset[Item]:
    """Run Algorithm 3 on values whose last digit is the item, such that smaller items win ties."""
    m = len(histogram)
    scores = StoredList([score * (m + 1) for score in histogram])
    noises = StoredList([noise.sample(tape) * (m + 1) - item for item in items_of(m)])
    return private_threshold(scores, noises, k).items


Run = Callable[[Histogram, int, Noise, Tape], frozenset[Item]]


def _algorithms() -> dict[str, Run]:
    """Return every algorithm of the specification, by name."""
    return {
        "one-shot": one_shot_set,
        "threshold": lambda h, k, noise, tape: (
            private_threshold(StoredList(h), noise_list(noise, len(h), tape), k).items
        ),
        "online": lambda h, k, noise, tape: (
            private_threshold(StoredList(h), OnlineOracle(len(h), noise, tape), k).items
        ),
        "rank-free": lambda h, k, noise, tape: (
            private_threshold(StoredList(h), RankFreeOracle(len(h), noise, tape), k).items
        ),
        "two-phase": lambda h, k, noise, tape: (
            two_phase(StoredList(h), LazyNoise(len(h), noise, tape), k, fixed_prefix(k + 1)).items
        ),
        "adaptive": lambda h, k, noise, tape: (
            two_phase(
                StoredList(h),
                LazyNoise(len(h), noise, tape),
                k,
                adaptive_prefix(len(h), k, len(h) - 1),
            ).items
        ),
        "staged": lambda h, k, noise, tape: (
            multi_stage(
                StoredList(h), LazyNoise(len(h), noise, tape), k, noise, len(h) - 1, k, growth=2
            ).items
        ),
    }


@supports(
    "ours:batched-exact",
    "ours:adaptive-prefix",
    "ours:adaptive-stages",
    "ours:rank-free",
    "thm:oracle",
    "algo:private-threshold",
    method=Method.STATISTICAL,
    is_slow=True,
)
def all_algorithms_have_the_exact_law() -> str:
    """Seven algorithms have the exact law of Gumbel and Laplace sets.

    Null hypothesis: the exact law, eps = 0.7 on h = (2, 0, 1, 1, 0, 2), k = 2, 15 sets. n =
    2,000 seeded runs per algorithm, false-alarm rate 1e-9 each. A scale that is wrong by a
    factor of 2 is the negative control.
    """
    histogram, k = (2, 0, 1, 1, 0, 2), 2
    laws: tuple[tuple[Noise, dict[frozenset[Item], float]], ...] = (
        (Gumbel(0.7), set_law(float_weights(histogram, 0.7), k)),
        (Laplace(0.7), laplace_set_law(histogram, k, 0.7)),
    )
    for noise, law in laws:
        for name, run in _algorithms().items():
            tape = seeded_tape(7)
            counts = Counter(run(histogram, k, noise, tape) for _ in range(2000))
            fits(counts, law, f"{name} {noise}")
    wrong = Counter(one_shot_set(histogram, k, Gumbel(1.4), tape) for _ in range(2000))
    expect_rejected(partial(fits, wrong, laws[0][1], "control"))
    return "7 algorithms, 2 noises, n = 2,000 each"
