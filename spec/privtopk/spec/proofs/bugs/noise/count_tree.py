"""Bugs of `privtopk.spec.noise.count_tree`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="count-tree-splits-uniformly",
        original="[math.comb(count, j) for j in range(count + 1)]",
        mutated="[1 for j in range(count + 1)]",
        killers=("noise.exact_noise.count_tree_has_the_law_of_the_list",),
    ),
    SeededBug(
        name="count-tree-points-stand-at-the-left-end",
        original="first + self._tape.below(1 << bits)",
        mutated="first",
        killers=("noise.exact_noise.count_tree_has_the_law_of_the_list",),
    ),
)
