"""What requirements on the law of noisy scores have in common."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Observations
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.subjects.kinds import Abilities, Cost, Kind, Mechanism
from privtopk.spec.noise.distributions import NoiseKind

GAP: Final = 20
"""Votes by which a leader is ahead; the rate follows from it and is never 1."""

SIZES: Final = {
    NoiseKind.GUMBEL: (100, 10_000, 2**40, 2**60),
    NoiseKind.LAPLACE: (100, 10_000, 2**30),
}
"""Sizes of domains.

Laplace noise is tried up to m = 2^30 only. A leader's noise is below -x with probability e^-x/2,
and then about e^x items must be opened. At m = 2^60 a right selector would sometimes run for
hours. Gumbel noise has no such tail.
"""

SCANNED_SIZE: Final = 2_000
SCANNED_ITEMS: Final = 100_000
"""About the number of entries that a subject which reads everything reads per experiment."""

FEWEST_TRIALS: Final = 32
FACTORS: Final = (1.05, 1.1, 1.2, 1.4, 2)


class NoisyScoresRequirement(Requirement):
    """A requirement that only a mechanism with noisy scores can satisfy."""

    kind = Kind.SELECTOR

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that adds no noise to scores."""
        if abilities.mechanism is not Mechanism.NOISY_TOP_K:
            return f"it is about noisy scores, and the subject declares {abilities.mechanism}"
        return super().reason_to_skip(abilities)


def sizes_for(abilities: Abilities, noise: NoiseKind) -> tuple[int, ...]:
    """Return the sizes to try, none beyond what the subject accepts or can scan quickly."""
    is_scan = abilities.cost is Cost.SCAN
    largest = min(abilities.largest, SCANNED_SIZE) if is_scan else abilities.largest
    return tuple(sorted({min(m, largest) for m in SIZES[noise]}))


def affordable_trials(abilities: Abilities, m: int, trials: int) -> int:
    """Return the number of trials: fewer if each of them reads the whole domain."""
    if abilities.cost is not Cost.SCAN:
        return trials
    return max(FEWEST_TRIALS, min(trials, SCANNED_ITEMS // m))


def wrong_scales() -> Iterator[tuple[str, float]]:
    """Yield the mistake of a wrong noise scale, and the factor by which the rate is wrong."""
    for factor in FACTORS:
        yield f"noise too small by a factor of {factor}", factor
        yield f"noise too large by a factor of {factor}", 1 / factor


def log_likelihood_gains(
    seen: Observations, honest: np.ndarray, mistakes: Iterable[tuple[str, np.ndarray]]
) -> dict[str, float]:
    """Return for each mistake the log of how much likelier its law makes the categories seen."""
    counts = np.bincount(seen.astype(np.int64), minlength=len(honest))
    return {
        text: float((counts * (np.log(np.maximum(law, 1e-300)) - np.log(honest))).sum())
        for text, law in mistakes
    }
