"""Facts about the connections of selections from Redis, and about clients of the caller."""

import threading
import time
from typing import Any

import numpy as np
import pytest
import redis

from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.sources.redis.scores import (
    RedisScores,
)
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from redis_votes import FRUIT
from support import refusal


def test_a_connection_that_is_lost(votes: Client, redis_server: RedisServer) -> None:
    """The message has the first error, in the words of the driver."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            votes.client_kill_filter(_type="normal", skipme=True)
            source.top(0, 1)

    with pytest.raises(SelectionError) as caught:
        selection()
    assert caught.value.reason is Reason.UNREACHABLE_SOURCE
    assert str(caught.value).removeprefix(f"{redis_server.place} key 'votes' cannot be read: ") in (
        "Error 32 while writing to socket. Broken pipe.",
        "Connection closed by server.",
    )


def test_a_selection_sends_no_other_commands(votes: Client, redis_server: RedisServer) -> None:
    """A selection sends only its own commands; the driver adds none."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)
    votes.config_resetstat()
    with store.snapshot() as source:
        source.top(0, 1)
    statistics = votes.info("commandstats")
    assert {name: fact["calls"] for name, fact in statistics.items()} == {
        "cmdstat_config|resetstat": 1,
        "cmdstat_watch": 1,
        "cmdstat_hello": 1,
        "cmdstat_zcard": 1,
        "cmdstat_zcount": 2,
        "cmdstat_zrange": 1,
        "cmdstat_multi": 1,
        "cmdstat_exec": 1,
    }
    assert votes.info("errorstats") == {}


def has_connections(client: Client, count: int) -> bool:
    """Return whether the server reaches a number of connections."""
    deadline = time.monotonic() + 5
    while len(client.client_list()) != count and time.monotonic() < deadline:
        time.sleep(0.001)
    return len(client.client_list()) == count


def test_connections_are_closed(votes: Client, redis_server: RedisServer) -> None:
    """A selection has a connection of its own, which is closed even after an error."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)
    assert has_connections(votes, 1)
    with store.snapshot():
        assert has_connections(votes, 2)
    assert has_connections(votes, 1)
    votes.zadd("votes", {"fig": -1})
    refusal(lambda: top_k(store, 1, epsilon=1))
    assert has_connections(votes, 1)


@pytest.mark.parametrize("protocol", [2, 3])
@pytest.mark.parametrize("is_decoding", [False, True])
def test_a_client_of_the_caller_serves_as_address(
    votes: Client, redis_server: RedisServer, protocol: int, is_decoding: bool
) -> None:
    """The decoding options of a client do not matter, and the client stays open."""
    settings: dict[str, Any] = {"protocol": protocol, "decode_responses": is_decoding}
    with redis_server.client(**settings, encoding="latin-1") as client:
        client.ping()
        scores = RedisScores(client, "votes", domain=FRUIT)
        assert top_k(scores, 1, epsilon=1).items == ("fig",)
        assert has_connections(votes, 2)
        assert client.zcard("votes") == 2


def test_a_client_of_the_caller_does_not_come_to_watch_the_set(
    votes: Client, redis_server: RedisServer
) -> None:
    """A selection does not disturb a transaction of the caller."""
    with redis_server.client(single_connection_client=True) as client:
        scores = RedisScores(client, "votes", domain=FRUIT)
        top_k(scores, 1, epsilon=1)
        votes.zadd("votes", {"nut": 1})
        with client.pipeline(transaction=True) as pipe:
            assert pipe.zcard("votes").execute() == [3]


def test_a_client_all_of_whose_connections_are_taken(
    votes: Client, redis_server: RedisServer
) -> None:
    """A selection does not wait for a connection of the caller's pool."""
    blocking: Any = redis.BlockingConnectionPool
    pool = blocking(
        connection_class=redis.UnixDomainSocketConnection,
        path=str(redis_server.socket),
        max_connections=1,
        timeout=1,
    )
    with redis.Redis.from_pool(pool) as client:
        taken = pool.get_connection()
        scores = RedisScores(client, "votes", domain=FRUIT)
        assert top_k(scores, 1, epsilon=1).items == ("fig",)
        pool.release(taken)


def test_a_client_that_is_closed_during_a_selection(
    votes: Client, redis_server: RedisServer
) -> None:
    """What the caller does to the client does not affect the connection of a selection."""
    client = redis_server.client()
    store = RedisScores(client, "votes", domain=FRUIT)
    with store.snapshot() as source:
        source.top(0, 1)
        client.close()
        client.connection_pool.disconnect()
        assert source.scores(np.arange(3)).tolist() == [10**6, 5, 0]
    assert top_k(store, 1, epsilon=1).items == ("fig",)


def test_another_database(votes: Client, redis_server: RedisServer) -> None:
    """The URL selects the database."""
    votes.move("others", 3)
    scores = RedisScores(f"{redis_server.url}?db=3", "others", domain=FRUIT)
    assert top_k(scores, 1, epsilon=1).items == ("pear",)
    assert repr(scores) == f"RedisScores({redis_server.url}?db=3 key 'others', domain={FRUIT!r})"


def test_several_selections_at_once(votes: Client, redis_server: RedisServer) -> None:
    """Threads can share a store."""
    scores = RedisScores(redis_server.url, "votes", domain=FRUIT)
    found: list[object] = []

    def select() -> None:
        for _ in range(20):
            found.append(top_k(scores, 1, epsilon=1).items)

    threads = [threading.Thread(target=select) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [("fig",)] * 80
