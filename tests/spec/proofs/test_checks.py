"""Checks of rounds, costs and lower bounds fail if a function that they use is wrong."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from privtopk.spec.claims.table import CLAIMS, Status
from privtopk.spec.proofs.checks.algorithms import running_time, threshold_runs
from privtopk.spec.proofs.checks.laws import appendix, hypergeometric
from privtopk.spec.proofs.checks.lower_bounds import (
    both_access,
    certificates,
    hard_inputs,
    hit_certificates,
    low_items,
    meeting_games,
    priced_hits,
    random_access,
)
from privtopk.spec.proofs.checks.lower_bounds import prices as lower_prices
from privtopk.spec.proofs.checks.model import access
from privtopk.spec.proofs.checks.upper_bounds import (
    access_cost,
    batched_cost,
    cost_tail,
    late_rounds,
    prices,
    rounds,
)
from privtopk.spec.proofs.gate.registry import Check, CheckFailed, Role

MODULES = (
    access,
    access_cost,
    appendix,
    batched_cost,
    both_access,
    certificates,
    cost_tail,
    hard_inputs,
    hit_certificates,
    hypergeometric,
    late_rounds,
    low_items,
    lower_prices,
    meeting_games,
    priced_hits,
    prices,
    random_access,
    rounds,
    running_time,
    threshold_runs,
)

CHECKS = [
    value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, Check) and value.function.__module__ == module.__name__
]

Function = Callable[..., Any]


def test_roles_fit_the_status_of_the_claims() -> None:
    """A refuted claim has checks that refute and that correct it; no other claim is refuted."""
    statuses = {claim.key: claim.status for claim in CLAIMS}
    roles: dict[str, set[Role]] = {}
    for check in CHECKS:
        for key in check.keys:
            roles.setdefault(key, set()).add(check.role)
    expected = {
        Status.HOLDS: {Role.SUPPORTS},
        Status.CORRECTED: {Role.SUPPORTS},
        Status.REFUTED: {Role.SUPPORTS, Role.REFUTES},
        Status.OPEN: {Role.SEARCHES},
    }
    assert roles == {key: expected[statuses[key]] for key in roles}


def times(factor: int) -> Callable[[Function], Function]:
    """Return a wrapper that multiplies what a function returns."""
    return lambda right: lambda *arguments: factor * right(*arguments)


def plus(excess: int) -> Callable[[Function], Function]:
    """Return a wrapper that adds to what a function returns."""
    return lambda right: lambda *arguments: right(*arguments) + excess


def always(value: object) -> Callable[[Function], Function]:
    """Return a wrapper that makes a function return one value for all arguments."""
    return lambda right: lambda *arguments: value


def first_list_only(right: Function) -> Function:
    """Return an algorithm that reads the first list only."""
    return lambda lists, k, *rest: right([lists[0]], k)


WRONG_FUNCTIONS: list[tuple[ModuleType, str, Callable[[Function], Function], str]] = [
    (appendix, "hypergeometric_cdf", times(3), "lower_tails_without_replacement_obey_chernoff"),
    (appendix, "_beta_integral", times(2), "beta_integrals_are_factorials"),
    (rounds, "expected_rounds_exact", plus(1), "squares_of_rounds_stay_below_mk"),
    (rounds, "meeting_round", plus(1), "meeting_round_has_the_law"),
    (rounds, "meeting_round", plus(-1), "rounds_end_when_the_lists_meet"),
    (rounds, "expected_rounds_exact", times(2), "paper_bound_holds_exactly"),
    (rounds, "expected_area", times(2), "area_is_at_most_mk"),
    (cost_tail, "_cost", plus(-2), "claim_one_fails"),
    (cost_tail, "_cost", plus(2), "k_common_items_end_the_run"),
    (cost_tail, "rounds_tail", times(2), "real_rounds_round_up"),
    (cost_tail, "_scaled_gamma", always(1), "full_gamma_exceeds_the_root"),
    (access_cost, "predicted_cost", plus(1), "cost_models_follow_from_rounds"),
    (access, "sorted_entries", always(()), "random_access_agrees_at_any_time"),
    (
        threshold_runs,
        "threshold_algorithm",
        first_list_only,
        "threshold_algorithm_returns_a_top_set",
    ),
    (threshold_runs, "_printed_rounds", always(3), "more_items_than_exist_exhaust_the_lists"),
    (running_time, "_heap_comparisons", always(0), "heap_pays_the_logarithm"),
    (batched_cost, "expected_candidates_bound", times(2), "mean_candidates_in_closed_form"),
    (batched_cost, "default_prefix", plus(3), "both_prefixes_keep_their_bounds"),
    (batched_cost, "optimal_prefix", plus(1), "best_prefix_is_the_best"),
    (prices, "cheapest_price_bound", times(2), "balanced_prefix_keeps_its_bound"),
    (lower_prices, "_certified_price", times(0), "priced_argument_on_a_grid"),
    (meeting_games, "_condition_holds", always(False), "three_fortieths_is_not_equivalent"),
    (random_access, "random_access_sum", plus(1), "best_strategy_meets_all_high_items"),
    (random_access, "random_access_bound", times(2), "random_access_costs_half_of_m"),
    (low_items, "report_probability", times(3), "private_mechanisms_report_low_items"),
    (low_items, "sorted_low_size", plus(1), "ingredients_of_the_sorted_bound"),
    (both_access, "certificate_exact", times(0), "certificates_exceed_the_bound"),
    (both_access, "is_accurate", always(False), "exact_answer_is_cheap"),
    (meeting_games, "hypergeometric_pmf", times(2), "best_strategy_meets_low_items"),
    (meeting_games, "corrected_low_size", times(9), "low_items_are_met_late"),
    (certificates, "certificate_exact", times(2), "certificates_stay_below_a_real_cost"),
    (certificates, "certificate_exact", times(9), "threshold_algorithm_pays_its_certificate"),
    (certificates, "hit_certificate_exact", times(2), "hit_certificates_stay_below_a_real_cost"),
    (hit_certificates, "luck_bound", times(0), "luck_of_stopping_is_small"),
    (hit_certificates, "hypergeometric_cdf", times(2), "time_of_a_hit_has_its_moments"),
    (hit_certificates, "certificate_exact", times(2), "one_hit_certifies_no_less_than_before"),
    (priced_hits, "hit_certificate_exact", times(0), "seventh_is_certified"),
    (priced_hits, "hit_certificate_exact", times(0), "window_reaches_its_share"),
    (priced_hits, "one_hit_price_bound", times(9), "priced_cases_reach_the_share"),
    (priced_hits, "_share_left", times(2), "seventh_holds_for_all_sizes"),
    (priced_hits, "_share_left", times(2), "prices_hold_for_all_sizes"),
    (low_items, "demanded_hits", times(3), "private_mechanisms_report_many_low_items"),
    (hard_inputs, "corrected_low_size", times(2), "corrected_low_sets_leave_high_items"),
    (hard_inputs, "_pair_naming_a_low_item", always(None), "arbitrary_ties_give_the_low_set_away"),
    (hard_inputs, "is_add_remove_neighbour", always(False), "families_are_add_remove_pairs"),
    (hard_inputs, "seventh_bound", times(0), "unread_answers_cost_nothing"),
    (priced_hits, "seventh_bound", times(2), "seventh_is_certified"),
    (rounds, "points_before", always(0), "exchanges_bound_the_area"),
    (late_rounds, "late_tail", times(2), "box_counts_what_is_hidden"),
    (late_rounds, "second_moment", times(2), "late_identities"),
    (late_rounds, "largest_product", plus(-1), "products_stay_below_their_largest"),
    (late_rounds, "near_chance", times(9), "late_tails_obey_the_lemma"),
    (
        hypergeometric,
        "hypergeometric_moment",
        times(2),
        "moments_of_common_items_are_poisson_like",
    ),
]


@pytest.mark.parametrize(
    ("module", "name", "spoil", "check"),
    [pytest.param(*bug, id=f"{bug[3]}-{bug[1].strip('_')}") for bug in WRONG_FUNCTIONS],
)
def test_a_check_notices_a_wrong_function(
    module: ModuleType,
    name: str,
    spoil: Callable[[Function], Function],
    check: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A check fails when a function that it relies on is wrong."""
    monkeypatch.setattr(module, name, spoil(getattr(module, name)))
    with pytest.raises(CheckFailed):
        getattr(module, check)()
