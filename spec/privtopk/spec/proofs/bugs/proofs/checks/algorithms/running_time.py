"""Bugs of `privtopk.spec.proofs.checks.algorithms.running_time`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="heap-gets-falling-scores",
        original="heapq.heappushpop(heap, _CountedNumber(value, tally))",
        mutated="heapq.heappushpop(heap, _CountedNumber(-value, tally))",
        killers=("algorithms.running_time.heap_pays_the_logarithm",),
    ),
    SeededBug(
        name="buffer-keeps-one-item-less",
        original="ranked[: self.k])",
        mutated="ranked[: self.k - 1])",
        killers=("algorithms.running_time.buffer_selects_the_same_items",),
    ),
)
