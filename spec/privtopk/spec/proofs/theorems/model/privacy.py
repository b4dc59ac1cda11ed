"""Theorems about the privacy definition on laws of two outputs.

A law of two outputs is a pair of integers here. The divergence scales with the unit, so
integers represent all rationals with a common denominator.

Paper: def:differential-privacy.
Ours:  ours:hockey-stick.
"""

from fractions import Fraction

from privtopk.spec.model.privacy import hockey_stick, is_private_by_definition
from privtopk.spec.proofs.instruments.premises import are_scores

Pair = tuple[int, int]


def masses(weights: Pair) -> dict[str, Fraction]:
    """Return a measure on two outputs."""
    return {"a": Fraction(weights[0]), "b": Fraction(weights[1])}


def thm_the_hockey_stick_decides_all_sets(p: Pair, q: Pair, delta: int) -> bool:
    """Both divergences are at most delta exactly if every set of outputs meets the definition.

    Claim: ours:hockey-stick, def:differential-privacy
    Seconds: 40
    pre: are_scores((*p, *q, delta))
    post: _
    """
    first, second, ratio = masses(p), masses(q), Fraction(2)
    worst = max(hockey_stick(first, second, ratio), hockey_stick(second, first, ratio))
    return (worst <= delta) == is_private_by_definition(first, second, ratio, Fraction(delta))


def thm_the_divergence_falls_with_the_ratio(p: Pair, q: Pair) -> bool:
    """A larger e^epsilon never needs a larger delta.

    Claim: ours:hockey-stick
    Seconds: 40
    pre: are_scores((*p, *q))
    post: _
    """
    first, second = masses(p), masses(q)
    return hockey_stick(first, second, Fraction(2)) <= hockey_stick(first, second, Fraction(1))


def thm_a_missing_output_has_mass_zero(p: Pair, mass: int) -> bool:
    """An output that is missing from a law has probability 0 in it.

    Claim: ours:hockey-stick
    Seconds: 40
    pre: are_scores((*p, mass))
    post: _
    """
    short, full = {"a": Fraction(mass)}, masses((mass, 0))
    return hockey_stick(masses(p), short, Fraction(2)) == hockey_stick(masses(p), full, Fraction(2))


def thm_at_epsilon_zero_the_divergence_is_symmetric(p: Pair, q: Pair) -> bool:
    """For laws, e^epsilon = 1 gives the total variation distance, the same both ways.

    Claim: ours:hockey-stick
    Seconds: 40
    pre: are_scores((*p, *q))
    pre: sum(p) == sum(q)
    post: _
    """
    first, second = masses(p), masses(q)
    return hockey_stick(first, second, Fraction(1)) == hockey_stick(second, first, Fraction(1))
