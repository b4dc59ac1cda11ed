"""Bugs of `privtopk.spec.noise.permutation`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="lazy-permutation-draws-a-seen-item",
        original="self._tape.below(self.size - self._revealed)",
        mutated="self._tape.below(self.size - self._revealed) // 2 * 2",
        killers=("noise.oracles.lazy_permutation_is_uniform",),
    ),
    SeededBug(
        name="exchange-leaves-the-places",
        original="self._place[at_first], self._place[at_second] = second, first",
        mutated="self._place[at_first], self._place[at_second] = first, second",
        killers=("noise.permutation.thm_exchange_keeps_places_and_numbers_inverse",),
    ),
    SeededBug(
        name="a-pair-exchanges-one-side-only",
        original="        self._items.exchange(self._revealed, item_place)\n",
        mutated="",
        killers=("noise.permutation.thm_every_item_can_come_next",),
    ),
    SeededBug(
        name="the-last-item-met-is-drawn-again",
        original="if place > self._revealed:\n            self._pair(self._draw()",
        mutated="if place >= self._revealed:\n            self._pair(self._draw()",
        killers=("noise.permutation.thm_an_item_stands_where_it_was_found",),
    ),
)
