"""Theorems about tapes: the choices that uniforms lead to, for all uniforms in eighths or quarters.

Paper: fact:inversion, thm:oracle.
"""

from fractions import Fraction

from privtopk.spec.model.tape import every_outcome, tape_of
from privtopk.spec.proofs.instruments.premises import are_scores, concrete, is_between

Triple = tuple[int, int, int]


def thm_below_rounds_down(eighths: int, n: int) -> bool:
    """A uniform u gives the integer floor(u n), which lies in 0, ..., n - 1.

    Claim: fact:inversion
    Seconds: 40
    pre: is_between(eighths, 1, 7)
    pre: is_between(n, 1, 4)
    post: _
    """
    count, part = concrete(n, 1, 4), concrete(eighths, 1, 7)
    drawn = tape_of(Fraction(part, 8)).below(count)
    return 0 <= drawn < count and drawn == part * count // 8


def thm_a_choice_inverts_the_cumulated_weights(weights: Triple, quarters: int) -> bool:
    """The index chosen is the first whose cumulative weight exceeds u times the total.

    Claim: fact:inversion
    Seconds: 40
    pre: are_scores(weights)
    pre: sum(weights) > 0
    pre: is_between(quarters, 1, 3)
    post: _
    """
    part = concrete(quarters, 1, 3)
    index = tape_of(Fraction(part, 4)).choose(weights)
    before, upto = sum(weights[:index]), sum(weights[: index + 1])
    return 4 * before <= part * sum(weights) < 4 * upto


def thm_every_outcome_of_a_choice_is_visited(weights: Triple) -> bool:
    """The exact law of one choice gives every index of positive weight its probability.

    Claim: thm:oracle
    Seconds: 40
    pre: are_scores(weights)
    pre: sum(weights) == 3
    post: _
    """
    concrete_weights = tuple(concrete(weight, 0, 3) for weight in weights)
    law = every_outcome(lambda tape: tape.choose(concrete_weights))
    return law == {
        index: Fraction(weight, 3) for index, weight in enumerate(concrete_weights) if weight
    }


def thm_certain_members_need_no_uniform(n: int) -> bool:
    """A subset with probability 1 is everything and with probability 0 nothing, without a draw.

    Claim: fact:inversion
    pre: is_between(n, 0, 4)
    post: _
    """
    tape = tape_of()
    return tape.subset(n, 1) == tuple(range(n)) and tape.subset(n, 0) == ()
