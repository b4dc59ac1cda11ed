"""Bugs of `privtopk.spec.noise.field`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="lazy-noise-forgets-the-frontier",
        original="level = self._frontier_level() + exponential(self._tape)",
        mutated="level = exponential(self._tape)",
        killers=("noise.oracles.lazy_noise_makes_these_transitions",),
    ),
    SeededBug(
        name="noise-at-the-level-is-above-it",
        original="if self._noises[item - 1] > z)",
        mutated="if self._noises[item - 1] >= z)",
        killers=("noise.field.thm_above_reveals_what_exceeds_the_level",),
    ),
    SeededBug(
        name="an-item-asked-for-stays-hidden",
        original="        self._hidden.discard(known)\n",
        mutated="",
        killers=("noise.field.thm_a_revealed_item_is_no_candidate",),
    ),
    SeededBug(
        name="stages-reveal-an-item-again",
        original="        self._hidden.difference_update(found)\n",
        mutated="",
        killers=("noise.field.thm_stages_reveal_every_item_once",),
    ),
)
