"""Selectors that add the right noise in the wrong way, or to the wrong scores."""

import math
from typing import Final

import numpy as np

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, mutant
from privtopk.conformance.mutants.right.lists import noise_at_level
from privtopk.conformance.mutants.right.selectors import (
    Entries,
    NoiseSupply,
    ScanSelector,
    lead,
    leads,
)


class NoiseRoundedToWholes(ScanSelector):
    """The noise is rounded to whole votes, so that many noisy scores tie."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return scores with whole noise, by item number."""
        return {
            item: score + round(self.standard_noise(supply) / supply.rate)
            for item, score in sorted(entries)
        }


class NoiseSharedByAll(ScanSelector):
    """One noise is drawn and added to every score."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return scores that all moved by the same noise."""
        shared = self.standard_noise(supply)
        return {item: score + shared for item, score in leads(entries, supply.rate).items()}


class NoiseSharedByTies(ScanSelector):
    """Items with equal scores get the same noise, and the smaller number wins."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores with one noise per score."""
        noises = {score: self.standard_noise(supply) for _, score in entries}
        best, rate = entries[0][1], supply.rate
        return {item: lead(score, best, rate) + noises[score] for item, score in sorted(entries)}


class NoiseForPairs(ScanSelector):
    """Two items share one uniform u: the first gets the noise of u, the second that of 1 - u."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores that are dependent in pairs, each with the right law."""
        noisy = {}
        u = 0.5
        for rank, (item, score) in enumerate(leads(entries, supply.rate).items()):
            u = 1 - u if rank % 2 else supply.uniform()
            noisy[item] = score + noise_at_level(supply.noise, -math.log(u))
        return noisy


class FirstPageFavoured(ScanSelector):
    """The items of the first half of the list get the larger of two noises."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores, those of the first half a little larger."""
        noisy = super().noisy_scores(entries, supply)
        again = super().noisy_scores(entries, supply)
        page = {item for item, _ in entries[: (len(entries) + 1) // 2]}
        return {item: max(v, again[item]) if item in page else v for item, v in noisy.items()}


class SumsInFloat32(ScanSelector):
    """Score and noise are added in single precision, where large scores tie."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores of 24 bits."""
        return {
            item: float(np.float32(score) + np.float32(self.standard_noise(supply) / supply.rate))
            for item, score in sorted(entries)
        }


class SumsInFloat64(ScanSelector):
    """Score and noise are added as doubles: a score of 2^60 absorbs the noise."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores of 53 bits."""
        return {
            item: float(score) + self.standard_noise(supply) / supply.rate
            for item, score in sorted(entries)
        }


class NegativeSumsRaisedToZero(ScanSelector):
    """Noisy scores below 0 are raised to 0, and the smaller number wins a tie."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores that are at least 0."""
        return {
            item: max(0.0, score * supply.rate + self.standard_noise(supply))
            for item, score in sorted(entries)
        }


class ScoresAsShares(ScanSelector):
    """Scores are divided by their mean before the noise is added."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores relative to the mean score."""
        mean = max(1.0, sum(score for _, score in entries) / len(entries))
        return super().noisy_scores([(item, score / mean) for item, score in entries], supply)


class BetterHalfCentred(ScanSelector):
    """The better half of the list gets noise of mean 0, the rest noise of mean 0.577."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores that are not shifted alike."""
        noisy = super().noisy_scores(entries, supply)
        better = {item for item, _ in entries[: len(entries) // 2]}
        mean = float(np.euler_gamma)
        return {item: value - mean if item in better else value for item, value in noisy.items()}


MUTANTS: Final = (
    mutant(NoiseRoundedToWholes, PRIVACY_BUG, "selector.set-law"),
    mutant(NoiseSharedByAll, PRIVACY_BUG, "selector.set-law"),
    mutant(NoiseSharedByTies, PRIVACY_BUG, "selector.set-law"),
    mutant(NoiseForPairs, PRIVACY_BUG, "selector.set-law"),
    mutant(FirstPageFavoured, USUAL_SLIP, "selector.set-law"),
    mutant(SumsInFloat32, USUAL_SLIP, "selector.degenerate"),
    mutant(SumsInFloat64, USUAL_SLIP, "selector.set-law"),
    mutant(NegativeSumsRaisedToZero, USUAL_SLIP, "selector.set-law"),
    mutant(ScoresAsShares, PRIVACY_BUG, "selector.set-law"),
    mutant(BetterHalfCentred, USUAL_SLIP, "selector.set-law"),
)
