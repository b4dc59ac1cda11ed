"""Bugs of the two doors and the ledger."""

from privtopk.spec.proofs.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="sorted-access-ascends",
        module="access",
        original="key=lambda entry: (-entry.value, entry.item)",
        mutated="key=lambda entry: (entry.value, entry.item)",
        killers=("access.thm_sorted_access_is_a_non_increasing_permutation",),
    ),
    SeededBug(
        name="ties-go-to-the-larger-item",
        module="access",
        original="key=lambda entry: (-entry.value, entry.item)",
        mutated="key=lambda entry: (-entry.value, -entry.item)",
        killers=("access.thm_ties_go_to_the_smaller_item",),
    ),
    SeededBug(
        name="random-access-reads-the-next-item",
        module="access",
        original="return self._values[known - 1]",
        mutated="return self._values[known % self.size]",
        killers=("access.thm_random_access_agrees_with_sorted_access",),
    ),
    SeededBug(
        name="ledger-forgets-random-access",
        module="access",
        original="        self._accesses.append((Door.RANDOM, known))\n",
        mutated="",
        killers=("access.thm_ledger_counts_every_access",),
    ),
    SeededBug(
        name="sorted-access-runs-past-the-end",
        module="access",
        original="entry = self._sorted[self._delivered]",
        mutated="entry = self._sorted[self._delivered + 1]",
        killers=("access.thm_sorted_access_is_a_non_increasing_permutation",),
    ),
)
