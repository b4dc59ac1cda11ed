"""Facts about the four ways to count what a run costs on the score list."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.algorithms.threshold import Reading, threshold_algorithm, total
from privtopk.spec.model.access import Door, Ledger, StoredList
from privtopk.spec.model.accuracy import top_items
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.values import Histogram, Item
from privtopk.spec.upper_bounds.cost_models import (
    CostModel,
    charged_cost,
    predicted_cost,
    reading_of,
)
from support import refusal


@st.composite
def problems(draw: st.DrawFn) -> tuple[Histogram, Histogram, int]:
    """Draw scores, noises and k."""
    m = draw(st.integers(1, 6))
    values = st.lists(st.integers(0, 4), min_size=m, max_size=m).map(tuple)
    return draw(values), draw(values), draw(st.integers(1, m))


def measured(problem: tuple[Histogram, Histogram, int], model: CostModel) -> tuple[int, int]:
    """Return the rounds of a run and what its score list is charged under a model."""
    h, z, k = problem
    scores = StoredList(h)
    run = threshold_algorithm((scores, StoredList(z)), k, total, reading_of(model))
    return run.rounds, charged_cost(scores.ledger, model)


def test_models_have_their_readings() -> None:
    """Distinct entries are counted with memory; the default is the model of the proofs."""
    assert {model: reading_of(model) for model in CostModel} == {
        CostModel.LITERAL: Reading.LITERAL,
        CostModel.TWO_A_ROUND: Reading.SKIP_DELIVERED,
        CostModel.MEMOISED: Reading.MEMOISED,
        CostModel.DISTINCT: Reading.MEMOISED,
    }


@settings(max_examples=50)
@given(problems(), st.sampled_from(CostModel))
def test_prediction_is_what_a_run_is_charged(
    problem: tuple[Histogram, Histogram, int], model: CostModel
) -> None:
    """The cost follows from the two orders of the items and the number of rounds."""
    h, z, _ = problem
    rounds, cost = measured(problem, model)
    m = len(h)
    assert predicted_cost(top_items(h, m), top_items(z, m), rounds, model) == cost


@settings(max_examples=50)
@given(problems())
def test_models_are_ordered(problem: tuple[Histogram, Histogram, int]) -> None:
    """Distinct entries <= memoised <= two per round < three per round, and memoised >= rounds."""
    (rounds, distinct), (_, memoised), (_, two), (_, literal) = (
        measured(problem, model)
        for model in (
            CostModel.DISTINCT,
            CostModel.MEMOISED,
            CostModel.TWO_A_ROUND,
            CostModel.LITERAL,
        )
    )
    assert rounds <= distinct <= memoised <= two == 2 * rounds < literal == 3 * rounds


def test_cost_may_be_odd() -> None:
    """For h = (5, 0), Z = (1, 0), k = 1 the cost is 1 with memory, 2 without, 3 as printed."""
    problem = ((5, 0), (1, 0), 1)
    assert {model: measured(problem, model) for model in CostModel} == {
        CostModel.LITERAL: (1, 3),
        CostModel.TWO_A_ROUND: (1, 2),
        CostModel.MEMOISED: (1, 1),
        CostModel.DISTINCT: (1, 1),
    }


def test_memory_may_cost_more_than_the_distinct_entries() -> None:
    """An item met by random access first is read again when sorted access delivers it."""
    scores, noises = [Item(i) for i in (1, 2, 3)], [Item(i) for i in (2, 3, 1)]
    assert (
        predicted_cost(scores, noises, 2, CostModel.MEMOISED),
        predicted_cost(scores, noises, 2, CostModel.DISTINCT),
    ) == (4, 3)


def test_ledger_is_charged_by_accesses_or_by_items() -> None:
    """Three accesses to two items cost 3, and 2 where distinct entries count."""
    ledger = Ledger(((Door.SORTED, Item(1)), (Door.RANDOM, Item(1)), (Door.RANDOM, Item(2))))
    assert [charged_cost(ledger, model) for model in CostModel] == [3, 3, 3, 2]


@pytest.mark.parametrize("model", ["literal", "free", None])
@pytest.mark.parametrize(
    "ask",
    [
        reading_of,
        lambda model: charged_cost(Ledger(), model),
        lambda model: predicted_cost([Item(1)], [Item(1)], 1, model),
    ],
    ids=["reading_of", "charged_cost", "predicted_cost"],
)
def test_unknown_models_are_refused(ask: Callable[[Any], object], model: Any) -> None:
    """A model is a member of its enumeration, not its text."""
    assert refusal(lambda: ask(model)) == (
        Reason.WRONG_TYPE,
        f"model must be a CostModel, got {model!r}",
    )
