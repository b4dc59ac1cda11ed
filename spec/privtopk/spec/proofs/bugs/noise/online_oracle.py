"""Bugs of `privtopk.spec.noise.online_oracle`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="online-oracle-ignores-its-successor",
        original="right = self._index.successor(j) or self._size + 1",
        mutated="right = self._size + 1",
        killers=("noise.oracles.both_doors_show_one_list",),
    ),
)
