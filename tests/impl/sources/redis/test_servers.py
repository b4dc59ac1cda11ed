"""Facts about the rights of users, and about servers that are not supported."""

import numpy as np
import pytest

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.sources.redis.scores import (
    RedisScores,
    require_server,
)
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from redis_votes import FRUIT
from support import refusal

NEEDED = ["watch", "multi", "exec", "zrange", "zmscore", "zcard", "zcount"]


def address_with_rights(client: Client, *rules: str) -> str:
    """Return the start of the URL of a user with some rights only."""
    client.execute_command("ACL", "SETUSER", "reader", "reset", "on", ">secret", *rules)
    return "unix://reader:secret@"


@pytest.mark.parametrize(
    "rules", [[f"+{name}" for name in NEEDED], ["+@read", "+@transaction"]], ids=["few", "groups"]
)
def test_a_user_who_may_only_read(
    votes: Client, redis_server: RedisServer, rules: list[str]
) -> None:
    """A selection needs the rights to read and watch one key."""
    address = f"{address_with_rights(votes, '%R~votes', *rules)}{redis_server.socket}"
    scores = RedisScores(address, "votes", domain=FRUIT)
    assert [top_k(scores, 1, epsilon=1, engine=e).items for e in Engine] == [("fig",)] * len(Engine)


@pytest.mark.parametrize("missing", NEEDED)
def test_a_user_who_lacks_a_right(votes: Client, redis_server: RedisServer, missing: str) -> None:
    """Each command is needed, and the error names a missing one."""
    rules = [f"+{name}" for name in NEEDED if name != missing]
    address = f"{address_with_rights(votes, '%R~votes', *rules)}{redis_server.socket}"

    def selection() -> None:
        with RedisScores(address, "votes", domain=FRUIT).snapshot() as source:
            source.top(0, 1)
            source.scores(np.arange(2))

    abort = "Transaction discarded because of: NOPERM " if missing == "exec" else ""
    assert refusal(selection) == (
        Reason.UNREACHABLE_SOURCE,
        f"{redis_server.place} key 'votes' cannot be read: "
        f"{abort}this user has no permissions to run the '{missing}' command",
    )


def test_a_user_who_may_read_another_key(votes: Client, redis_server: RedisServer) -> None:
    """A user without rights on the key is refused."""
    address = (
        f"{address_with_rights(votes, '%R~others', '+@read', '+@transaction')}{redis_server.socket}"
    )
    assert refusal(lambda: RedisScores(address, "votes", domain=FRUIT)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{redis_server.place} key 'votes' cannot be read: this user has no permissions to access "
        "one of the keys used as arguments",
    )


def unsupported_refusal(server: RedisServer, fact: str) -> tuple[Reason, str]:
    """Return the expected reason and message."""
    return (
        Reason.UNREACHABLE_SOURCE,
        f"{server.place} key 'votes' {fact}; Redis must be version 6.2 or newer, no replica and "
        "not in a cluster",
    )


@pytest.mark.usefixtures("redis_server")
def test_a_replica_is_refused() -> None:
    """A replica is refused, even if its master does not run."""
    with RedisServer("--replicaof", "127.0.0.1 1") as server:
        refused = refusal(lambda: RedisScores(server.url, "votes", domain=FRUIT))
        assert refused == unsupported_refusal(server, "has the role replica")


@pytest.mark.usefixtures("redis_server")
def test_a_server_that_becomes_a_replica_is_refused() -> None:
    """Each selection checks the role of the server again."""
    with RedisServer() as server, server.client() as client:
        scores = RedisScores(server.url, "votes", domain=FRUIT)
        client.execute_command("REPLICAOF", "127.0.0.1", "1")
        refused = refusal(lambda: top_k(scores, 1, epsilon=1))
        assert refused == unsupported_refusal(server, "has the role replica")


@pytest.mark.usefixtures("redis_server")
def test_a_node_of_a_cluster_is_refused() -> None:
    """A cluster is refused, because keys move between its nodes."""
    options = ["--cluster-enabled", "yes", "--cluster-allow-reads-when-down", "yes"]
    with RedisServer(*options) as server, server.client() as client:
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        refused = refusal(lambda: RedisScores(server.url, "votes", domain=FRUIT))
        assert refused == unsupported_refusal(server, "runs in the mode cluster")


@pytest.mark.parametrize(
    ("version", "is_refused"),
    [(b"6.0.16", True), (b"5.9", True), (b"6.2.0", False), (b"7.0.15", False), (b"10.0", False)],
)
def test_the_version_of_the_server(version: bytes, is_refused: bool) -> None:
    """A server that lacks the commands is refused by its version."""
    facts = {"version": version, "mode": b"standalone", "role": b"master"}
    if is_refused:
        assert refusal(lambda: require_server("redis://host:1/0", facts)) == (
            Reason.UNREACHABLE_SOURCE,
            f"redis://host:1/0 runs version {version.decode()}; Redis must be version 6.2 or "
            "newer, no replica and not in a cluster",
        )
    else:
        require_server("redis://host:1/0", facts)
