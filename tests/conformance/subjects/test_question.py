"""Facts about questions: the noise that a budget allows."""

import math

import pytest

from privtopk.conformance.subjects.question import Question, largest_allowed_rate, question_at
from privtopk.spec.accounting.guarantee import guarantee
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


def test_the_default_is_pure_gumbel_for_one_client() -> None:
    """The defaults are Gumbel noise, delta 0, one client more or less, and a set."""
    expected = Question(3, 1.0, 0.0, NoiseKind.GUMBEL, Relation.ADD_REMOVE, False)
    assert Question(3, 1.0) == expected


@pytest.mark.parametrize("noise", NoiseKind)
@pytest.mark.parametrize("rate", [1e-9, 0.37, 1.0, 1e6, 1e300])
def test_a_question_pays_for_its_rate(noise: NoiseKind, rate: float) -> None:
    """The question for a rate allows noise of exactly that rate."""
    allowed = largest_allowed_rate(question_at(rate, 3, noise), 10)
    assert math.isclose(allowed, rate, rel_tol=1e-12)


@pytest.mark.parametrize("noise", NoiseKind)
def test_a_replaced_client_counts_twice(noise: NoiseKind) -> None:
    """Under l-infinity and swap neighbours the same budget allows half the rate."""
    once, *twice = (
        largest_allowed_rate(Question(2, 1.0, 0.0, noise, relation), 10)
        for relation in (Relation.ADD_REMOVE, Relation.SWAP, Relation.L_INFINITY)
    )
    assert [once / rate for rate in twice] == pytest.approx([2, 2])


def test_delta_buys_a_larger_rate() -> None:
    """With a delta, k items cost less than k times one, and the guarantee holds."""
    question = Question(100, 1.0, 1e-6)
    rate = largest_allowed_rate(question, 1000)
    assert rate > largest_allowed_rate(Question(100, 1.0), 1000)
    spent = guarantee(NoiseKind.GUMBEL, rate, 100, 1000, Relation.ADD_REMOVE, 1e-6)
    assert float(spent.epsilon) <= 1 + 1e-9


@pytest.mark.parametrize(
    "question", [Question(0, 1.0), Question(11, 1.0), Question(1, 0.0), Question(1, 1.0, 1.0)]
)
def test_a_bad_question_has_no_noise(question: Question) -> None:
    """Parameters out of range are refused."""
    with pytest.raises(SelectionError):
        largest_allowed_rate(question, 10)
