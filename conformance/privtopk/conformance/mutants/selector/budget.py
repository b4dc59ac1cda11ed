"""Selectors that take the wrong amount of noise for the budget they are given."""

import math
from dataclasses import replace
from typing import Final

from privtopk.conformance.mutants.mutant import PEER, PRIVACY_BUG, USUAL_SLIP, erratum, mutant
from privtopk.conformance.mutants.right.selectors import ScanSelector
from privtopk.conformance.subjects.question import Question, largest_allowed_rate
from privtopk.spec.accounting.composition import printed_composition
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


class BudgetCountedOnce(ScanSelector):
    """The whole budget is spent on each of the k items."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for one item."""
        return largest_allowed_rate(replace(question, k=1, delta=0.0), m)


class BudgetForAddRemove(ScanSelector):
    """The noise is that of add/remove, whatever the neighbour relation is."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for add/remove."""
        return largest_allowed_rate(replace(question, relation=Relation.ADD_REMOVE), m)


class BudgetForAddRemoveUnderSwap(ScanSelector):
    """Swap gets the noise of add/remove; only l-infinity is doubled."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for add/remove if one client is replaced."""
        is_swap = question.relation is Relation.SWAP
        return largest_allowed_rate(
            replace(question, relation=Relation.ADD_REMOVE) if is_swap else question, m
        )


class LaplaceBudgetForAddRemove(ScanSelector):
    """Laplace noise is that of add/remove, whatever the neighbour relation is."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return a rate twice too large for Laplace noise under swap."""
        if question.noise is NoiseKind.GUMBEL:
            return largest_allowed_rate(question, m)
        return largest_allowed_rate(replace(question, relation=Relation.ADD_REMOVE), m)


class RelationDoubledTwice(ScanSelector):
    """Under l-infinity and swap the budget is divided by four instead of two."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return half the rate where the relation already halves it."""
        rate = largest_allowed_rate(question, m)
        return rate if question.relation is Relation.ADD_REMOVE else rate / 2


class PrintedApproximateBound(ScanSelector):
    """The approximate bound of the paper is used as printed, without a factor for l-infinity."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate at which the printed bound meets the budget."""
        if question.delta == 0 or question.noise is NoiseKind.LAPLACE:
            return largest_allowed_rate(question, m)
        low, high = 0.0, float(question.epsilon)
        for _ in range(60):
            middle = (low + high) / 2
            spent = printed_composition(middle, question.k, question.delta)
            low, high = (middle, high) if spent <= question.epsilon else (low, middle)
        return max(low, largest_allowed_rate(replace(question, delta=0.0), m))


class DeltaNobodyGranted(ScanSelector):
    """If pure privacy is asked for, the noise is that of delta = 10^-6."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for a delta of its own."""
        return largest_allowed_rate(replace(question, delta=max(question.delta, 1e-6)), m)


class DeltaIgnored(ScanSelector):
    """The granted delta is ignored, so the noise is larger than necessary."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for pure privacy."""
        return largest_allowed_rate(replace(question, delta=0.0), m)


class SquareRootComposition(ScanSelector):
    """With any delta the budget is divided by the root of k, without the logarithm of delta."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return epsilon over the root of k."""
        if question.delta == 0:
            return largest_allowed_rate(question, m)
        return largest_allowed_rate(replace(question, k=1, delta=0.0), m) / math.sqrt(question.k)


class EpsilonCappedAtOne(ScanSelector):
    """A budget above 1 is silently treated as 1."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for at most 1."""
        return largest_allowed_rate(replace(question, epsilon=min(question.epsilon, 1.0)), m)


class NoiseForOneFewer(ScanSelector):
    """The budget is divided by k - 1, as if the last item were free."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for k-1 items."""
        return largest_allowed_rate(replace(question, k=max(1, question.k - 1)), m)


class LaplaceAlwaysDoubled(ScanSelector):
    """Laplace noise is that of 2k epsilon, as printed, although add/remove needs only half."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate for the widest relation."""
        if question.noise is NoiseKind.GUMBEL:
            return largest_allowed_rate(question, m)
        return largest_allowed_rate(replace(question, relation=Relation.L_INFINITY), m)


class LaplaceBoundInDecimals(ScanSelector):
    """The approximate Laplace bound is used with decimal logarithms."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate of a delta whose natural logarithm is the decimal one of the given."""
        if question.noise is NoiseKind.GUMBEL:
            return largest_allowed_rate(question, m)
        delta = question.delta ** (1 / math.log(10))
        return largest_allowed_rate(replace(question, delta=delta), m)

    def rate(self, question: Question, m: int) -> float:
        """Return the rate that it takes."""
        return self.noise_rate(question, m)


class DeclaredOverspending(ScanSelector):
    """It adds half the noise that the budget needs, and declares that rate."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return twice the rate."""
        return 2 * largest_allowed_rate(question, m)

    def rate(self, question: Question, m: int) -> float:
        """Return the rate that it takes."""
        return self.noise_rate(question, m)


class MoreNoiseDeclaredThanAdded(ScanSelector):
    """It declares twice the noise that it adds."""

    def rate(self, question: Question, m: int) -> float:
        """Return half the rate that it takes."""
        return largest_allowed_rate(question, m) / 2


class RateWithoutMeaning(ScanSelector):
    """The rate that it declares is not a number."""

    def rate(self, question: Question, m: int) -> float:
        """Return nothing that a scale can be made of."""
        return math.nan


MUTANTS: Final = (
    mutant(BudgetCountedOnce, PRIVACY_BUG, "selector.privacy-law"),
    mutant(BudgetForAddRemove, erratum(4), "selector.privacy-law"),
    mutant(BudgetForAddRemoveUnderSwap, PEER, "selector.privacy-law"),
    mutant(LaplaceBudgetForAddRemove, PRIVACY_BUG, "selector.privacy-law"),
    mutant(RelationDoubledTwice, USUAL_SLIP, "selector.privacy-law"),
    mutant(PrintedApproximateBound, erratum(5), "selector.privacy-law"),
    mutant(DeltaNobodyGranted, PRIVACY_BUG, "selector.many-items"),
    mutant(DeltaIgnored, USUAL_SLIP, "selector.privacy-law"),
    mutant(SquareRootComposition, PRIVACY_BUG, "selector.privacy-law"),
    mutant(EpsilonCappedAtOne, USUAL_SLIP, "selector.degenerate"),
    mutant(NoiseForOneFewer, PRIVACY_BUG, "selector.set-law"),
    mutant(LaplaceAlwaysDoubled, erratum(7), "selector.set-law"),
    mutant(LaplaceBoundInDecimals, erratum(8), "selector.privacy-budget"),
    mutant(DeclaredOverspending, PRIVACY_BUG, "selector.privacy-budget"),
    mutant(MoreNoiseDeclaredThanAdded, PRIVACY_BUG, "selector.set-law"),
    mutant(RateWithoutMeaning, USUAL_SLIP, "selector.privacy-budget"),
)
