"""Facts about cells that count."""

import pytest

from privtopk.impl.measurement.study.counting import AccessCell, PriceCell
from privtopk.spec.upper_bounds.access import paper_cost_bound, theorem_u_cost
from privtopk.spec.upper_bounds.batched import cheapest_price_bound

ACCESSES = AccessCell("m", "batched", "worst", 500, 3, 1.0, 20)
PRICES = PriceCell("batched", "worst", 500, 3, 1.0, 1, 9, 20)


@pytest.mark.parametrize("cell", [ACCESSES, PRICES])
def test_counts_are_reproducible(cell: AccessCell | PriceCell) -> None:
    """The same cell counts the same."""
    assert cell.rows() == cell.rows()


def test_a_row_has_costs_and_bounds() -> None:
    """A row has the accesses, draws and round trips, and every bound."""
    (row,) = ACCESSES.rows()
    assert row["mean"] == pytest.approx(float(row["sorted"]) + float(row["random"]))
    assert row["sorted"] == 38
    assert (row["theorem_u"], row["paper"]) == (theorem_u_cost(500, 3), paper_cost_bound(500, 3))
    assert float(row["certificate"]) >= 3
    assert 0 < float(row["noise_draws"]) < 500
    assert 1 < float(row["round_trips"]) < 10


def test_a_scan_reads_everything() -> None:
    """The one-shot engine reads and draws m."""
    (row,) = AccessCell("m", "one-shot", "zipf-1.0", 200, 3, 1.0, 2).rows()
    assert (row["mean"], row["random"], row["noise_draws"]) == (200, 200, 200)


def test_prices_are_paid() -> None:
    """The mean price is that of both doors, and its optimum that of the specification."""
    (row,) = PRICES.rows()
    assert row["mean"] == pytest.approx(float(row["sorted"]) + 9 * float(row["random"]))
    assert row["optimum"] == float(cheapest_price_bound(500, 3, 1, 9))
    assert 0 < float(row["lower_bound"]) < float(row["optimum"])
