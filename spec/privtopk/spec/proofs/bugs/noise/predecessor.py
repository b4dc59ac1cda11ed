"""Bugs of `privtopk.spec.noise.predecessor`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="predecessor-may-be-the-key",
        original="if member < key)",
        mutated="if member <= key)",
        killers=("noise.predecessor.thm_the_predecessor_is_the_nearest_key_below",),
    ),
    SeededBug(
        name="successor-is-the-farthest",
        original="return min((member for member in self._members if member > key)",
        mutated="return max((member for member in self._members if member > key)",
        killers=("noise.predecessor.thm_the_successor_mirrors_the_predecessor",),
    ),
)
