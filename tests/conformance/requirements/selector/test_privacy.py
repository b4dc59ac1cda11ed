"""Facts about the four requirements on privacy, and the mistakes that each finds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.instruments.outcome_laws import Law, gains, law_of
from privtopk.conformance.requirements.selector.privacy import (
    AuditSetting,
    PrivacyAudit,
    PrivacyBudget,
    PrivacyExact,
    PrivacyLaw,
    audit_experiment,
    law_experiment,
    needed_delta,
    neighbours,
    oversights,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Abilities
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject
from privtopk.impl import subjects
from privtopk.impl.subjects.selectors import ServedSource
from privtopk.impl.top_k import top_k
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.noise.distributions import NoiseKind

RIGHT = ["batched", "rank_free", "threshold", "one_shot"]
GUMBEL = (NoiseKind.GUMBEL,)
PLAIN = Subject(object(), Abilities())


@dataclass(frozen=True)
class Misread:
    """An engine that answers a changed question."""

    changed: Callable[[Question], Question]
    coins: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Change the question first."""
        understood = self.changed(question)
        return top_k(
            ServedSource(scores),
            understood.k,
            epsilon=understood.epsilon,
            delta=understood.delta,
            neighbours=understood.relation,
            rng=self.coins,
        ).items


@dataclass(frozen=True)
class Declared:
    """A subject that declares the noise of a formula."""

    formula: Callable[[Question], float]
    noises: tuple[NoiseKind, ...] = tuple(NoiseKind)

    def rate(self, question: Question, m: int) -> float:
        """Return the rate 1/scale."""
        return self.formula(question)

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Select nothing: only the declaration is tested."""
        raise NotImplementedError


class Noiseless:
    """The exact top items, ties to the smallest number."""

    def select(self, scores: Doors, question: Question) -> Sequence[object]:
        """Return the items with the largest scores."""
        values = scores.values(range(1, scores.size + 1))
        return sorted(range(1, scores.size + 1), key=lambda i: -values[i - 1])[: question.k]


def pure_rate(question: Question) -> float:
    """Return the rate of a pure budget shared by k items."""
    factor = 1 if question.relation is Relation.ADD_REMOVE else 2
    return question.epsilon / (factor * question.k)


def undivided_rate(question: Question) -> float:
    """Return the rate of a budget that is counted once for k items."""
    return question.k * pure_rate(question)


def rate_of_add_remove(question: Question) -> float:
    """Return the rate of add/remove under every relation."""
    return question.epsilon / question.k


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_engine_has_the_law_of_its_budget(name: str) -> None:
    """Engines that account for relation and delta pass."""
    case = run_case(getattr(subjects, name), PrivacyLaw(), budget=0.1)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_engine_passes_the_audit(name: str) -> None:
    """No experiment distinguishes neighbours if the engine is private."""
    case = run_case(getattr(subjects, name), PrivacyAudit(), budget=0.1)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("requirement", [PrivacyBudget(), PrivacyExact()], ids=lambda one: one.id)
def test_an_honest_declaration_passes(requirement: PrivacyBudget | PrivacyExact) -> None:
    """The rate of a pure budget passes."""
    case = run_case(Declared(pure_rate), requirement)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_a_budget_counted_once_fails() -> None:
    """A declaration that spends the whole budget on each of k items fails."""
    case = run_case(Declared(undivided_rate), PrivacyBudget())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "declares noise of scale 3.333 for k=3, epsilon=0.3, delta=0, add-remove, gumbel: "
        "that spends 0.9",
    )


def test_a_declaration_for_another_relation_fails() -> None:
    """Noise for one client more or less is too small if clients may be replaced."""
    case = run_case(Declared(rate_of_add_remove), PrivacyBudget())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "declares noise of scale 3.333 for k=1, epsilon=0.3, delta=0, swap, gumbel: "
        "that spends 0.6",
    )


def test_neighbours_show_the_wrong_relation() -> None:
    """On two items with scores 0 and 6 the exact law breaks the definition."""
    case = run_case(Declared(rate_of_add_remove, GUMBEL), PrivacyExact())
    assert (case.verdict, case.message) == (
        CaseVerdict.FAIL,
        "(0, 6) and (1, 5) are swap neighbours: with the declared scale 1.25 epsilon=0.8 needs "
        "delta=0.021, not 0 (k=1, gumbel)",
    )


def test_a_declaration_that_is_no_number_fails() -> None:
    """A rate that is not positive is a fault of the subject."""
    case = run_case(Declared(lambda question: 0.0), PrivacyBudget())
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.startswith("the subject raised ValueError: rate must be positive")


@pytest.mark.parametrize(
    "changed",
    [
        lambda q: replace(q, relation=Relation.ADD_REMOVE),
        lambda q: replace(q, delta=0.0),
        lambda q: replace(q, epsilon=q.epsilon * q.k),
    ],
    ids=["relation", "delta", "once"],
)
def test_a_misread_budget_fails_and_is_explained(
    changed: Callable[[Question], Question],
) -> None:
    """A selector that ignores a part of the question fails, and the message explains it."""
    case = run_case(Misread(changed), PrivacyLaw(), budget=4)
    assert case.verdict is CaseVerdict.FAIL
    assert "; it looks like " in case.message


def test_what_was_overlooked_is_named_from_the_counts() -> None:
    """Counts in proportion to the noise for another relation are recognised as such."""
    question = Question(3, 2.1, relation=Relation.SWAP)
    law: Law = law_experiment(PLAIN, (1, 4, 4, 0, 2), question).setting
    wrong = law_of(law.histogram, 3, 2 * law.rate, question.noise, False)
    counts = [round(5000 * wrong[outcome]) for outcome in law.outcomes]
    seen = np.repeat(np.arange(len(counts), dtype=float), counts)
    found = gains(law, seen, oversights(law))
    assert max(found, key=lambda text: found[text]) == "noise for add-remove neighbours"


def test_a_selector_without_noise_fails_the_audit() -> None:
    """Without noise an item with one vote more is never left out."""
    assert run_case(Noiseless(), PrivacyAudit(), budget=4).verdict is CaseVerdict.FAIL


def test_a_quarter_of_the_noise_fails_the_audit() -> None:
    """A quarter of the needed noise is found without any law."""
    case = run_case(Misread(lambda q: replace(q, epsilon=4 * q.epsilon)), PrivacyAudit(), budget=4)
    assert case.verdict is CaseVerdict.FAIL


@pytest.mark.parametrize("relation", list(Relation))
def test_the_audit_compares_neighbours(relation: Relation) -> None:
    """Both histograms of an audit are neighbours under the relation of the question."""
    audit = AuditSetting(Question(1, 1.0, relation=relation))
    pair = audit.histogram(2, False), audit.histogram(2, True)
    assert pair[0] == (2, 2, 2)
    assert pair[1] == ((2, 3, 2) if relation is Relation.ADD_REMOVE else (1, 3, 1))
    assert is_neighbour(*pair, relation)


def test_the_audit_is_exact_where_the_definition_is_tight() -> None:
    """The bound on the mean is that of a pair of laws that spends epsilon and delta fully."""
    experiment = audit_experiment(AuditSetting(Question(1, 1.0, 0.05)))
    p, ratio = 0.6, math.exp(1.0)
    q = (p - 0.05) / ratio
    mean = (p / 2 * (1 + ratio) + (1 - p) / 2 * ratio + (1 - q) / 2 * ratio) / (1 + ratio)
    assert experiment.streams["advantage"].bound == pytest.approx(mean)  # type: ignore[attr-defined]


@pytest.mark.parametrize("relation", list(Relation))
def test_all_neighbours_are_tried(relation: Relation) -> None:
    """A histogram of two items has 4 neighbours with a client more, and 9 at distance 1."""
    found = list(neighbours((3, 5), relation))
    assert len(set(found)) == (4 if relation is Relation.ADD_REMOVE else 9)
    assert all(is_neighbour((3, 5), other, relation) for other in found)


def test_the_distance_of_laws_is_exact() -> None:
    """A vote for one of two equal items at rate ln 3 moves 1/2 to 3/4."""
    question = Question(1, math.log(1.25))
    assert needed_delta((2, 2), (3, 2), question, math.log(3)) == pytest.approx(1 / 2 - 1.25 / 4)
