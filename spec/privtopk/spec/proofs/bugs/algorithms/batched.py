"""Bugs of `privtopk.spec.algorithms.batched`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="bar-is-the-best-item",
        original="return self.best[-1].value - self.last",
        mutated="return self.best[0].value - self.last",
        killers=("algorithms.batched.thm_two_phases_find_the_two_best_of_three",),
    ),
    SeededBug(
        name="bar-ignores-the-last-score",
        original="return self.best[-1].value - self.last if",
        mutated="return self.best[-1].value if",
        killers=("algorithms.batched.thm_every_prefix_finds_the_best_of_three",),
    ),
    SeededBug(
        name="candidates-come-for-free",
        original="            self.candidates += 1\n",
        mutated="",
        killers=("algorithms.batched.thm_the_run_counts_its_accesses",),
    ),
    SeededBug(
        name="candidates-enter-without-their-score",
        original="self._admit(entry.item, self.source.random_access(entry.item), entry.value)",
        mutated="self._admit(entry.item, self.last, entry.value)",
        killers=("algorithms.batched.thm_every_prefix_finds_the_best_of_three",),
    ),
    SeededBug(
        name="stages-stop-below-the-frontier",
        original="if run.needed_noise() >= frontier:",
        mutated="if run.needed_noise() <= frontier:",
        killers=("algorithms.batched.thm_stages_find_the_best_of_three",),
    ),
    SeededBug(
        name="adaptive-rule-stops-before-k-items",
        original="            r >= k and random_cost",
        mutated="            r >= 0 and random_cost",
        killers=("algorithms.batched.thm_the_adaptive_rule_stops_between_k_and_latest",),
    ),
    SeededBug(
        name="adaptive-rule-overruns-the-latest-prefix",
        original="return r >= latest or (",
        mutated="return r > latest or (",
        killers=("algorithms.batched.thm_the_adaptive_rule_stops_between_k_and_latest",),
    ),
    SeededBug(
        name="fixed-prefix-is-one-too-long",
        original="return lambda prefix: prefix.length >= length",
        mutated="return lambda prefix: prefix.length > length",
        killers=("algorithms.batched.thm_the_run_counts_its_accesses",),
    ),
)
