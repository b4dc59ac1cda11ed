"""A user's program about numbers: bounds, hard inputs, utility, accounting and claims."""

from fractions import Fraction
from typing import assert_type

from privtopk.spec import (
    CLAIMS,
    Aggregation,
    Arithmetic,
    Ballot,
    Certificate,
    ChoiceTape,
    CostModel,
    Dataset,
    Family,
    FamilyName,
    Guarantee,
    HardInstance,
    Histogram,
    HitCertificate,
    Item,
    NoiseKind,
    Number,
    Origin,
    Prefix,
    Reading,
    Relation,
    ShapeName,
    SparseArrangement,
    Status,
    StoredList,
    ThresholdRun,
    VoteShape,
    azuma_composition,
    benchmark_families,
    best_certificate,
    best_from_log_moment,
    best_from_zcdp,
    both_access_bound,
    calibrate,
    candidates_quantile,
    certificate,
    certificate_exact,
    cheapest_prefix,
    cheapest_price_bound,
    default_cost_bound,
    default_prefix,
    delta_of_fixed_steps,
    delta_of_pure_steps,
    distance_of,
    draw_both_access,
    draw_printed_both_access,
    draw_printed_random_access,
    draw_printed_sorted_access,
    draw_random_access,
    draw_sorted_access,
    early_candidates_bound,
    error_bound,
    error_quantile,
    expected_candidates_bound,
    expected_rounds,
    expected_rounds_exact,
    failure_probability,
    growth_of_rates,
    guarantee,
    guarantees,
    hard_instance,
    histogram_of,
    hit_certificate,
    hit_certificate_exact,
    is_top_set,
    items_of,
    kth_largest,
    log_moment_of_step,
    meeting_point,
    meeting_round,
    noisy_values_composition,
    one_hit_price_bound,
    optimal_cost_bound,
    optimal_prefix,
    optimum_of_fixed_steps,
    optimum_of_pure_steps,
    paper_cost_bound,
    paper_tail_bound,
    predicted_cost,
    printed_composition,
    pure_composition,
    random_access_bound,
    range_of_step,
    reading_of,
    renyi_composition,
    replace_client,
    rounds_law,
    rounds_quantile,
    rounds_tail,
    score_of,
    seeded_tape,
    seventh_bound,
    simple_from_zcdp,
    sorted_access_bound,
    sorted_entries,
    theorem_u_cost,
    theorem_u_rounds,
    threshold_algorithm,
    two_phase_cost_bound,
    two_phase_cost_quantile,
    unequal_price_lower_bound,
    vote_shape,
    with_client,
    zcdp_composition,
    zcdp_of_step,
    zcdp_of_steps,
)
from privtopk.spec.model.access import Entry

TENTH, HUNDREDTH = Fraction(1, 10), Fraction(1, 100)


def votes() -> None:
    """Clients, their ballots and their histogram."""
    ballot: Ballot = (1, 0)
    dataset: Dataset = (ballot, (1, 1))
    histogram: Histogram = histogram_of(dataset, 2)
    assert_type(with_client(histogram, ballot), tuple[int, ...])
    assert_type(replace_client(dataset, 0, ballot), tuple[tuple[int, ...], ...])
    assert_type(meeting_point((2, 0), (1, 1)), tuple[int, ...])
    assert_type(items_of(2), tuple[Item, ...])
    assert_type(score_of(histogram, Item(1)), int)
    assert_type(kth_largest((2, 0.5), 1), Number)
    assert_type(is_top_set(histogram, {Item(1)}, 1), bool)
    assert_type(sorted_entries((2, 0.5)), tuple[Entry, ...])
    assert histogram == (2, 1)


def threshold() -> None:
    """The threshold algorithm on the user's own lists."""
    largest: Aggregation = max
    lists = [StoredList((3, 1)), StoredList((1, 2))]
    run = threshold_algorithm(lists, 1, largest, Reading.MEMOISED)
    assert_type(run, ThresholdRun)
    assert_type(reading_of(CostModel.DISTINCT), Reading)
    order = items_of(2)
    assert_type(predicted_cost(order, order, 1, CostModel.DISTINCT), int)
    assert_type(meeting_round(order, order, 1), int)
    arrangement = SparseArrangement(4)
    assert_type(arrangement.exchange(1, 2), None)
    assert_type((arrangement.size, arrangement.at(1)), tuple[int, int])
    tape = ChoiceTape((0,), [], [])
    assert_type(tape.taken, list[int])
    assert meeting_round(order, order, 1) == 1


def upper_bounds() -> None:
    """The accesses that a selection needs at most."""
    assert_type(expected_rounds(9, 2), float)
    assert_type(expected_rounds_exact(9, 2), Fraction)
    assert_type(rounds_law(9, 2), dict[int, Fraction])
    assert_type(rounds_quantile(9, 2, 0.5), int)
    assert_type(rounds_tail(9, 2, 3), Fraction)
    assert_type(paper_cost_bound(9, 2), float)
    assert_type(paper_tail_bound(9, 2, 5), float)
    assert_type(theorem_u_cost(9, 2), float)
    assert_type(theorem_u_rounds(9, 2), float)
    assert_type((default_prefix(9, 2), optimal_prefix(9, 2)), tuple[int, int])
    assert_type((default_cost_bound(9, 2), optimal_cost_bound(9, 2)), tuple[float, float])
    assert_type(candidates_quantile(9, 2, 4, TENTH), int)
    assert_type(expected_candidates_bound(9, 2, 4), Fraction)
    assert_type(early_candidates_bound(9, 2, 4, 2), float)
    assert_type(two_phase_cost_bound(9, 2, 4), Fraction)
    assert_type(two_phase_cost_quantile(9, 2, 4, 0.5), int)
    assert_type(cheapest_prefix(9, 2, 1, 2), int)
    assert_type(cheapest_price_bound(9, 2, 1, 2), Fraction)
    assert_type(Prefix(4, 0.5).chance, float)
    assert sum(rounds_law(9, 2).values()) == 1


def lower_bounds() -> None:
    """The accesses that every private selection needs at least."""
    assert_type(random_access_bound(9, TENTH), Fraction)
    assert_type(sorted_access_bound(9, 1, 0.01), float)
    assert_type(both_access_bound(900, 2, 1, 1e-6, HUNDREDTH), float)
    assert_type(unequal_price_lower_bound(900, 2, 1, 2, 1, 1e-6, HUNDREDTH), float)
    assert_type(certificate(900, 2, 40, 20, 1, 1e-6, HUNDREDTH), Certificate)
    assert_type(certificate_exact(900, 2, 40, 20, TENTH, 0, TENTH), Fraction)
    assert_type(hit_certificate(900, 2, 40, 20, 1, 1, 1e-6, HUNDREDTH, (1, TENTH)), HitCertificate)
    assert_type(hit_certificate_exact(900, 2, 40, 20, 1, TENTH, 0, TENTH), Fraction)
    assert_type(seventh_bound(900, 2, 1, 1e-6, HUNDREDTH), float)
    assert_type(one_hit_price_bound(900, 2, 1, 2, 1, 1e-6, HUNDREDTH), float)
    assert_type(best_certificate(900, 2, 1, 1e-6, HUNDREDTH).bound, float)
    tape = seeded_tape(5)
    assert_type(vote_shape(ShapeName.BALLOTS, 9, tape), VoteShape)
    instance = hard_instance(9, [Item(1), Item(2)], [Item(2)], 5)
    assert_type(instance, HardInstance)
    assert_type(instance.chosen, frozenset[Item])
    assert_type(draw_random_access(8, 2, 5, tape), tuple[int, ...])
    assert_type(draw_printed_random_access(8, 2, 5, tape), tuple[int, ...])
    assert_type(draw_sorted_access(8, 2, 0.01, 5, tape), HardInstance)
    assert_type(draw_printed_sorted_access(8, 2, 5, tape), HardInstance)
    assert_type(draw_both_access(8, 2, 5, tape), HardInstance)
    assert_type(draw_printed_both_access(8, 2, 5, tape), HardInstance)
    families = benchmark_families(100, 2)
    assert_type(families, tuple[Family, ...])
    assert {family.name for family in families} == set(FamilyName)


def accounting() -> None:
    """The privacy budget of a selection, and its error."""
    kind, relation = NoiseKind.GUMBEL, Relation.SWAP
    assert_type(range_of_step(TENTH, relation), Number)
    assert_type(pure_composition(TENTH, 5), Number)
    assert_type(azuma_composition(TENTH, 5, 1e-6), float)
    assert_type(printed_composition(TENTH, 5, 1e-6), float)
    assert_type(renyi_composition(TENTH, 5, 1e-6), float)
    assert_type(growth_of_rates(kind, TENTH, distance_of(relation)), float)
    assert_type(noisy_values_composition(TENTH, 5, 1e-6), float)
    assert_type(zcdp_composition(TENTH, 5, 1e-6), float)
    assert_type((zcdp_of_step(TENTH), zcdp_of_steps(TENTH, 5)), tuple[float, float])
    assert_type(log_moment_of_step(TENTH, 2), float)
    assert_type(best_from_log_moment(lambda c: c * c / 200, 1e-6, 1.0), float)
    assert_type((best_from_zcdp(0.1, 1e-6), simple_from_zcdp(0.1, 1e-6)), tuple[float, float])
    assert_type(delta_of_fixed_steps(TENTH, 5, 1), float)
    assert_type(delta_of_pure_steps(TENTH, 5, 1), float)
    assert_type(optimum_of_fixed_steps(TENTH, 5, 1e-6), float)
    assert_type(optimum_of_pure_steps(TENTH, 5, 1e-6), float)
    promise = guarantee(kind, TENTH, 5, 100, relation, 1e-6)
    assert_type(promise, Guarantee)
    assert_type(promise.arithmetic, Arithmetic)
    assert_type(guarantees(kind, TENTH, 5, 100, relation, 1e-6), tuple[Guarantee, ...])
    assert_type(calibrate(kind, 1, 5, 100, relation, 0), float)
    assert_type(error_bound(kind, 1, TENTH, 5, 100), float)
    assert_type(error_quantile(kind, 1, TENTH, 5, 100), float)
    assert_type(failure_probability(kind, 1, 9, 5, 100), float)
    assert calibrate(kind, 1, 4, 100, Relation.ADD_REMOVE, 0) == 0.25


def claims() -> None:
    """The source of a claim, and its status."""
    origins = {claim.origin for claim in CLAIMS}
    assert_type(origins, set[Origin])
    assert_type([claim.status for claim in CLAIMS], list[Status])
    assert origins == set(Origin)


if __name__ == "__main__":
    votes()
    threshold()
    upper_bounds()
    lower_bounds()
    accounting()
    claims()
