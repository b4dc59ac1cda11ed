"""The laws of what a selector returns, for right implementations and for usual mistakes.

If the law of a subject is wrong, its outcomes are compared with the laws of the usual mistakes.
The report names the mistake that makes the outcomes much likelier.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from privtopk.conformance.evidence.e_process import Observations
from privtopk.conformance.requirements.instruments.permute_and_flip import (
    flip_set_law,
    ranked_flip_law,
)
from privtopk.conformance.subjects.kinds import Mechanism
from privtopk.conformance.subjects.question import Question
from privtopk.spec.laws.gumbel import float_weights, ranked_law, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.values import Histogram, Item
from privtopk.spec.noise.distributions import NoiseKind

Mistake: TypeAlias = tuple[str, float, NoiseKind]
"""A mistake in words, and the rate and the noise that it leads to."""


@dataclass(frozen=True, slots=True)
class Law:
    """What determines the law of a selection, and the outcomes that are possible."""

    histogram: Histogram
    question: Question
    rate: float
    outcomes: tuple[tuple[int, ...], ...]
    mechanism: Mechanism = Mechanism.NOISY_TOP_K


@lru_cache(maxsize=512)
def law_of(
    histogram: Histogram,
    k: int,
    rate: float,
    noise: NoiseKind,
    is_ranked: bool,
    mechanism: Mechanism = Mechanism.NOISY_TOP_K,
) -> Mapping[tuple[int, ...], float]:
    """Return the exact law of ranked lists or of sets; a set is a tuple of ascending items."""
    if is_ranked:
        return lists_law(histogram, k, rate, mechanism)
    sets = sets_law(histogram, k, rate, noise, mechanism)
    return {tuple(sorted(outcome)): p for outcome, p in sorted(sets.items(), key=by_items)}


def lists_law(
    histogram: Histogram, k: int, rate: float, mechanism: Mechanism
) -> Mapping[tuple[int, ...], float]:
    """Return the law of ranked lists; only Gumbel noise ranks noisy scores."""
    if mechanism is Mechanism.PERMUTE_AND_FLIP:
        ranked = ranked_flip_law(histogram, k, rate)
    else:
        ranked = ranked_law(float_weights(histogram, rate), k)
    return {tuple(outcome): p for outcome, p in ranked.items()}


def sets_law(
    histogram: Histogram, k: int, rate: float, noise: NoiseKind, mechanism: Mechanism
) -> Mapping[frozenset[Item], float]:
    """Return the law of sets."""
    if mechanism is Mechanism.PERMUTE_AND_FLIP:
        return flip_set_law(histogram, k, rate)
    if noise is NoiseKind.GUMBEL:
        return set_law(float_weights(histogram, rate), k)
    return laplace_set_law(histogram, k, rate)


def by_items(entry: tuple[frozenset[Item], float]) -> tuple[int, ...]:
    """Return the key by which sets are sorted."""
    return tuple(sorted(entry[0]))


def gains(law: Law, seen: Observations, mistakes: Iterable[Mistake]) -> dict[str, float]:
    """Return for each mistake the log of how much likelier it makes the outcomes."""
    counts = np.bincount(seen.astype(np.int64), minlength=len(law.outcomes))
    honest = log_likelihood(counts, law, law.rate, law.question.noise)
    found: dict[str, float] = {}
    for text, rate, noise in mistakes:
        try:
            found.setdefault(text, log_likelihood(counts, law, rate, noise) - honest)
        except SelectionError:
            # The law of an extreme rate may underflow; then it explains nothing.
            continue
    return found


def usual_mistakes(law: Law) -> Iterator[Mistake]:
    """Yield the usual mistakes of implementations, with the rates and noises they lead to."""
    k, rate, noise = law.question.k, law.rate, law.question.noise
    if k > 1:
        yield "a budget counted once and not for each of the k items", rate * k, noise
        yield "a budget divided by k twice", rate / k, noise
    yield "noise of half the scale", rate * 2, noise
    yield "noise of twice the scale (a factor 2 that add/remove does not need)", rate / 2, noise
    yield "noise of scale epsilon instead of 1/epsilon", 1 / rate, noise
    yield "almost no noise", rate * 50, noise
    yield "a choice that ignores the scores", rate / 1e6, noise
    for factor in (1.05, 1.1, 1.2, 1.4):
        yield f"noise too small by a factor of {factor}", rate * factor, noise
        yield f"noise too large by a factor of {factor}", rate / factor, noise
    if not law.question.is_ranked and law.mechanism is Mechanism.NOISY_TOP_K:
        other = NoiseKind.LAPLACE if noise is NoiseKind.GUMBEL else NoiseKind.GUMBEL
        yield f"{other} noise instead of {noise}", rate, other


def log_likelihood(counts: np.ndarray, law: Law, rate: float, noise: NoiseKind) -> float:
    """Return the log-likelihood of the counts under noise of a given rate and kind."""
    k, is_ranked = law.question.k, law.question.is_ranked
    probabilities = law_of(law.histogram, k, rate, noise, is_ranked, law.mechanism)
    p = np.array([probabilities[outcome] for outcome in law.outcomes])
    return float((counts * np.log(np.maximum(p, 1e-300))).sum())
