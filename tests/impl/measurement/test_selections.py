"""Facts about many selections from one input."""

import numpy as np
import pytest

from privtopk.impl.measurement.inputs import two_levels
from privtopk.impl.measurement.selections import mean_counts, price_of, select_repeatedly, spread_of
from privtopk.impl.selection import Audit


def test_selections_are_seeded() -> None:
    """The same generator gives the same selections, one after the other."""
    first, second = (
        [
            one.items
            for one in select_repeatedly(
                two_levels(50, 5, 1), 5, 1.0, "batched", 4, np.random.default_rng(1)
            )
        ]
        for _ in range(2)
    )
    assert first == second
    assert len(set(first)) == 4


def test_means_of_counts() -> None:
    """A scan reads and draws as many as there are items."""
    found = select_repeatedly(two_levels(50, 5, 1), 5, 1.0, "one-shot", 3, np.random.default_rng(1))
    assert mean_counts(found, read="accesses", drawn="noise_draws") == {"read": 50, "drawn": 50}


def test_price_of_an_audit() -> None:
    """Three sorted accesses at 2 and four random ones at 5 cost 26."""
    assert price_of(Audit("batched", "", 3, 4, 1, 1, 0.0, is_secure=False), (2, 5)) == 26


def test_spread() -> None:
    """The standard error of a mean of four is half the standard deviation."""
    assert spread_of([1, 3, 1, 3]) == {
        "mean": 2.0,
        "standard_error": pytest.approx(0.57735027),
        "largest": 3,
    }
    assert spread_of([5])["standard_error"] == 0
