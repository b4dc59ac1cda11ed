"""Bugs of `privtopk.spec.noise.rank_free`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="rank-free-delivers-pending-items-first",
        original="if known is not None and self._levels[known] < fresh:",
        mutated="if known is not None:",
        killers=("noise.oracles.rank_free_code_makes_these_transitions",),
    ),
    SeededBug(
        name="rank-free-forgets-the-number-of-unseen",
        original="exponential(self._tape) / unseen if unseen",
        mutated="exponential(self._tape) if unseen",
        killers=("noise.oracles.rank_free_code_makes_these_transitions",),
    ),
    SeededBug(
        name="rank-free-ignores-the-frontier",
        original="self._see(known, self._frontier + exponential(self._tape))",
        mutated="self._see(known, exponential(self._tape))",
        killers=("noise.oracles.both_doors_show_one_list",),
    ),
    SeededBug(
        name="rank-free-keeps-the-minimum-after-a-lookup",
        original=(
            "        return self._frontier + exponential(self._tape) / unseen "
            "if unseen else math.inf\n"
        ),
        mutated=(
            "        kept = getattr(self, '_kept', 0.0)\n"
            "        if unseen and kept <= self._frontier:\n"
            "            kept = self._kept = self._frontier + exponential(self._tape) / unseen\n"
            "        return kept if unseen else math.inf\n"
        ),
        killers=("noise.oracles.rank_free_code_makes_these_transitions",),
    ),
)
