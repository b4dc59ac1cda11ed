"""Bugs of permutations, indices, order statistics, tapes and served noise."""

from privtopk.spec.proofs.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="exchange-leaves-the-places",
        module="permutation",
        original="self._place[at_first], self._place[at_second] = second, first",
        mutated="self._place[at_first], self._place[at_second] = first, second",
        killers=("permutation.thm_exchange_keeps_places_and_numbers_inverse",),
    ),
    SeededBug(
        name="a-pair-exchanges-one-side-only",
        module="permutation",
        original="        self._items.exchange(self._revealed, item_place)\n",
        mutated="",
        killers=("permutation.thm_every_item_can_come_next",),
    ),
    SeededBug(
        name="the-last-item-met-is-drawn-again",
        module="permutation",
        original="if place > self._revealed:\n            self._pair(self._draw()",
        mutated="if place >= self._revealed:\n            self._pair(self._draw()",
        killers=("permutation.thm_an_item_stands_where_it_was_found",),
    ),
    SeededBug(
        name="predecessor-may-be-the-key",
        module="predecessor",
        original="if member < key)",
        mutated="if member <= key)",
        killers=("predecessor.thm_the_predecessor_is_the_nearest_key_below",),
    ),
    SeededBug(
        name="successor-is-the-farthest",
        module="predecessor",
        original="return min((member for member in self._members if member > key)",
        mutated="return max((member for member in self._members if member > key)",
        killers=("predecessor.thm_the_successor_mirrors_the_predecessor",),
    ),
    SeededBug(
        name="left-neighbour-is-the-farthest",
        module="order_statistic",
        original="left = max((ell for ell in known",
        mutated="left = min((ell for ell in known",
        killers=("order_statistic.thm_neighbours_enclose_the_position_tightly",),
    ),
    SeededBug(
        name="beta-shape-counts-one-too-many",
        module="order_statistic",
        original="return r - j, j - ell",
        mutated="return r - j + 1, j - ell",
        killers=("order_statistic.thm_the_four_beta_cases_are_one",),
    ),
    SeededBug(
        name="below-rounds-up",
        module="tape",
        original="return math.floor(Fraction(self.uniform()) * n)",
        mutated="return math.ceil(Fraction(self.uniform()) * n)",
        killers=("tape.thm_below_rounds_down",),
    ),
    SeededBug(
        name="a-weight-of-zero-is-chosen",
        module="tape",
        original="            if target < level:",
        mutated="            if target <= level:",
        killers=("tape.thm_a_choice_inverts_the_cumulated_weights",),
    ),
    SeededBug(
        name="certain-members-are-drawn",
        module="tape",
        original="if chance >= 1:",
        mutated="if chance > 1:",
        killers=("tape.thm_certain_members_need_no_uniform",),
    ),
    SeededBug(
        name="impossible-branches-are-visited",
        module="tape",
        original="if other != index and weight > 0",
        mutated="if other != index",
        killers=("tape.thm_every_outcome_of_a_choice_is_visited",),
    ),
    SeededBug(
        name="noise-at-the-level-is-above-it",
        module="noise_field",
        original="if self._noises[item - 1] > level)",
        mutated="if self._noises[item - 1] >= level)",
        killers=("noise_field.thm_above_reveals_what_exceeds_the_level",),
    ),
    SeededBug(
        name="an-item-asked-for-stays-hidden",
        module="noise_field",
        original="        self._hidden.discard(known)\n",
        mutated="",
        killers=("noise_field.thm_a_revealed_item_is_no_candidate",),
    ),
    SeededBug(
        name="stages-reveal-an-item-again",
        module="noise_field",
        original="        self._hidden.difference_update(found)\n",
        mutated="",
        killers=("noise_field.thm_stages_reveal_every_item_once",),
    ),
)
