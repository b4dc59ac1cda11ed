"""Facts about the soak as a whole."""

import shutil
from collections import Counter

import pytest

from privtopk.impl.measurement.progress import show_nothing
from privtopk.impl.measurement.servers.postgresql import programs
from privtopk.impl.measurement.soak.__main__ import lines_of
from privtopk.impl.measurement.soak.conducting import SoakResult, soak


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.skipif(
    programs() is None or shutil.which("redis-server") is None,
    reason="PostgreSQL or redis-server is not installed",
)
def test_a_short_soak_finds_nothing_wrong() -> None:
    """In some seconds of writers, kills and restarts nothing wrong is returned or left open."""
    result = soak(12.0, show_nothing)
    assert (result.wrong, result.descriptors, result.connections) == (0, 0, 0)
    for database in ("PostgreSQL", "SQLite", "Redis"):
        assert result.tally[database, "selections"] > 0
    assert sum(result.tally[one] for one in result.tally if one[1] in ("kills", "restarts")) > 0


def test_the_table_counts_per_database() -> None:
    """The lines have the counts per database, what was wrong, and what was left."""
    tally = Counter({("Redis", "selections"): 1200, ("Redis", "wrong: (1, 4)"): 2})
    result = SoakResult(tally, descriptors=1, connections=0)
    assert not result.is_clean
    assert lines_of(result) == [
        "              selections    refusals       kills    restarts",
        "Redis              1,200           0           0           0",
        "Redis wrong: (1, 4): 2",
        "wrong: 2, descriptors left: 1, connections left: 0",
    ]
