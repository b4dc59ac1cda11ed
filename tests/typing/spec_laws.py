"""A user's program about laws: of mechanisms, of order statistics, and their privacy."""

from fractions import Fraction
from typing import assert_type

from privtopk.spec import (
    DiscreteNoise,
    FixedRun,
    Gumbel,
    Item,
    LogLinear,
    Number,
    OrderStatistics,
    Position,
    StoredList,
    TieRule,
    acceptances,
    beta_density,
    beta_shape,
    between,
    chance_to_read_everything,
    conditional_density,
    exact_laplace_noisy_max_law,
    exact_laplace_set_law,
    exact_laplace_set_probability,
    exponential_law,
    exponential_mechanism,
    fixed_accesses,
    float_weights,
    from_beta,
    gumbel_noisy_max_law,
    hockey_stick,
    hypergeometric_cdf,
    hypergeometric_pmf,
    is_private_by_definition,
    joint_density,
    laplace_noisy_max_law,
    laplace_set_law,
    laplace_set_probability,
    limited_domain,
    limited_domain_law,
    limited_domain_mechanism,
    negative_hypergeometric_tail,
    neighbouring_positions,
    noisy_max_mechanism,
    noisy_scores,
    one_shot_atoms,
    peel,
    peeling_law,
    peeling_mechanism,
    permute_and_flip,
    permute_and_flip_law,
    permute_and_flip_mechanism,
    ranked_law,
    ranking_probability,
    report_noisy_max,
    sample,
    seeded_tape,
    select_with,
    set_probability,
    tight_delta,
    two_phase_atoms,
    weights,
)

HISTOGRAM = (3, 1, 2)
BASE = Fraction(2)
HALF = Fraction(1, 2)


def selections() -> None:
    """Laws of sets and rankings."""
    exact, rounded = weights(HISTOGRAM, BASE), float_weights(HISTOGRAM, 1)
    assert_type(ranked_law(exact, 2), dict[tuple[Item, ...], Fraction])
    assert_type(ranked_law(rounded, 2), dict[tuple[Item, ...], float])
    assert_type(ranking_probability(exact, [Item(1), Item(3)]), Fraction)
    assert_type(set_probability(rounded, {Item(1)}), float)
    assert_type(exact_laplace_set_law(HISTOGRAM, 2, BASE), dict[frozenset[Item], LogLinear])
    assert_type(exact_laplace_set_probability(HISTOGRAM, [Item(1)], BASE), LogLinear)
    assert_type(laplace_set_law(HISTOGRAM, 2, 1), dict[frozenset[Item], float])
    assert_type(laplace_set_probability(HISTOGRAM, [Item(1)], 1), float)
    noisy = noisy_scores(HISTOGRAM, (0.5, 0.25, 0))
    assert_type(noisy, tuple[Number, ...])
    assert_type(select_with(HISTOGRAM, (0, 5, 0), 2), tuple[Item, ...])
    assert select_with(HISTOGRAM, (0, 5, 0), 2) == (2, 1)
    run = fixed_accesses(StoredList(HISTOGRAM), StoredList((0, 5, 0)), 2, 2)
    assert_type(run, FixedRun)
    assert_type(chance_to_read_everything(3, 2, 2), Fraction)
    assert run.items == (2, 1)


def mechanisms() -> None:
    """The exponential mechanism and its relatives, as laws and as runs."""
    tape = seeded_tape(1)
    assert_type(exponential_law(HISTOGRAM, BASE), dict[Item, Fraction])
    assert_type(exponential_mechanism(HISTOGRAM, 1, tape), Item)
    assert_type(peel((1, 2.5, HALF), 2, tape), tuple[Item, ...])
    assert_type(peeling_law(HISTOGRAM, 2, BASE), dict[tuple[Item, ...], Fraction])
    assert_type(peeling_mechanism(HISTOGRAM, 2, 0.5, tape), tuple[Item, ...])
    accepted = acceptances(HISTOGRAM, BASE)
    assert_type(accepted, tuple[Fraction, ...])
    assert_type(permute_and_flip(accepted, tape), Item)
    assert_type(permute_and_flip_law(accepted), dict[Item, Fraction])
    assert_type(permute_and_flip_mechanism(HISTOGRAM, HALF, tape), Item)
    assert_type(gumbel_noisy_max_law(HISTOGRAM, BASE), dict[Item, Fraction])
    assert_type(laplace_noisy_max_law(HISTOGRAM, 1), dict[Item, float])
    assert_type(exact_laplace_noisy_max_law(HISTOGRAM, BASE), dict[Item, LogLinear])
    assert_type(noisy_max_mechanism(HISTOGRAM, Gumbel(1), tape), Item)
    assert_type(report_noisy_max(HISTOGRAM, (0, 4, 0)), Item)
    assert_type(limited_domain(HISTOGRAM, 1, 2, 1, (0, 0, 0), 0), tuple[Item, ...])
    law = limited_domain_law(HISTOGRAM, 1, 2, BASE, Fraction(1, 8))
    assert_type(law, dict[tuple[Item, ...], Fraction])
    assert_type(limited_domain_mechanism(HISTOGRAM, 1, 2, 1, 0.125, tape), tuple[Item, ...])
    assert sum(law.values()) == 1


def atoms() -> None:
    """Noise that takes few values."""
    noise, tape = DiscreteNoise((0, 1), (HALF, HALF)), seeded_tape(2)
    assert_type(noise.chance(1), Fraction)
    assert_type(noise.sample(tape), int)
    assert_type(one_shot_atoms(HISTOGRAM, 1, noise, tape), frozenset[Item])
    list_of_scores = StoredList(HISTOGRAM)
    chosen = two_phase_atoms(list_of_scores, 1, 2, noise, TieRule.LEXICOGRAPHIC, tape)
    assert_type(chosen, frozenset[Item])


def order_statistics() -> None:
    """The law of one position given another."""
    third, near = Fraction(1, 3), (Position(1), Fraction(9, 10))
    assert_type(beta_shape(Position(1), Position(2), Position(4)), tuple[int, int])
    assert_type(beta_density(third, 2, 1), Fraction)
    assert_type(from_beta(third, Fraction(1), Fraction(0)), Fraction)
    assert_type(between(0.5, 2.0, 1.0, 3.0), float)
    far = (Position(4), Fraction(0))
    assert_type(conditional_density(third, Position(2), near, far), Fraction)
    assert_type(joint_density(3, {Position(1): HALF}), Fraction)
    found = neighbouring_positions([Position(1)], Position(2), 3)
    assert_type(found, tuple[Position, Position])
    assert_type(OrderStatistics(3, seeded_tape(3)).at(Position(2)), float)
    assert_type(sample(Gumbel(1), seeded_tape(4)), float)
    assert_type(hypergeometric_pmf(4, 2, 2, 1), Fraction)
    assert_type(hypergeometric_cdf(4, 2, 2, 1), Fraction)
    assert_type(negative_hypergeometric_tail(4, 2, 1, 2), Fraction)
    assert hypergeometric_pmf(4, 2, 2, 1) == Fraction(2, 3)


def privacy() -> None:
    """Divergences of two finite laws over any outputs."""
    heads, tails = {"heads": HALF, "tails": HALF}, {"heads": Fraction(1), "tails": Fraction(0)}
    assert_type(hockey_stick(heads, tails, BASE), Fraction)
    assert_type(tight_delta(heads, tails, BASE), Fraction)
    assert_type(is_private_by_definition(heads, tails, BASE, HALF), bool)
    assert tight_delta(heads, tails, BASE) == HALF


if __name__ == "__main__":
    selections()
    mechanisms()
    atoms()
    order_statistics()
    privacy()
