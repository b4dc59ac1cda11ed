"""The privacy definition, decided exactly on finite output laws.

(epsilon, delta)-privacy compares the probabilities of all sets of outputs. The worst set
for a pair of laws P, Q is {o : P(o) > e^epsilon Q(o)}, so one sum, the hockey-stick
divergence, decides about all 2^n sets. Probabilities and e^epsilon are rational, so every
answer is exact. `ratio` always means e^epsilon.

Paper:    def:differential-privacy.
Deviates: erratum:parameter-ranges (delta = 0 is allowed).
Ours:     ours:hockey-stick.
"""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import chain, combinations
from typing import TypeVar

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_delta

Output = TypeVar("Output", bound=Hashable)


def require_law(law: Mapping[Output, Fraction]) -> Mapping[Output, Fraction]:
    """Return a law if its probabilities are not negative and sum to exactly 1."""
    if any(probability < 0 for probability in law.values()) or sum(law.values()) != 1:
        raise SelectionError(
            Reason.NOT_A_LAW, "the probabilities of a law must not be negative and must sum to 1"
        )
    return law


def require_ratio(ratio: Fraction) -> Fraction:
    """Return e^epsilon >= 1."""
    if ratio < 1:
        raise SelectionError(
            Reason.EPSILON_OUT_OF_RANGE, f"the ratio e^epsilon must be at least 1, got {ratio}"
        )
    return ratio


def hockey_stick(
    p: Mapping[Output, Fraction], q: Mapping[Output, Fraction], ratio: Fraction
) -> Fraction:
    """Return the largest P(A) - ratio * Q(A) over all sets A of outputs.

    Ours: ours:hockey-stick.
    """
    excess = (p[o] - ratio * q.get(o, Fraction(0)) for o in p)
    return sum((gap for gap in excess if gap > 0), Fraction(0))


def tight_delta(
    p: Mapping[Output, Fraction], q: Mapping[Output, Fraction], ratio: Fraction
) -> Fraction:
    """Return the smallest delta with (ln ratio, delta)-privacy for the pair in both directions."""
    require_law(p)
    require_law(q)
    require_ratio(ratio)
    return max(hockey_stick(p, q, ratio), hockey_stick(q, p, ratio))


def is_private(
    p: Mapping[Output, Fraction],
    q: Mapping[Output, Fraction],
    ratio: Fraction,
    delta: Fraction = Fraction(0),
) -> bool:
    """Return whether the pair satisfies (ln ratio, delta)-privacy in both directions."""
    require_delta(delta)
    return tight_delta(p, q, ratio) <= delta


def is_private_by_definition(
    p: Mapping[Output, Fraction],
    q: Mapping[Output, Fraction],
    ratio: Fraction,
    delta: Fraction = Fraction(0),
) -> bool:
    """Return the same, decided by the definition itself: tries every set of outputs.

    Paper: def:differential-privacy.
    """
    outputs = sorted(set(p) | set(q), key=repr)
    subsets = chain.from_iterable(combinations(outputs, size) for size in range(len(outputs) + 1))
    for subset in subsets:
        in_p = sum((p.get(o, Fraction(0)) for o in subset), Fraction(0))
        in_q = sum((q.get(o, Fraction(0)) for o in subset), Fraction(0))
        if in_p > ratio * in_q + delta or in_q > ratio * in_p + delta:
            return False
    return True


def _one_sided_ratio(
    p: Mapping[Output, Fraction], q: Mapping[Output, Fraction], delta: Fraction
) -> Fraction | None:
    """Return the smallest ratio >= 1 with hockey_stick(p, q, ratio) <= delta, or None."""
    # The divergence is piecewise linear and falls with the ratio, so its root lies on the
    # piece where the outputs with the largest p/q are the ones that still exceed.
    impossible = sum((p[o] for o in p if q.get(o, Fraction(0)) == 0), Fraction(0))
    if impossible > delta:
        return None
    possible = sorted(
        (o for o in p if q.get(o, Fraction(0)) > 0), key=lambda o: p[o] / q[o], reverse=True
    )
    in_p, in_q = impossible, Fraction(0)
    ratio = Fraction(1)
    for o in possible:
        if in_q > 0 and (in_p - delta) / in_q >= p[o] / q[o]:
            break
        in_p, in_q = in_p + p[o], in_q + q[o]
        ratio = max(Fraction(1), (in_p - delta) / in_q)
    return ratio


def tight_ratio(
    p: Mapping[Output, Fraction],
    q: Mapping[Output, Fraction],
    delta: Fraction = Fraction(0),
) -> Fraction | None:
    """Return e^epsilon for the smallest epsilon that delta allows, or None if none is finite.

    Ours: ours:hockey-stick.
    """
    require_law(p)
    require_law(q)
    require_delta(delta)
    forward, backward = _one_sided_ratio(p, q, delta), _one_sided_ratio(q, p, delta)
    return None if forward is None or backward is None else max(forward, backward)
