"""Facts about the cost of many selections."""

import pytest

from privtopk.impl.measurement.inputs import two_levels
from privtopk.impl.measurement.selections import mean_counts, price_of, spread_of
from privtopk.impl.selection import Audit


def test_means_of_counts() -> None:
    """A scan reads and draws once per item."""
    select = two_levels(50, 5, 1).selector(5, 1.0, engine="one-shot", rng=1)
    found = [select() for _ in range(3)]
    assert mean_counts(found, read="accesses", drawn="noise_draws") == {"read": 50, "drawn": 50}


def test_price_of_an_audit() -> None:
    """Three sorted accesses at 2 and four random ones at 5 cost 26."""
    assert price_of(Audit("batched", "", 3, 4, 1, 1, 0.0), (2, 5)) == 26


def test_spread() -> None:
    """The standard error of a mean of four is half the standard deviation."""
    assert spread_of([1, 3, 1, 3]) == {
        "mean": 2.0,
        "standard_error": pytest.approx(0.57735027),
        "largest": 3,
    }
    assert spread_of([5])["standard_error"] == 0
