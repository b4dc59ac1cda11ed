"""Bugs of `privtopk.spec.noise.deferred_revelation`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="hidden-words-forget-the-frontier",
        original="return self.frontier + self._tape.below(self._words - self.frontier)",
        mutated="return self._tape.below(self._words)",
        killers=("noise.exact_noise.deferred_selection_has_the_law_of_all_words",),
    ),
    SeededBug(
        name="hidden-words-are-opened-unconditionally",
        original="chance = Fraction(width, self._words - self.frontier)",
        mutated="chance = Fraction(width, self._words)",
        killers=("noise.exact_noise.deferred_selection_has_the_law_of_all_words",),
    ),
    SeededBug(
        name="ties-at-the-bar-stay-hidden",
        original="if last + quantile(word) < bar), words)",
        mutated="if last + quantile(word) <= bar), words)",
        killers=("noise.exact_noise.deferred_selection_has_the_law_of_all_words",),
    ),
    SeededBug(
        name="gaps-count-the-member-itself",
        original="gap_law(chance, member - position - 1)",
        mutated="gap_law(chance, member - position)",
        killers=("noise.exact_noise.gaps_choose_independently",),
    ),
)
