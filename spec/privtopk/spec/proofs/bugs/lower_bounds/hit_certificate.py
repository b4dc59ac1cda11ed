"""Bugs of `privtopk.spec.lower_bounds.hit_certificate`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="complement-forgets-delta",
        original="        1 - delta - (1 - chance) / shrinkage,",
        mutated="        1 - (1 - chance) / shrinkage,",
        killers=("lower_bounds.low_items.private_mechanisms_report_many_low_items",),
    ),
    SeededBug(
        name="complement-is-not-inflated",
        original="        1 - delta - (1 - chance) / shrinkage,",
        mutated="        1 - delta - (1 - chance),",
        killers=("lower_bounds.low_items.private_mechanisms_report_many_low_items",),
    ),
    SeededBug(
        name="hits-are-demanded-one-too-early",
        original="        tail -= hypergeometric_pmf(s, a, k, j - 1)\n",
        mutated="        tail -= hypergeometric_pmf(s, a, k, j - 1) if j > 1 else 0\n",
        killers=(
            "lower_bounds.low_items.private_mechanisms_report_many_low_items",
            "lower_bounds.certificates.hit_certificates_stay_below_a_real_cost",
        ),
    ),
    SeededBug(
        name="inaccurate-answers-hit-too",
        original="        total += kept_probability(accurate * tail, kept, slack)",
        mutated="        total += kept_probability(tail, kept, slack)",
        killers=("lower_bounds.low_items.private_mechanisms_report_many_low_items",),
    ),
    SeededBug(
        name="low-items-hide-among-everything",
        original="Fraction(a + 1, m - s + a + 1)",
        mutated="Fraction(a + 1, m + 1)",
        killers=("lower_bounds.hit_certificates.best_play_buys_at_the_rate",),
    ),
    SeededBug(
        name="low-items-are-met-no-sooner-than-at-random",
        original="Fraction(a + 1, m - s + a + 1)",
        mutated="Fraction(a, m - s + a)",
        killers=("lower_bounds.hit_certificates.best_play_buys_at_the_rate",),
    ),
    SeededBug(
        name="sorted-access-delivers-all-of-s-first",
        original="    below = by_sorted * (s - a) +",
        mutated="    below = by_sorted * s +",
        killers=("lower_bounds.hit_certificates.best_play_buys_at_the_rate",),
    ),
    SeededBug(
        name="hits-are-paid-at-the-dearer-door",
        original="min(by_sorted, by_random) * hits",
        mutated="max(by_sorted, by_random) * hits",
        killers=("lower_bounds.hit_certificates.best_play_buys_at_the_rate",),
    ),
    SeededBug(
        name="nobody-stops-at-a-good-moment",
        original="    return (hits - 1) * root_above(square) / 2",
        mutated="    return 0 * root_above(square)",
        killers=("lower_bounds.hit_certificates.luck_of_stopping_is_small",),
    ),
    SeededBug(
        name="one-low-item-too-many",
        original="Fraction(m - high + 1, high + 1)) - 1",
        mutated="Fraction(m - high + 1, high + 1))",
        killers=("lower_bounds.priced_hits.seventh_is_certified",),
    ),
    SeededBug(
        name="too-few-high-items",
        original="HIGH_SHARE: Final = Fraction(26, 100)",
        mutated="HIGH_SHARE: Final = Fraction(15, 100)",
        killers=("lower_bounds.priced_hits.seventh_is_certified",),
    ),
    SeededBug(
        name="low-items-forget-the-prices",
        original="    low = math.floor(ratio * Fraction(",
        mutated="    low = math.floor(1 * Fraction(",
        killers=("lower_bounds.priced_hits.window_reaches_its_share",),
    ),
    SeededBug(
        name="a-half-is-promised",
        original="ONE_HIT_SHARE: Final = 7",
        mutated="ONE_HIT_SHARE: Final = 2",
        killers=(
            "lower_bounds.priced_hits.seventh_is_certified",
            "lower_bounds.priced_hits.seventh_holds_for_all_sizes",
        ),
    ),
)
