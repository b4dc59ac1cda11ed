"""Bugs of exact selection: the certified logarithm, bits on demand, the count tree."""

from privtopk.spec.proofs.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="logarithm-series-is-too-short",
        module="certified_logarithm",
        original="for odd in range(3, 21, 2))",
        mutated="for odd in range(3, 17, 2))",
        killers=(
            "exact_noise.roundings_stay_below_the_errors",
            "exact_noise.every_exponent_keeps_to_the_error",
        ),
    ),
    SeededBug(
        name="logarithm-level-takes-the-rounded-complement",
        module="certified_logarithm",
        original="-v if exponent == 0 else f - 1.0",
        mutated="f - 1.0",
        killers=("exact_noise.levels_bear_errors_of_their_arguments",),
    ),
    SeededBug(
        name="logarithm-2-is-off-by-one-place",
        module="certified_logarithm",
        original="LOG_2: Final = 0.6931471805599453",
        mutated="LOG_2: Final = 0.6931471805599483",
        killers=(
            "exact_noise.constants_are_what_the_proof_says",
            "exact_noise.every_exponent_keeps_to_the_error",
        ),
    ),
    SeededBug(
        name="hidden-words-forget-the-frontier",
        module="deferred_revelation",
        original="return self.frontier + self._tape.below(self._words - self.frontier)",
        mutated="return self._tape.below(self._words)",
        killers=("exact_noise.deferred_selection_has_the_law_of_all_words",),
    ),
    SeededBug(
        name="hidden-words-are-opened-unconditionally",
        module="deferred_revelation",
        original="chance = Fraction(width, self._words - self.frontier)",
        mutated="chance = Fraction(width, self._words)",
        killers=("exact_noise.deferred_selection_has_the_law_of_all_words",),
    ),
    SeededBug(
        name="ties-at-the-bar-stay-hidden",
        module="deferred_revelation",
        original="if last + quantile(word) < bar), words)",
        mutated="if last + quantile(word) <= bar), words)",
        killers=("exact_noise.deferred_selection_has_the_law_of_all_words",),
    ),
    SeededBug(
        name="gaps-count-the-member-itself",
        module="deferred_revelation",
        original="gap_law(chance, member - position - 1)",
        mutated="gap_law(chance, member - position)",
        killers=("exact_noise.gaps_choose_independently",),
    ),
    SeededBug(
        name="count-tree-splits-uniformly",
        module="count_tree",
        original="[math.comb(count, j) for j in range(count + 1)]",
        mutated="[1 for j in range(count + 1)]",
        killers=("exact_noise.count_tree_has_the_law_of_the_list",),
    ),
    SeededBug(
        name="count-tree-points-stand-at-the-left-end",
        module="count_tree",
        original="first + self._tape.below(1 << bits)",
        mutated="first",
        killers=("exact_noise.count_tree_has_the_law_of_the_list",),
    ),
)
