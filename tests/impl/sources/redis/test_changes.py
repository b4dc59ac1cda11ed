"""Facts about sets that somebody modifies while they are read."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.sources.redis.scores import (
    RedisQuery,
    RedisScores,
)
from redis_votes import FRUIT, MAY_BE_MISSING, changed_set_refusal
from support import refusal


def evict(client: Client) -> None:
    """Limit the memory of the server, so that it evicts keys."""
    client.config_set("maxmemory-policy", "allkeys-random")
    client.config_set("maxmemory", 1)
    client.ping()
    client.config_set("maxmemory", 0)


def expire(client: Client) -> None:
    """Let the set expire."""
    client.pexpire("votes", 1)
    time.sleep(0.01)


def replace(client: Client) -> None:
    """Replace the set by an equal one."""
    client.copy("votes", "copy")
    client.rename("copy", "votes")


def from_a_script(client: Client) -> None:
    """Modify the set from a script."""
    client.eval("redis.call('ZADD', KEYS[1], 3, 'fig')", 1, "votes")


def in_a_transaction(client: Client) -> None:
    """Modify the set and restore it at once."""
    with client.pipeline(transaction=True) as pipe:
        pipe.zincrby("votes", 1, "fig").zincrby("votes", -1, "fig").execute()


def restore(client: Client) -> None:
    """Restore the set from a dump of itself."""
    dump: Any = client.dump("votes")
    client.restore("votes", 0, dump, replace=True)


TOUCHES: dict[str, Callable[[Client], object]] = {
    "a new member": lambda client: client.zadd("votes", {"nut": 1}),
    "another score": lambda client: client.zadd("votes", {"fig": 8}),
    "one vote more": lambda client: client.zincrby("votes", 1, "fig"),
    "a member less": lambda client: client.zrem("votes", "fig"),
    "the best taken": lambda client: client.zpopmax("votes"),
    "the worst cut off": lambda client: client.zremrangebyrank("votes", 0, 0),
    "a union stored": lambda client: client.zunionstore("votes", ["votes", "others"]),
    "deleted": lambda client: client.delete("votes"),
    "unlinked": lambda client: client.unlink("votes"),
    "renamed": lambda client: client.rename("votes", "old"),
    "renamed over": lambda client: client.rename("others", "votes"),
    "copied over": lambda client: client.copy("others", "votes", replace=True),
    "replaced by an equal set": replace,
    "restored": restore,
    "of another type": lambda client: client.set("votes", "many"),
    "moved": lambda client: client.move("votes", 1),
    "a time to live": lambda client: client.expire("votes", 1000),
    "expired": expire,
    "evicted": evict,
    "flushed with its database": lambda client: client.flushdb(),
    "flushed with all databases": lambda client: client.flushall(),
    "swapped": lambda client: client.swapdb(0, 1),
    "changed by a script": from_a_script,
    "changed and changed back": in_a_transaction,
}


@pytest.mark.parametrize("touch", TOUCHES.values(), ids=TOUCHES)
def test_a_set_that_is_modified_is_not_selected_from(
    votes: Client, redis_server: RedisServer, touch: Callable[[Client], object]
) -> None:
    """Every modification between the first and the last query is noticed."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            source.top(0, 1)
            touch(votes)

    assert refusal(selection) == changed_set_refusal(redis_server)


def test_a_set_that_expires_by_itself_is_not_selected_from(
    votes: Client, redis_server: RedisServer
) -> None:
    """A set that expires during a selection is noticed."""
    votes.pexpire("votes", 50)
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            source.top(0, 1)
            time.sleep(0.1)

    assert refusal(selection) == changed_set_refusal(redis_server)


@MAY_BE_MISSING
def test_a_set_that_comes_into_being_is_not_selected_from(
    client: Client, redis_server: RedisServer
) -> None:
    """The first vote of all counts as a change."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot():
            client.zadd("votes", {"fig": 1})

    assert refusal(selection) == changed_set_refusal(redis_server)


def test_an_error_after_a_change_is_reported_as_a_change(
    votes: Client, redis_server: RedisServer
) -> None:
    """If a fraction was written during the selection, the error names the modification."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            votes.zadd("votes", {"fig": 0.5})
            source.top(0, 2)

    assert refusal(selection) == changed_set_refusal(redis_server)


@pytest.mark.parametrize(
    "touch",
    [
        lambda client: client.zadd("votes", {"fig": 10**6}),
        lambda client: client.zrem("votes", "nut"),
        lambda client: client.zadd("others", {"fig": 1}),
        lambda client: client.execute_command("TOUCH", "votes"),
        lambda client: client.zrange("votes", 0, -1),
    ],
    ids=["the same score", "no member", "another set", "a mere touch", "a reader"],
)
def test_a_set_that_stays_as_it_is_is_selected_from(
    votes: Client, redis_server: RedisServer, touch: Callable[[Client], object]
) -> None:
    """Readers, writes without effect and writes to other keys do not matter."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)
    with store.snapshot() as source:
        touch(votes)
        best = source.top(0, 1)
    assert source.name(int(best.items[0])) == "fig"


def test_a_public_domain_is_read_from_a_set_at_rest(
    votes: Client, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public domain is refused if the set is modified while it is read."""
    read_on = RedisQuery.all

    def disturbed(query: RedisQuery) -> object:
        votes.zadd("votes", {"nut": 1})
        return read_on(query)

    monkeypatch.setattr(RedisQuery, "all", disturbed)
    refused = refusal(lambda: RedisScores(redis_server.url, "votes", domain="public"))
    assert refused == changed_set_refusal(redis_server)
