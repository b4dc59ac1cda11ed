"""Bugs of `privtopk.spec.model.access`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="sorted-access-ascends",
        original="key=lambda entry: (-entry.value, entry.item)",
        mutated="key=lambda entry: (entry.value, entry.item)",
        killers=("model.access.thm_sorted_access_is_a_non_increasing_permutation",),
    ),
    SeededBug(
        name="ties-go-to-the-larger-item",
        original="key=lambda entry: (-entry.value, entry.item)",
        mutated="key=lambda entry: (-entry.value, -entry.item)",
        killers=("model.access.thm_ties_go_to_the_smaller_item",),
    ),
    SeededBug(
        name="random-access-reads-the-next-item",
        original="return self._values[known - 1]",
        mutated="return self._values[known % self.size]",
        killers=("model.access.thm_random_access_agrees_with_sorted_access",),
    ),
    SeededBug(
        name="ledger-forgets-random-access",
        original="        self._accesses.append((Door.RANDOM, known))\n",
        mutated="",
        killers=("model.access.thm_ledger_counts_every_access",),
    ),
    SeededBug(
        name="sorted-access-runs-past-the-end",
        original="entry = self._sorted[self._delivered]",
        mutated="entry = self._sorted[self._delivered + 1]",
        killers=("model.access.thm_sorted_access_is_a_non_increasing_permutation",),
    ),
    SeededBug(
        name="one-door-counts-for-both",
        original="return sum(1 for used, _ in self.accesses if used == door)",
        mutated="return len(self.accesses)",
        killers=("model.access.thm_every_access_passes_one_door",),
    ),
    SeededBug(
        name="prices-of-the-doors-are-swapped",
        original="sorted_cost * self.count(Door.SORTED) + random_cost * self.count(Door.RANDOM)",
        mutated="sorted_cost * self.count(Door.RANDOM) + random_cost * self.count(Door.SORTED)",
        killers=("model.access.thm_the_price_is_the_sum_over_the_accesses",),
    ),
    SeededBug(
        name="an-item-is-distinct-by-each-door",
        original="return frozenset(item for _, item in self.accesses)",
        mutated="return frozenset(self.accesses)",
        killers=("model.access.thm_distinct_items_never_exceed_the_cost",),
    ),
    SeededBug(
        name="an-exhausted-list-goes-on",
        original="if self._delivered == self.size:",
        mutated="if self._delivered > self.size:",
        killers=("model.access.thm_an_exhausted_list_refuses_and_charges_nothing",),
    ),
)
