"""Sets of votes in Redis, and how tests look at them."""

from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.scores.domain import ListedDomain
from privtopk.spec.model.errors import Reason

FRUIT = ListedDomain(["fig", "pear", "nut"])


def call_count(client: Client, command: str) -> int:
    """Return how often a command was called since the test began."""
    return int(client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])


def changed_set_refusal(server: RedisServer) -> tuple[Reason, str]:
    """Return how a selection is refused from a set that others have touched."""
    return (
        Reason.CHANGED_SOURCE,
        f"{server.place} key 'votes' was written to while it was read; nothing was selected, "
        "so the call can be repeated",
    )
