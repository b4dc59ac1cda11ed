"""Bugs of `privtopk.spec.algorithms.peeling`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="peeling-draws-with-replacement",
        original="drawn.append(remaining.pop(tape.choose(step_weights(remaining))))",
        mutated="drawn.append(remaining[tape.choose(step_weights(remaining))])",
        killers=("algorithms.relatives.peeling_is_the_gumbel_ranking",),
    ),
    SeededBug(
        name="peeling-stops-one-item-early",
        original="    for _ in range(k):\n",
        mutated="    for _ in range(k - 1):\n",
        killers=("algorithms.peeling.thm_peeling_draws_every_item_once",),
    ),
)
