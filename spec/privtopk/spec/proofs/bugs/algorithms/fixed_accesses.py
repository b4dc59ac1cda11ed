"""Bugs of `privtopk.spec.algorithms.fixed_accesses`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

_KILLERS = ("algorithms.fixed_costs.fixed_accesses_return_the_one_shot_list",)

BUGS = (
    SeededBug(
        name="fixed-accesses-with-one-item-too-few",
        original="    if common < k:\n",
        mutated="    if common < k - 1:\n",
        killers=_KILLERS,
    ),
    SeededBug(
        name="fixed-accesses-fail-less-often-than-they-say",
        original="hypergeometric_cdf(m, t, t, k - 1)",
        mutated="hypergeometric_cdf(m, t, t, k)",
        killers=_KILLERS,
    ),
)
