"""Facts about tapes: what they return, what they refuse, and the exact laws of finite choices."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import ChoiceTape, Tape, every_outcome, seeded_tape, tape_of
from privtopk.spec.model.values import Number
from support import fits, refusal

HALF = Fraction(1, 2)
UNIFORMS = st.integers(0, 2**52 - 1).map(lambda n: Fraction(2 * n + 1, 2**53))
WEIGHTS = st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any)


def test_given_uniforms_are_served_in_order() -> None:
    """A tape returns exactly the uniforms it was given."""
    tape = tape_of(0.25, HALF, 0.75)
    assert [tape.uniform() for _ in range(3)] == [0.25, HALF, 0.75]


def test_exhausted_tape_is_refused() -> None:
    """A tape without uniforms raises an error."""
    assert refusal(tape_of().uniform) == (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")


def test_tape_ends_after_its_last_uniform() -> None:
    """A tape of one uniform returns it once."""
    tape = tape_of(0.5)
    tape.uniform()
    assert refusal(tape.uniform) == (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")


@pytest.mark.parametrize(
    "value", [0, 1, 0.0, 1.0, -0.5, 1.5, math.inf, -math.inf, math.nan, True, Fraction(3, 2)]
)
def test_uniforms_outside_the_open_interval_are_refused(value: Number) -> None:
    """0, 1, everything outside and NaN are refused as uniforms."""
    assert refusal(tape_of(value).uniform) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        f"a uniform must be strictly between 0 and 1, got {value}",
    )


@pytest.mark.parametrize(
    "draw",
    [
        lambda tape: tape.choose((1, 1)),
        lambda tape: tape.below(2),
        lambda tape: tape.subset(2, 0.5),
    ],
    ids=["choose", "below", "subset"],
)
def test_every_draw_needs_a_uniform(draw: Callable[[Tape], object]) -> None:
    """An exhausted tape has no choices, integers or subsets."""
    assert refusal(lambda: draw(tape_of())) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )


@settings(max_examples=50)
@given(WEIGHTS)
def test_choice_divides_the_interval_by_weight(weights: list[int]) -> None:
    """Of the midpoints of N equal cells, N the total weight, each index gets its weight."""
    total = sum(weights)
    served = Counter(tape_of(Fraction(2 * i + 1, 2 * total)).choose(weights) for i in range(total))
    assert [served[index] for index in range(len(weights))] == weights


@settings(max_examples=50)
@given(WEIGHTS, UNIFORMS)
def test_choice_never_takes_a_weight_of_zero(weights: list[int], u: Fraction) -> None:
    """An index of weight 0 is never chosen."""
    assert weights[tape_of(u).choose(weights)] > 0


def test_choice_at_a_boundary_takes_the_next_index() -> None:
    """The cumulated weight must exceed u times the total: u = 1/2 of (1, 0, 1) is the last."""
    assert tape_of(HALF).choose((1, 0, 1)) == 2


def test_choice_survives_rounding_at_the_top() -> None:
    """If u times the total rounds up to the total, the last positive weight is chosen."""
    tiny = 5e-324
    assert tape_of(1 - 2**-53).choose((tiny, tiny, 0)) == 1


@settings(max_examples=50)
@given(UNIFORMS, st.integers(1, 2**60))
def test_integers_below_are_floors(u: Fraction, n: int) -> None:
    """A uniform integer below n is floor(u n), computed without rounding."""
    assert tape_of(u).below(n) == u.numerator * n // u.denominator


def test_integers_below_use_every_bit() -> None:
    """The largest double below 1 gives n - 1 for every n up to 2^53."""
    top = 1 - 2**-53
    assert [tape_of(top).below(2**power) for power in range(54)] == [
        2**power - 1 for power in range(54)
    ]


@pytest.mark.parametrize("probability", [0, 0.0, Fraction(0)])
def test_impossible_subset_is_empty(probability: Number) -> None:
    """With probability 0 nothing is chosen and no uniform is read."""
    assert tape_of().subset(5, probability) == ()


@pytest.mark.parametrize("probability", [1, 1.0, Fraction(1)])
def test_certain_subset_is_everything(probability: Number) -> None:
    """With probability 1 all are chosen and no uniform is read."""
    assert tape_of().subset(5, probability) == (0, 1, 2, 3, 4)


def test_subset_skips_geometric_gaps() -> None:
    """With probability 1/2 a uniform in (2^-(g+1), 2^-g) skips g places."""
    assert tape_of(0.3, 0.6, 0.2, 0.9).subset(6, 0.5) == (1, 2, 5)


def test_subset_reads_one_uniform_per_member_and_one_to_stop() -> None:
    """Three members take four uniforms unless the last member is the last place."""
    tape = tape_of(0.6, 0.6, 0.01, 0.7)
    assert (tape.subset(5, 0.5), tape.uniform()) == ((0, 1), 0.7)


@settings(max_examples=50)
@given(st.lists(UNIFORMS, min_size=9, max_size=9), st.floats(1e-3, 0.999), st.integers(1, 8))
def test_subset_is_increasing_and_inside(us: list[Fraction], p: float, n: int) -> None:
    """Members are distinct places of 0, ..., n - 1 in increasing order."""
    members = tape_of(*us).subset(n, p)
    assert list(members) == sorted(set(members) & set(range(n)))


@pytest.mark.parametrize("probability", [1e-300, 1e-310, 5e-324, Fraction(1, 10**400)])
def test_tiny_probabilities_choose_nothing(probability: Number) -> None:
    """A probability below every normal double is a rare event, not an error."""
    assert seeded_tape(1).subset(1000, probability) == ()


@pytest.mark.parametrize("probability", [1 - 2**-53, 1 - Fraction(1, 10**400)])
def test_probabilities_next_to_one_choose_all(probability: Number) -> None:
    """A probability within rounding of 1 chooses everything, without an error."""
    assert seeded_tape(1).subset(5, probability) == (0, 1, 2, 3, 4)


def test_subset_has_the_bernoulli_law() -> None:
    """Each of four places is chosen independently with probability 3/10.

    Null hypothesis: P(S) = 0.3^|S| 0.7^(4-|S|) on the 16 subsets; n = 20,000, false alarms
    1e-9. A law with sum (p - q)^2/q >= 0.006 is found with power 0.99.
    """
    draws, tape = 20_000, seeded_tape(20)
    law = {
        chosen: 0.3**size * 0.7 ** (4 - size)
        for size in range(5)
        for chosen in combinations(range(4), size)
    }
    assert fits((tape.subset(4, 0.3) for _ in range(draws)), law, draws, defect=0.006)


def test_seeded_tape_replays() -> None:
    """One seed gives one sequence of uniforms."""
    first, second = seeded_tape(7), seeded_tape(7)
    assert [first.uniform() for _ in range(100)] == [second.uniform() for _ in range(100)]


def test_seeds_differ() -> None:
    """Another seed gives another sequence."""
    first, second = seeded_tape(7), seeded_tape(8)
    assert [first.uniform() for _ in range(3)] != [second.uniform() for _ in range(3)]


def test_seeded_uniforms_are_odd_multiples() -> None:
    """A seeded uniform is (2n + 1)/2^53 for a whole n < 2^52: exact, never 0 or 1."""
    tape = seeded_tape(3)
    numerators = [Fraction(tape.uniform()) * 2**53 for _ in range(1000)]
    assert all(x.denominator == 1 and x % 2 == 1 and 0 < x < 2**53 for x in numerators)


def test_finite_choices_serve_no_uniforms() -> None:
    """A continuous draw from a tape of finite choices is refused."""
    assert refusal(ChoiceTape(()).uniform) == (
        Reason.WRONG_TYPE,
        "a tape of finite choices serves no uniforms",
    )


def test_choice_tape_follows_its_path() -> None:
    """The path names the branches taken, and the branchings are recorded as probabilities."""
    tape = ChoiceTape((1, 2))
    taken = (tape.choose((1, 3)), tape.below(4))
    assert (taken, tape.taken, tape.branchings) == (
        (1, 2),
        [1, 2],
        [(Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 4),) * 4],
    )


def test_choice_tape_takes_the_first_possible_branch_beyond_its_path() -> None:
    """Beyond the end of the path a branch of weight 0 is passed over."""
    assert ChoiceTape(()).choose((0, 0, 2, 5)) == 2


def test_choice_tape_branches_once_per_number() -> None:
    """A subset of three is three branchings, each in or out."""
    tape = ChoiceTape((1, 0, 1))
    assert (tape.subset(3, Fraction(1, 3)), tape.branchings) == (
        (0, 2),
        [(Fraction(2, 3), Fraction(1, 3))] * 3,
    )


def test_certain_output_has_probability_one() -> None:
    """An algorithm without choices has one outcome."""
    assert every_outcome(lambda tape: "sure") == {"sure": 1}


def test_two_dice() -> None:
    """The sum of two dice is 7 with probability 1/6, and the whole law is exact."""
    law = every_outcome(lambda tape: tape.below(6) + tape.below(6) + 2)
    assert law == {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def test_later_choices_may_depend_on_earlier_ones() -> None:
    """The number of branches may differ from path to path."""
    assert every_outcome(lambda tape: tape.below(1 + tape.below(3))) == {
        0: Fraction(11, 18),
        1: Fraction(5, 18),
        2: Fraction(2, 18),
    }


def test_impossible_branches_are_not_visited() -> None:
    """A branch of weight 0 is not an outcome, not even one of probability 0."""
    assert every_outcome(lambda tape: tape.choose((0, 2, 0, 1))) == {
        1: Fraction(2, 3),
        3: Fraction(1, 3),
    }


@settings(max_examples=50)
@given(WEIGHTS)
def test_choice_law_is_proportional_to_weight(weights: list[int]) -> None:
    """The exact law of one choice is weight over total weight."""
    assert every_outcome(lambda tape: tape.choose(weights)) == {
        index: Fraction(weight, sum(weights)) for index, weight in enumerate(weights) if weight
    }


def test_subset_law_is_exact() -> None:
    """A Bernoulli subset of three has the product law, all eight outcomes."""
    p = Fraction(1, 3)
    law = every_outcome(lambda tape: tape.subset(3, p))
    assert law == {
        tuple(i for i, chosen in enumerate(flags) if chosen): math.prod(
            p if chosen else 1 - p for chosen in flags
        )
        for flags in product((False, True), repeat=3)
    }


def test_weights_in_floats_are_read_exactly() -> None:
    """A float weight counts as the fraction it is."""
    assert every_outcome(lambda tape: tape.choose((0.1, 0.9))) == {
        0: Fraction(0.1) / (Fraction(0.1) + Fraction(0.9)),
        1: Fraction(0.9) / (Fraction(0.1) + Fraction(0.9)),
    }


@settings(max_examples=50)
@given(st.lists(WEIGHTS, min_size=1, max_size=3))
def test_laws_sum_to_one(stages: Sequence[Sequence[int]]) -> None:
    """The probabilities of all outcomes sum to exactly 1."""
    law = every_outcome(lambda tape: tuple(tape.choose(weights) for weights in stages))
    assert sum(law.values()) == 1
