"""Facts about cells that measure time."""

import pytest

from privtopk.impl.measurement.study import timing
from privtopk.impl.measurement.study.timing import ExactnessCell, SourceCell, TimeCell


def test_every_engine_races() -> None:
    """There is one row per engine and one for the scan, whose ratio to itself is 1."""
    rows = TimeCell("worst", 300, 2, 1.0, 1).rows()
    assert [row["contender"] for row in rows] == [
        "block scan",
        "one-shot",
        "threshold",
        "online",
        "rank-free",
        "batched",
        "exact",
    ]
    assert rows[0]["times_faster"] == 1
    assert all(float(row["milliseconds"]) > 0 for row in rows)


def test_exactness_compares_two_engines() -> None:
    """The ratio is that of the two times, and both engines read about the same."""
    (row,) = ExactnessCell("worst", 10_000, 2, 1.0, 1).rows()
    ratio = float(row["exact_milliseconds"]) / float(row["default_milliseconds"])
    assert row["times_slower"] == pytest.approx(ratio)
    assert 150 < float(row["exact_accesses"]) < 450
    assert 150 < float(row["default_accesses"]) < 450


def test_a_database_is_raced() -> None:
    """A row has both times and the number of rows that a selection moves."""
    (row,) = SourceCell("SQLite", "plat1", 500, 2, 1).rows()
    assert (row["absent"], row["rows_moved"], row["engine"]) == ("", 500, "one-shot")


def test_an_absent_database_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that is not installed gives a row with the reason."""

    def raise_not_installed(*arguments: object) -> None:
        raise FileNotFoundError("redis-server is not installed")

    monkeypatch.setattr(timing, "race_database", raise_not_installed)
    (row,) = SourceCell("Redis", "plat1", 500, 2, 1).rows()
    assert row["absent"] == "redis-server is not installed"
