"""Checks of the four ways to count the accesses of a run."""

from collections.abc import Iterator
from dataclasses import dataclass

from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.model.access import StoredList, sorted_entries
from privtopk.spec.model.values import Histogram
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports
from privtopk.spec.proofs.instruments.small_tables import tables
from privtopk.spec.upper_bounds.cost_models import (
    CostModel,
    charged_cost,
    predicted_cost,
    reading_of,
)


@dataclass(frozen=True, slots=True)
class _Charge:
    """What one run cost on the score list under one model."""

    rounds: int
    cost: int
    predicted: int
    common: int


def _charge(scores: Histogram, noises: tuple[int, ...], k: int, model: CostModel) -> _Charge:
    source = StoredList(scores)
    run = private_threshold(source, StoredList(noises), k, reading_of(model))
    first, second = (
        [entry.item for entry in sorted_entries(values)] for values in (scores, noises)
    )
    common = len({*first[: run.rounds]} & {*second[: run.rounds]})
    predicted = predicted_cost(first, second, run.rounds, model)
    return _Charge(run.rounds, charged_cost(source.ledger, model), predicted, common)


def _charges(m: int) -> Iterator[dict[CostModel, _Charge]]:
    for scores, noises in tables(m):
        for k in range(1, m + 1):
            yield {model: _charge(scores, noises, k, model) for model in CostModel}


@supports("ours:cost-models", "erratum:cost-parity", "model:access-cost", method=Method.ENUMERATION)
def cost_models_follow_from_rounds() -> str:
    """R rounds cost 3R, 2R, R to 2R with memory, or in distinct entries 2R minus common ones."""
    cases, odd, between = 0, 0, 0
    for charges in (charge for m in (1, 2, 3) for charge in _charges(m)):
        cases += 1
        expect(len({charge.rounds for charge in charges.values()}) == 1, "the rounds differ")
        expect(all(charge.cost == charge.predicted for charge in charges.values()), f"{charges}")
        rounds, memoised = charges[CostModel.LITERAL].rounds, charges[CostModel.MEMOISED].cost
        distinct = charges[CostModel.DISTINCT]
        expect(charges[CostModel.LITERAL].cost == 3 * rounds, "as printed the cost is not 3R")
        expect(
            charges[CostModel.TWO_A_ROUND].cost == 2 * rounds,
            "without re-reading the cost is not 2R",
        )
        expect(rounds <= memoised <= 2 * rounds, f"{memoised} accesses in {rounds} rounds")
        expect(distinct.cost == 2 * rounds - distinct.common <= memoised, f"{distinct}")
        odd += memoised % 2
        between += rounds < memoised < 2 * rounds
    expect(odd > 0 and between > 0, "the memoised cost is even, or always R or 2R")
    return f"m <= 3: {cases:,} runs under four models; {odd:,} odd costs with memory"


@refutes("erratum:cost-parity", method=Method.ENUMERATION)
def cost_is_not_two_a_round() -> str:
    """The cost may be odd and not two per round: as printed it is 3, with memory it is 1."""
    scores, noises = (5, 0), (1, 0)
    printed = _charge(scores, noises, 1, CostModel.LITERAL)
    memoised = _charge(scores, noises, 1, CostModel.MEMOISED)
    for charge in (printed, memoised):
        expect(charge.cost != 2 * charge.rounds, f"{charge} is two per round")
        expect(charge.cost % 2 == 1, f"{charge} is even")
    expect((printed.cost, memoised.cost) == (3, 1), f"{printed}, {memoised}")
    return "h = (5, 0), Z = (1, 0), k = 1: one round, cost 3 as printed and 1 with memory"
