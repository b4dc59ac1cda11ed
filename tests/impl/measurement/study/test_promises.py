"""Facts about cells that compare promises with measurements."""

from dataclasses import replace

import numpy as np
import pytest

from privtopk.impl.measurement.inputs import two_levels
from privtopk.impl.measurement.study.promises import (
    TWO_LEVELS,
    AccuracyCell,
    CertificateCell,
    PlanCell,
    is_missed,
    relative_error,
)
from privtopk.impl.plan import plan
from privtopk.impl.top_k import top_k


@pytest.mark.parametrize("noise", ["gumbel", "laplace"])
def test_failures_are_as_frequent_as_the_quantile_says(noise: str) -> None:
    """On two levels a quantile apart, 300 selections fail at a rate that beta = 0.5 allows.

    Null: the exact law, two-sided binomial; false alarms 1e-6 for both noises together. A
    quantile that is a tenth of a noise scale too small fails 0.525 of the time, and is not found
    here: the study has thousands of selections.
    """
    (row,) = AccuracyCell("batched", noise, 200, 3, 0.5, 300).rows()
    assert row["expected"] == pytest.approx(0.5, rel=1e-9)
    assert row["failures"] == 300 * float(row["share"])
    assert float(row["low"]) < float(row["share"]) < float(row["high"])
    assert float(row["chance"]) > 5e-7


@pytest.mark.parametrize(
    ("selected", "error", "missed"),
    [([0, 1], 0, False), ([0, 4], 4, True), ([0, 4], 5, False), ([3, 4], 4.5, True)],
)
def test_a_miss_is_a_larger_shortfall(selected: list[int], error: float, missed: bool) -> None:
    """A selection misses if its worst item lies below the second best by more than the error."""
    data = two_levels(10, 2, 5)
    by_score = np.argsort(-data.scores, kind="stable")
    found = top_k(data.source, 2, epsilon=1e6, rng=1)
    items = tuple(int(by_score[place]) for place in selected)
    assert set(found.items) == {int(by_score[0]), int(by_score[1])}
    changed = replace(found, items=items)
    assert is_missed(data, changed, error) is missed


def test_planned_and_measured() -> None:
    """A row has the planned figures, the measured ones, and their relative error."""
    (row,) = PlanCell("worst", 2000, 5, 1.0, 1, 20, 30).rows()
    figures = plan(2000, 5, epsilon=1.0, costs=(1, 20))
    assert (row["predicted"], row["predicted_price"], row["predicted_99"]) == (
        figures.expected_accesses,
        figures.expected_price,
        figures.accesses_99,
    )
    assert row["error"] == float(row["measured"]) / figures.expected_accesses - 1
    assert row["price_error"] == float(row["measured_price"]) / figures.expected_price - 1
    assert abs(float(row["price_error"])) < 0.3


def test_the_planned_error_is_missed_at_its_rate() -> None:
    """On two levels just over the planned error apart, 200 selections miss at most 5 %.

    Null: a share of at most 0.05, one-sided binomial, false alarms 1e-6.
    """
    (row,) = PlanCell(TWO_LEVELS, 500, 5, 1.0, 1, 1, 200).rows()
    assert float(row["chance_missed"]) > 1e-6
    assert float(row["share_missed"]) > 0


def test_the_gap_of_the_certificate() -> None:
    """The gap is 2 sqrt(mk) over the certificate."""
    (row,) = CertificateCell(10**6, 10, 1.0).rows()
    assert float(row["gap"]) * float(row["certificate"]) == pytest.approx(2 * 10**3.5)


def test_relative_error() -> None:
    """A tenth more than predicted is an error of +0.1."""
    assert relative_error(110, 100) == pytest.approx(0.1)
