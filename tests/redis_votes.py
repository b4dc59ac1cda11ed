"""Sets of votes in Redis, and helpers to inspect them."""

import pytest

from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.scores.domain import ListedDomain
from privtopk.spec.model.errors import Reason

MAY_BE_MISSING = pytest.mark.filterwarnings(
    "ignore::privtopk.impl.sources.faults.EmptySourceWarning"
)
"""The mark of a test in which the set is missing on purpose."""

FRUIT = ListedDomain(["fig", "pear", "nut"])


def call_count(client: Client, command: str) -> int:
    """Return the number of calls of a command since the test began."""
    return int(client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])


def changed_set_refusal(server: RedisServer) -> tuple[Reason, str]:
    """Return the expected error about a set that another client has modified."""
    return (
        Reason.CHANGED_SOURCE,
        f"{server.place} key 'votes' was written to while it was read; nothing was selected, "
        "so the call can be repeated",
    )
