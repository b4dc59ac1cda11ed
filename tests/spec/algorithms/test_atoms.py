"""Facts about the two-phase algorithm for noise with atoms."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any

import pytest
from scipy import stats

from privtopk.spec.algorithms.atoms import DiscreteNoise, TieRule, one_shot_atoms, two_phase_atoms
from privtopk.spec.model.access import Door, Ledger, StoredList
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import Tape, every_outcome, seeded_tape, tape_of
from privtopk.spec.model.values import Histogram, Item, items_of
from support import fits, refusal

Law = dict[frozenset[Item], Fraction]

HALF = Fraction(1, 2)
COIN = DiscreteNoise((0, 1), (HALF, HALF))
SKEWED = DiscreteNoise((-1, 0, 2), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
NOTHING = DiscreteNoise((0,), (Fraction(1),))
DRAWS = 20_000
DEFECT = 0.0053
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""
NOT_A_LAW = (
    Reason.NOT_A_LAW,
    "a discrete noise needs distinct values with positive probabilities that sum to 1",
)


def items(*numbers: int) -> frozenset[Item]:
    """Return the set of the items with these numbers."""
    return frozenset(Item(number) for number in numbers)


def small_cases(largest: int) -> Iterator[tuple[Histogram, int, int]]:
    """Yield every histogram of up to three items with small scores, every k and every r."""
    for m in (1, 2, 3):
        for histogram in product(range(largest + 1), repeat=m):
            for k in range(1, m + 1):
                for r in range(k, m + 1):
                    yield histogram, k, r


def two_phase_law(histogram: Histogram, k: int, r: int, noise: DiscreteNoise, rule: TieRule) -> Law:
    """Return the exact law of the two-phase algorithm."""

    def run(tape: Tape) -> frozenset[Item]:
        return two_phase_atoms(StoredList(histogram), k, r, noise, rule, tape)

    return every_outcome(run)


def uniform_tie_law(histogram: Histogram, k: int, noise: DiscreteNoise) -> Law:
    """Return the law of the full scan in which ties fall uniformly, by enumeration."""
    law: Law = {}
    atoms = list(zip(noise.values, noise.probabilities, strict=True))
    for drawn in product(atoms, repeat=len(histogram)):
        chance = prod((p for _, p in drawn), start=Fraction(1))
        values = [score + z for score, (z, _) in zip(histogram, drawn, strict=True)]
        bar = sorted(values, reverse=True)[k - 1]
        sure = [i for i in items_of(len(values)) if values[i - 1] > bar]
        tied = [i for i in items_of(len(values)) if values[i - 1] == bar]
        for lucky in combinations(tied, k - len(sure)):
            chosen = frozenset((*sure, *lucky))
            part = chance / comb(len(tied), k - len(sure))
            law[chosen] = law.get(chosen, Fraction(0)) + part
    return law


def test_chances_are_those_given() -> None:
    """P(Z = z) is the given probability, and 0 for other values."""
    assert [SKEWED.chance(z) for z in (-1, 0, 1, 2)] == [HALF, Fraction(1, 3), 0, Fraction(1, 6)]


def test_chance_above_is_strict() -> None:
    """P(Z > z) does not include the atom at z."""
    assert [SKEWED.chance_above(z) for z in (-2, -1, 0, 1, 2)] == [
        1,
        HALF,
        Fraction(1, 6),
        Fraction(1, 6),
        0,
    ]


def test_sample_has_the_law() -> None:
    """One choice gives each value with its probability, exactly."""
    assert every_outcome(SKEWED.sample) == {
        -1: Fraction(1, 2),
        0: Fraction(1, 3),
        2: Fraction(1, 6),
    }


def test_sample_from_other_weights_is_proportional() -> None:
    """With weights 0, 1, 3 the values 0 and 2 have probabilities 1/4 and 3/4."""
    assert every_outcome(lambda tape: SKEWED.sample_from((0, 1, 3), tape)) == {
        0: Fraction(1, 4),
        2: Fraction(3, 4),
    }


@pytest.mark.parametrize(
    ("values", "probabilities"),
    [
        ((), ()),
        ((0, 1), (HALF,)),
        ((0,), (HALF, HALF)),
        ((0, 0), (HALF, HALF)),
        ((0, 1), (Fraction(1), Fraction(0))),
        ((0, 1), (Fraction(3, 2), -HALF)),
        ((0, 1), (HALF, Fraction(1, 3))),
    ],
    ids=["empty", "too few", "too many", "doubled", "impossible", "negative", "sum"],
)
def test_other_laws_are_refused(
    values: tuple[int, ...], probabilities: tuple[Fraction, ...]
) -> None:
    """A discrete noise is a law on distinct values, each with positive probability."""
    assert refusal(lambda: DiscreteNoise(values, probabilities)) == NOT_A_LAW


def test_full_scan_gives_ties_to_the_smaller_item() -> None:
    """A fair coin on two equal scores selects item 1 with probability 3/4."""
    assert every_outcome(lambda tape: one_shot_atoms((0, 0), 1, COIN, tape)) == {
        items(1): Fraction(3, 4),
        items(2): Fraction(1, 4),
    }


def test_strict_rule_fails_for_the_fair_coin() -> None:
    """The strict rule gives (3/4, 1/4) for the fair coin; uniform ties give (1/2, 1/2)."""
    strict = two_phase_law((0, 0), 1, 1, COIN, TieRule.STRICT)
    assert strict == {items(1): Fraction(3, 4), items(2): Fraction(1, 4)}
    assert uniform_tie_law((0, 0), 1, COIN) == {items(1): HALF, items(2): HALF}


def test_strict_rule_also_fails_a_fixed_tie_order() -> None:
    """On h = (0, 0, 1), r = 2, item 2 would beat item 3 on a tie and is not let in."""
    strict = two_phase_law((0, 0, 1), 1, 2, COIN, TieRule.STRICT)
    right = every_outcome(lambda tape: one_shot_atoms((0, 0, 1), 1, COIN, tape))
    assert (strict.get(items(2), 0), right[items(2)]) == (0, Fraction(1, 8))


@pytest.mark.parametrize("noise", [COIN, NOTHING], ids=["coin", "constant"])
def test_at_least_equals_the_full_scan(noise: DiscreteNoise) -> None:
    """Letting in ties gives the exact law of the full scan in every small case."""
    for histogram, k, r in small_cases(2):
        scan = every_outcome(
            lambda tape, h=histogram, k=k: one_shot_atoms(h, k, noise, tape)  # type: ignore[misc]
        )
        assert two_phase_law(histogram, k, r, noise, TieRule.AT_LEAST) == scan


@pytest.mark.slow
def test_at_least_equals_the_full_scan_for_three_atoms() -> None:
    """With atoms at -1, 0 and 2 the exact laws agree in every small case too."""
    for histogram, k, r in small_cases(2):
        scan = every_outcome(
            lambda tape, h=histogram, k=k: one_shot_atoms(h, k, SKEWED, tape)  # type: ignore[misc]
        )
        assert two_phase_law(histogram, k, r, SKEWED, TieRule.AT_LEAST) == scan


def test_at_least_lets_in_more_than_claim_b_allows() -> None:
    """Without noise, m = 4, k = 1, r = 2, both unseen items are read instead of 2/3 on average."""
    source = StoredList((0, 0, 0, 0))
    two_phase_atoms(source, 1, 2, NOTHING, TieRule.AT_LEAST, seeded_tape(1))
    assert source.ledger.count(Door.RANDOM) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("histogram", "k", "r", "noise"),
    [
        ((0, 0), 1, 1, COIN),
        ((0, 0, 1), 1, 2, COIN),
        ((1, 0, 0, 1), 2, 2, COIN),
        ((1, 0, 0, 1), 2, 3, SKEWED),
        ((0, 0, 0), 2, 2, NOTHING),
    ],
)
def test_lexicographic_rule_has_uniform_ties(
    histogram: Histogram, k: int, r: int, noise: DiscreteNoise
) -> None:
    """With a second uniform coordinate the law is that of the full scan with uniform ties.

    Null hypothesis: the law by enumeration; n = 20,000, false alarms 1e-9; a law with sum
    (p - q)^2/q >= 0.0053 is found with power 0.99: for the fair coin a shift of 0.037.
    """
    tape = seeded_tape(6000)
    drawn = [
        two_phase_atoms(StoredList(histogram), k, r, noise, TieRule.LEXICOGRAPHIC, tape)
        for _ in range(DRAWS)
    ]
    assert fits(drawn, uniform_tie_law(histogram, k, noise), DRAWS, DEFECT)


@pytest.mark.slow
def test_strict_rule_is_rejected_as_uniform() -> None:
    """The control: the strict rule on the fair coin is rejected as uniform."""
    tape = seeded_tape(6001)
    drawn = [
        two_phase_atoms(StoredList((0, 0)), 1, 1, COIN, TieRule.STRICT, tape) for _ in range(DRAWS)
    ]
    assert not fits(drawn, {items(1): 0.5, items(2): 0.5}, DRAWS, DEFECT)


@pytest.mark.slow
def test_lexicographic_candidates_obey_claim_b() -> None:
    """Without noise, m = 4, k = 1, r = 2, the candidates are beta-binomial with mean 2/3.

    Null hypothesis: N ~ BetaBinomial(2, 1, 2); n = 20,000, false alarms 1e-9; a law with sum
    (p - q)^2/q >= 0.0053 is found with power 0.99.
    """
    tape, law = seeded_tape(6002), stats.betabinom(2, 1, 2)

    def candidates() -> int:
        source = StoredList((0, 0, 0, 0))
        two_phase_atoms(source, 1, 2, NOTHING, TieRule.LEXICOGRAPHIC, tape)
        return source.ledger.count(Door.RANDOM)

    assert law.mean() == pytest.approx((4 - 2) * 1 / (2 + 1))
    exact = {n: float(law.pmf(n)) for n in range(3)}
    assert fits([candidates() for _ in range(DRAWS)], exact, DRAWS, DEFECT)


@pytest.mark.parametrize("rule", TieRule)
def test_run_replays(rule: TieRule) -> None:
    """The same tape gives the same set."""
    sets = [
        two_phase_atoms(StoredList((1, 0, 2, 0)), 2, 2, SKEWED, rule, seeded_tape(2))
        for _ in range(2)
    ]
    assert sets[0] == sets[1]


@pytest.mark.parametrize("rule", TieRule)
def test_full_prefix_reads_nothing_by_random_access(rule: TieRule) -> None:
    """With r = m there is no second phase, and k = m selects everything."""
    source = StoredList((1, 0, 2))
    chosen = two_phase_atoms(source, 3, 3, COIN, rule, seeded_tape(3))
    assert (chosen, source.ledger.count(Door.RANDOM)) == (items(1, 2, 3), 0)


@pytest.mark.parametrize("rule", TieRule)
def test_single_item_is_selected(rule: TieRule) -> None:
    """For m = 1 there is one outcome."""
    assert two_phase_atoms(StoredList((4,)), 1, 1, COIN, rule, seeded_tape(4)) == items(1)


@pytest.mark.parametrize(
    ("k", "r", "reason", "message"),
    [
        (0, 1, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 0"),
        (4, 3, Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4"),
        (True, 1, Reason.WRONG_TYPE, "k must be an integer, got True"),
        (1.0, 1, Reason.WRONG_TYPE, "k must be an integer, got 1.0"),
        (2, 1, Reason.SIZE_OUT_OF_RANGE, "r must be between 2 and 3, got 1"),
        (2, 4, Reason.SIZE_OUT_OF_RANGE, "r must be between 2 and 3, got 4"),
        (1, True, Reason.WRONG_TYPE, "r must be an integer, got True"),
        (1, "2", Reason.WRONG_TYPE, "r must be an integer, got '2'"),
    ],
)
def test_bad_sizes_are_refused_before_any_access(
    k: Any, r: Any, reason: Reason, message: str
) -> None:
    """k lies between 1 and m, r between k and m, and nothing is read otherwise."""
    source = StoredList((1, 2, 3))
    assert refusal(lambda: two_phase_atoms(source, k, r, COIN, TieRule.AT_LEAST, tape_of())) == (
        reason,
        message,
    )
    assert source.ledger == Ledger()


@pytest.mark.parametrize("rule", ["strict", "at-most", None])
def test_unknown_rules_are_refused_before_any_access(rule: Any) -> None:
    """A rule is a member of its enumeration, and nothing is read otherwise."""
    source = StoredList((1, 2, 3))
    assert refusal(lambda: two_phase_atoms(source, 1, 1, COIN, rule, tape_of())) == (
        Reason.WRONG_TYPE,
        f"rule must be a TieRule, got {rule!r}",
    )
    assert source.ledger == Ledger()


@pytest.mark.parametrize("k", [0, 3])
def test_full_scan_refuses_k_outside_the_domain(k: int) -> None:
    """k lies between 1 and m."""
    assert refusal(lambda: one_shot_atoms((1, 2), k, COIN, tape_of())) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=2, got {k}",
    )


def test_exhausted_tape_is_refused() -> None:
    """Every item needs a noise."""
    assert refusal(lambda: one_shot_atoms((1, 2), 1, COIN, tape_of(0.5))) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )
