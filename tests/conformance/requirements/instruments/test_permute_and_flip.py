"""Facts about subjects that declare permute-and-flip: their law, and which of them pass."""

import math
from itertools import product
from typing import Any

import pytest

from conformance.support_flips import Flips, Weights
from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.instruments.permute_and_flip import (
    flip_set_law,
    ranked_flip_law,
)
from privtopk.conformance.requirements.selector.accuracy import Accuracy
from privtopk.conformance.requirements.selector.freshness import Freshness
from privtopk.conformance.requirements.selector.many_items import ManyItems
from privtopk.conformance.requirements.selector.output_law import SETTINGS, RankedLaw, SetLaw
from privtopk.conformance.requirements.selector.privacy import (
    PrivacyBudget,
    PrivacyExact,
    PrivacyLaw,
)
from privtopk.conformance.requirements.selector.robustness import Degenerate
from privtopk.conformance.requirements.selector.tail import Tail
from privtopk.conformance.subjects.kinds import Mechanism
from privtopk.conformance.subjects.question import Question
from privtopk.spec.algorithms.permute_and_flip import permute_and_flip_law
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import failure_probability

CONCERNED: tuple[tuple[Requirement, float], ...] = (
    (SetLaw(), 2),
    (RankedLaw(), 2),
    (Freshness(), 3),
    (PrivacyLaw(), 3),
    (PrivacyBudget(), 1),
    (PrivacyExact(), 1),
    (Degenerate(), 1),
)
"""Requirements with budgets at which the law of noisy scores would be distinguished."""


class ClaimedFlips(Weights):
    """The exponential mechanism, declared as permute-and-flip."""

    mechanism = Mechanism.PERMUTE_AND_FLIP


class FlipsAsNoise(Flips):
    """Permute-and-flip, declared as noisy scores."""

    mechanism = "noisy-top-k"


class HalfAPercentTooMuch(Flips):
    """Declares a rate that a Gumbel law would allow on small histograms."""

    relations = ("add-remove",)

    def rate(self, question: Question, m: int) -> float:
        """Return a little more than the share of an item."""
        return 1.005 * question.epsilon / question.k


class TooGenerous(Flips):
    """Declares the rate of add/remove under every relation."""

    def rate(self, question: Question, m: int) -> float:
        """Return the share of an item."""
        return question.epsilon / question.k


@pytest.mark.parametrize(("histogram", "k", "rate"), SETTINGS)
def test_the_laws_are_laws(histogram: tuple[int, ...], k: int, rate: float) -> None:
    """The probabilities sum to 1, over all lists and over all sets."""
    lists, sets = ranked_flip_law(histogram, k, rate), flip_set_law(histogram, k, rate)
    assert math.isclose(sum(lists.values()), 1, rel_tol=1e-12)
    assert math.isclose(sum(sets.values()), 1, rel_tol=1e-12)
    assert len(lists) == math.perm(len(histogram), k)
    assert len(sets) == math.comb(len(histogram), k)


def test_a_first_choice_is_that_of_the_specification() -> None:
    """One choice has the law of the specification: (1, 1/2) is accepted first or second."""
    law = ranked_flip_law((1, 0), 1, math.log(2))
    assert law == {(1,): pytest.approx(0.75), (2,): pytest.approx(0.25)}
    assert list(law.values()) == list(permute_and_flip_law((1.0, 0.5)).values())


def test_the_second_choice_forgets_the_first() -> None:
    """After the leader is gone, two items that tie are alike."""
    law = ranked_flip_law((9, 0, 0), 2, 100.0)
    likely = {chosen: p for chosen, p in law.items() if p > 1e-9}
    assert likely == {(1, 2): pytest.approx(0.5), (1, 3): pytest.approx(0.5)}


@pytest.mark.parametrize(("m", "k", "gap"), list(product((3, 5), (1, 2), (1, 3, 8))))
def test_the_bound_of_noisy_scores_covers_it(m: int, k: int, gap: int) -> None:
    """On scores with two values it errs at most as often as the exponential mechanism."""
    histogram = (gap,) * k + (0,) * (m - k)
    right = flip_set_law(histogram, k, 0.7)[frozenset(range(1, k + 1))]  # type: ignore[arg-type]
    assert 1 - right < failure_probability(NoiseKind.GUMBEL, 0.7, gap, k, m)


@pytest.mark.parametrize(("requirement", "budget"), CONCERNED)
def test_a_right_one_passes(requirement: Requirement, budget: float) -> None:
    """Right choices pass; the randomness is seeded."""
    case = run_case(Flips(), requirement, budget=budget)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("requirement", [SetLaw(), RankedLaw(), PrivacyLaw(), Freshness()])
def test_a_wrong_factor_is_found(requirement: Requirement) -> None:
    """A rate that is twice what the budget allows is found by every law."""
    assert run_case(Flips(2.0), requirement, budget=4).verdict is CaseVerdict.FAIL


@pytest.mark.parametrize("requirement", [SetLaw(), RankedLaw()], ids=lambda one: one.id)
@pytest.mark.parametrize("subject", [ClaimedFlips(), FlipsAsNoise()])
def test_another_mechanism_is_found(subject: Any, requirement: Requirement) -> None:
    """The exponential mechanism is not permute-and-flip, and neither passes as the other."""
    assert run_case(subject, requirement, budget=4).verdict is CaseVerdict.FAIL


def test_other_pairs_are_found() -> None:
    """Pairs of choices by the exponential mechanism are not pairs by permute-and-flip."""
    assert run_case(ClaimedFlips(), Freshness(), budget=8).verdict is CaseVerdict.FAIL


def test_a_declaration_is_accounted_for() -> None:
    """A choice spends its rate, and twice its rate under swap and l-infinity."""
    case = run_case(TooGenerous(), PrivacyBudget())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "declares noise of scale 3.333 for k=1, epsilon=0.3, delta=0, swap, "
        "permute-and-flip: that spends 0.6",
    )
    assert run_case(TooGenerous(), PrivacyExact()).verdict is CaseVerdict.FAIL


def test_the_exact_law_is_that_of_the_claim() -> None:
    """A vote for an item far behind spends the whole rate, which noisy scores only approach."""
    case = run_case(HalfAPercentTooMuch(), PrivacyExact())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "(0, 6) and (0, 7) are add-remove neighbours: with the declared scale 1.244 epsilon=0.8 "
        "needs delta=1.6e-05, not 0 (k=1, permute-and-flip)",
    )


@pytest.mark.parametrize("requirement", [Tail(), ManyItems(), Accuracy()], ids=lambda one: one.id)
def test_what_rests_on_noise_is_left_out(requirement: Requirement) -> None:
    """Requirements on noisy scores are skipped with a reason."""
    case = run_case(Flips(), requirement)
    assert (case.verdict, case.message) == (
        CaseVerdict.SKIP,
        "it is about noisy scores, and the subject declares permute-and-flip",
    )
