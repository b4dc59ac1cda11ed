"""Bounds on the privacy loss of k adaptive steps of bounded range.

Each function takes the range r of one step (`step_range`), the number k of steps and delta,
and returns an epsilon for which the k steps together satisfy (epsilon, delta)-DP. There is one
function per bound, so that they can be compared; `guarantee` takes the smallest. All are valid for
every k, r and delta:

- `pure_composition`: k r, with delta = 0, because the loss of a step changes sign.
- `durfee_rogers_by_tanh`, `durfee_rogers_by_square`: the two other terms of Durfee and Rogers.
- `printed_composition`: the term that the paper prints, a corollary of bounded range.
- `azuma_composition`: by Hoeffding's lemma each step has a mean of at most r^2/8; the rest is
  Azuma's inequality. It equals r^2/8-zCDP per step with the simple conversion.
- `zcdp_composition`: k times the tight rho of a step, with the best conversion.
- `renyi_composition`: k times all moments of a step, with the best conversion. It is never larger
  than `zcdp_composition`, whose moments are larger.

With delta = 0 all but the first are infinite. All are rounded up: the first from its exact value,
the closed forms by 8 units of `rounding`, because they are products and sums of positive terms.

Paper:    fact:gumbel-pure, fact:gumbel-approximate.
Deviates: erratum:gumbel-approximate (the printed term takes the range, not epsilon),
          erratum:attribution (it is neither of Durfee and Rogers' terms),
          erratum:parameter-ranges (delta = 0 makes the second term infinite).
Ours:     ours:accounting-pure, ours:bounded-range-zcdp, ours:bounded-range-renyi.
"""

import math
from fractions import Fraction
from typing import Final

from privtopk.spec.accounting.bounded_range import log_moment_of_step, zcdp_of_step
from privtopk.spec.accounting.conversion import best_from_zcdp, best_order, log_inverse
from privtopk.spec.accounting.rounding import float_at_least, round_up
from privtopk.spec.model.parameters import require_at_least, require_delta, require_epsilon
from privtopk.spec.model.values import Number

CLOSED_FORM: Final = 8
"""A bound on the error of the closed forms, in units of 2^-52 of the value."""


def pure_composition(step_range: Number, k: int) -> Number:
    """Return k r, exactly if r is an integer or a fraction, and else rounded up.

    Paper: fact:gumbel-pure.
    Ours:  ours:accounting-pure.
    """
    r = require_epsilon(step_range, "step_range")
    steps = require_at_least("k", k, 1)
    return float_at_least(steps * Fraction(r)) if isinstance(r, float) else steps * r


def printed_composition(step_range: Number, k: int, delta: Number) -> float:
    """Return k r tanh(r/2) + r sqrt(k ln(1/delta)), the paper's term with the range for epsilon.

    Paper:    fact:gumbel-approximate.
    Deviates: erratum:gumbel-approximate, erratum:attribution.
    """
    r, steps = _require_steps(step_range, k)
    mean, tail = steps * r * math.tanh(r / 2), r * math.sqrt(steps * log_inverse(delta))
    return round_up(mean + tail, CLOSED_FORM)


def durfee_rogers_by_tanh(step_range: Number, k: int, delta: Number) -> float:
    """Return k r tanh(r/2) + r sqrt(2 k ln(1/delta))."""
    r, steps = _require_steps(step_range, k)
    mean, tail = steps * r * math.tanh(r / 2), r * math.sqrt(2 * steps * log_inverse(delta))
    return round_up(mean + tail, CLOSED_FORM)


def durfee_rogers_by_square(step_range: Number, k: int, delta: Number) -> float:
    """Return k r^2/2 + r sqrt(k ln(1/delta) / 2)."""
    r, steps = _require_steps(step_range, k)
    mean, tail = steps * r * r / 2, r * math.sqrt(steps * log_inverse(delta) / 2)
    return round_up(mean + tail, CLOSED_FORM)


def azuma_composition(step_range: Number, k: int, delta: Number) -> float:
    """Return k r^2/8 + r sqrt(k ln(1/delta) / 2)."""
    r, steps = _require_steps(step_range, k)
    mean, tail = steps * r * r / 8, r * math.sqrt(steps * log_inverse(delta) / 2)
    return round_up(mean + tail, CLOSED_FORM)


def zcdp_of_steps(step_range: Number, k: int) -> float:
    """Return the rho for which the k steps together satisfy rho-zCDP."""
    r, steps = _require_steps(step_range, k)
    return round_up(steps * zcdp_of_step(r), 1)


def zcdp_composition(step_range: Number, k: int, delta: Number) -> float:
    """Return the epsilon of k steps from zCDP with the best conversion."""
    rho, allowed = zcdp_of_steps(step_range, k), require_delta(delta)
    return best_from_zcdp(rho, allowed) if rho < math.inf else math.inf


def renyi_composition(step_range: Number, k: int, delta: Number) -> float:
    """Return the epsilon of k steps from all their moments with the best conversion."""
    _require_steps(step_range, k)
    if log_inverse(delta) == math.inf:
        return math.inf
    return max(0.0, best_renyi_order(step_range, k, delta)[0])


def best_renyi_order(step_range: Number, k: int, delta: Number) -> tuple[float, float]:
    """Return the smallest bound by moments for a delta > 0, maybe negative, and its order c."""
    r, steps = _require_steps(step_range, k)
    order_scale = math.sqrt(8 / steps) / r
    return best_order(lambda c: log_moment_of_steps(r, k, c), delta, order_scale)


def log_moment_of_steps(step_range: Number, k: int, c: float) -> float:
    """Return k K(c), the largest ln E[e^(c L)] of k adaptive steps."""
    r, steps = _require_steps(step_range, k)
    return round_up(steps * log_moment_of_step(r, c), 1)


def _require_steps(step_range: Number, k: int) -> tuple[float, float]:
    """Return the checked range of a step and the checked number of steps, both rounded up."""
    r = float_at_least(require_epsilon(step_range, "step_range"))
    return r, float_at_least(require_at_least("k", k, 1))
