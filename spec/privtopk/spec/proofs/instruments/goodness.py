"""Goodness of fit for the seeded statistical checks.

The tapes of these checks are seeded, so a verdict never changes from run to run. The false-alarm
rate is the probability, when the seed was chosen, that a right algorithm would fail.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, TypeVar

from flint import arb

from privtopk.spec.proofs.gate.registry import CheckFailed, expect

FALSE_ALARM_RATE: Final = 1e-9
"""The false-alarm rate of one statistical check."""

SMALLEST_EXPECTED: Final = 5
"""The chi-square approximation is used only for cells with at least this expected count."""

Outcome = TypeVar("Outcome", bound=Hashable)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return P(X > statistic) for a chi-square variable X with these degrees of freedom."""
    return float(arb(statistic / 2).gamma_upper(arb(freedom) / 2, regularized=1))


def fits(observed: Counter[Outcome], law: Mapping[Outcome, float], name: str) -> str:
    """Return a summary if counts fit a law; cells with a small expected count are merged."""
    n = observed.total()
    expect(all(outcome in law for outcome in observed), f"{name}: an impossible outcome was seen")
    ranked = sorted(law, key=lambda outcome: law[outcome], reverse=True)
    cells: list[tuple[float, int]] = []
    rare_expected, rare_observed = 0.0, 0
    for outcome in ranked:
        if law[outcome] * n >= SMALLEST_EXPECTED:
            cells.append((law[outcome] * n, observed[outcome]))
        else:
            rare_expected += law[outcome] * n
            rare_observed += observed[outcome]
    if rare_expected >= SMALLEST_EXPECTED:
        cells.append((rare_expected, rare_observed))
    statistic = math.fsum((seen - mean) ** 2 / mean for mean, seen in cells)
    p_value = chi_square_tail(statistic, len(cells) - 1)
    expect(p_value > FALSE_ALARM_RATE, f"{name}: chi-square {statistic:.1f} in {len(cells)} cells")
    return f"n = {n:,}, {len(cells)} cells, p = {p_value:.2g}"


def uniform_enough(values: Sequence[float], cells: int, name: str) -> str:
    """Return a summary if values in (0, 1) fit the uniform law in equal cells."""
    counts = Counter(int(value * cells) for value in values)
    return fits(counts, dict.fromkeys(range(cells), 1 / cells), name)


def expect_rejected(control: Callable[[], str]) -> None:
    """Raise `CheckFailed` unless a negative control fails."""
    try:
        evidence = control()
    except CheckFailed:
        return
    raise CheckFailed(f"the negative control was accepted: {evidence}")
