"""Bugs of `privtopk.spec.model.tape`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="enumeration-forgets-a-branch",
        original="for other, weight in enumerate(branching)\n",
        mutated="for other, weight in enumerate(branching[:2])\n",
        killers=("noise.oracles.lazy_permutation_is_uniform",),
    ),
    SeededBug(
        name="below-rounds-up",
        original="return math.floor(Fraction(self.uniform()) * n)",
        mutated="return math.ceil(Fraction(self.uniform()) * n)",
        killers=("model.tape.thm_below_rounds_down",),
    ),
    SeededBug(
        name="a-weight-of-zero-is-chosen",
        original="            if target < bound:",
        mutated="            if target <= bound:",
        killers=("model.tape.thm_a_choice_inverts_the_cumulated_weights",),
    ),
    SeededBug(
        name="certain-members-are-drawn",
        original="if chance >= 1:",
        mutated="if chance > 1:",
        killers=("model.tape.thm_certain_members_need_no_uniform",),
    ),
    SeededBug(
        name="impossible-branches-are-visited",
        original="if other != index and weight > 0",
        mutated="if other != index",
        killers=("model.tape.thm_every_outcome_of_a_choice_is_visited",),
    ),
)
