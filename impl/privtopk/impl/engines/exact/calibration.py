"""The rate of the noise as an exact number, and what it promises.

A budget is taken as the rational number that it is: 0.1 as a double is 3602879701896397/2^55,
and `Fraction(1, 10)` is a tenth. A pure budget is divided by k, and by 2 for swap and
l-infinity neighbours, without rounding, so that it is spent to the last digit and not exceeded.
A budget with delta > 0 may allow a larger rate, found by a search in doubles whose results have
relative errors of about 10^-14; that rate is lowered by 2^-40 of itself, and so keeps to the
budget.
"""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from privtopk.impl.engines.float_contest import LARGEST_RATE
from privtopk.spec.accounting.assumptions import Arithmetic
from privtopk.spec.accounting.bounded_range import range_of_step
from privtopk.spec.accounting.guarantee import Guarantee, calibrate, guarantee
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

MARGIN: Final = Fraction(1, 2**40)
"""What a rate that was found in doubles is lowered by, as a share of it."""


@lru_cache(maxsize=256, typed=True)
def exact_calibration(
    kind: NoiseKind, epsilon: Number, k: int, m: int, relation: Relation, delta: Number
) -> tuple[Fraction, Guarantee]:
    """Return the rate of the noise of one item, and the guarantee that it gives."""
    pure = Fraction(epsilon) / (k * Fraction(range_of_step(1, relation)))
    found = Fraction(calibrate(kind, epsilon, k, m, relation, delta)) * (1 - MARGIN)
    rate = min(max(pure, found), Fraction(LARGEST_RATE))
    promise = guarantee(kind, rate, k, m, relation, delta)
    # The same number, written as the caller wrote it.
    spent = epsilon if promise.epsilon == epsilon else promise.epsilon
    return rate, replace(promise, epsilon=spent, arithmetic=Arithmetic.EXACT)
