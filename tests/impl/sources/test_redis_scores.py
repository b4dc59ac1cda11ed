"""Facts about scores in Redis, found on a real server."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.impl.bench.sources.redis_server import Client, RedisServer
from privtopk.impl.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.engines import Engine
from privtopk.impl.sources import redis_scores
from privtopk.impl.sources.redis_scores import (
    TRIP_PRICE,
    RedisQuery,
    RedisScores,
    by_column,
    require_server,
)
from privtopk.impl.sources.view import View
from privtopk.impl.top_k import top_k
from privtopk.spec.errors import Reason, SelectionError
from support import refusal

LARGEST = 2**53 - 1


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Client]:
    """Yield a client of an empty server."""
    with redis_server.client() as client:
        client.flushall()
        client.config_resetstat()
        yield client


def asked(client: Client, command: str) -> int:
    """Return how often a command was called since the test began."""
    return int(client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])


def changed(server: RedisServer) -> tuple[Reason, str]:
    """Return how a selection is refused from a set that others have touched."""
    return (
        Reason.CHANGED_SOURCE,
        f"{server.place} key 'votes' was written to while it was read; nothing was selected, "
        "so the call can be repeated",
    )


@pytest.mark.parametrize("engine", list(Engine))
def test_leaders_far_ahead_are_selected(
    client: Client, redis_server: RedisServer, engine: Engine
) -> None:
    """Every engine finds the leaders of a set with a score for each item."""
    client.zadd("votes", {str(item): item % 3 for item in range(1, 301)} | {"7": 10**6, "9": 10**5})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 300))
    assert top_k(scores, 2, epsilon=1, engine=engine).items == (7, 9)


@pytest.mark.parametrize("engine", list(Engine))
def test_items_without_a_member_can_be_selected(
    client: Client, redis_server: RedisServer, engine: Engine
) -> None:
    """Of a set with few members the rest of the domain scores 0, and fills up the selection."""
    client.zadd("votes", {"3": 5000, "7": 4000})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 10))
    items = top_k(scores, 3, epsilon=1, engine=engine).items
    assert items[:2] == (3, 7)
    assert items[2] in set(range(1, 11)) - {3, 7}


@given(
    scores=st.dictionaries(st.integers(-3, 9), st.integers(0, 3) | st.just(LARGEST)),
    chunk=st.integers(1, 4),
)
@settings(max_examples=50)
def test_both_doors_show_the_set(
    redis_server: RedisServer, scores: dict[int, int], chunk: int
) -> None:
    """Pages, single scores and blocks say what the set says, however many questions it takes."""
    with redis_server.client() as client, pytest.MonkeyPatch.context() as patch:
        patch.setattr(redis_scores, "CHUNK", chunk)
        client.delete("votes")
        if scores:
            client.zadd("votes", {str(item): score for item, score in scores.items()})
        expected = [scores.get(item, 0) for item in range(-3, 10)]
        store = RedisScores(redis_server.url, "votes", domain=RangeDomain(-3, 9))
        with store.snapshot() as source:
            assert isinstance(source, View)
            page = source.top(0, 13)
            again = source.top(0, 2), source.top(2, 11)
            assert source.scores(np.arange(13)).tolist() == expected
            assert source.scores(np.array([5, 1])).tolist() == [expected[5], expected[1]]
            assert source.block(0, 13).tolist() == expected
    assert sorted(page.items.tolist()) == list(range(13))
    assert [expected[item] for item in page.items] == page.scores.tolist()
    assert page.scores.tolist() == sorted(expected, reverse=True)
    assert np.concatenate([part.items for part in again]).tolist() == page.items.tolist()


def test_ties_are_in_the_order_of_their_bytes(client: Client, redis_server: RedisServer) -> None:
    """Of members with the same score the last by its bytes comes first, whoever was added first."""
    names = ["b", "a", "Ö", "c", "B"]
    client.zadd("votes", dict.fromkeys(names, 5))
    store = RedisScores(redis_server.url, "votes", domain=ListedDomain(names))
    with store.snapshot() as source:
        order = [source.name(int(item)) for item in source.top(0, 5).items]
    assert order == ["Ö", "c", "b", "a", "B"]


def test_no_command_asks_for_more_than_a_chunk(
    client: Client, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long answers come in several pieces, so that the server is not kept from its other work."""
    monkeypatch.setattr(redis_scores, "CHUNK", 4)
    client.zadd("votes", {str(item): item for item in range(10)})
    store = RedisScores(redis_server.url, "votes", domain=RangeDomain(0, 9))
    with store.snapshot() as source:
        assert isinstance(source, View)
        source.scores(np.arange(10))
        assert (asked(client, "zmscore"), asked(client, "zrange")) == (3, 0)
        source.top(0, 9)
        assert asked(client, "zrange") == 3
        source.block(0, 10)
        assert asked(client, "zrange") == 6


@pytest.mark.parametrize(
    ("domain", "selected"),
    [
        (RangeDomain(-7, 7), -7),
        (RangeDomain(-7, 7, str), "-7"),
        (ListedDomain([3, -7]), -7),
        (ListedDomain(["3", "-7"]), "-7"),
        ("public", "-7"),
    ],
    ids=repr,
)
def test_items_come_back_as_they_were_declared(
    client: Client, redis_server: RedisServer, domain: Domain, selected: object
) -> None:
    """Whoever declares numbers gets numbers, and texts otherwise; in Redis they are the same."""
    client.zadd("votes", {"-7": 10**6, "3": 1})
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    assert [top_k(scores, 1, epsilon=1, engine=e).items for e in Engine] == [(selected,)] * len(
        Engine
    )


@pytest.mark.parametrize(
    "item", ["", " ", "a'b", '"', "Ö", "\r\n", "a\r\n$3\r\nb", "\0", "😀" * 99]
)
def test_items_may_be_any_texts(client: Client, redis_server: RedisServer, item: str) -> None:
    """Neither quotes nor line breaks nor the separators of the protocol mean anything."""
    client.zadd("votes", {item: 10**6, "other": 5})
    scores = RedisScores(redis_server.url, "votes", domain=ListedDomain(["x", item, "other"]))
    assert [top_k(scores, 1, epsilon=1, engine=e).items for e in Engine] == [(item,)] * len(Engine)


def test_a_public_domain_has_an_order_of_its_own(client: Client, redis_server: RedisServer) -> None:
    """A set of selected items is listed by name: the order of the set would tell their scores."""
    client.zadd("votes", {"pear": 9000, "fig": 8000, "quince": 7000, "nut": 1})
    scores = RedisScores(redis_server.url, "votes", domain="public")
    assert top_k(scores, 3, epsilon=1, ranked=False).items == ("fig", "pear", "quince")


def test_a_set_that_is_missing_is_empty(client: Client, redis_server: RedisServer) -> None:
    """Redis has no empty sets: where nobody has voted yet, all items score 0."""
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 3))
    assert set(top_k(scores, 3, epsilon=1).items) == {1, 2, 3}


def test_a_missing_set_declares_no_domain(client: Client, redis_server: RedisServer) -> None:
    """Nothing can be public about items that are not there."""
    assert refusal(lambda: RedisScores(redis_server.url, "votes", domain="public")) == (
        Reason.EMPTY_DOMAIN,
        "the sorted set is empty or missing, so it declares no domain",
    )


@pytest.mark.parametrize("domain", [None, "private"])
def test_the_domain_must_be_declared(domain: Any) -> None:
    """Without a domain nothing is asked of any server."""
    reason, message = refusal(lambda: RedisScores("redis://nowhere:1", "votes", domain=domain))
    assert reason is Reason.UNDECLARED_DOMAIN
    assert message.startswith("the domain must be declared: a range or a list of items, or")


def test_the_key_is_a_text() -> None:
    """A key that is no text is refused before anything is asked."""
    domain = RangeDomain(1, 3)
    wrong: Any = b"votes"
    assert refusal(lambda: RedisScores("redis://nowhere:1", wrong, domain=domain)) == (
        Reason.WRONG_TYPE,
        "key must be a text, got bytes",
    )


def wrong_type(server: RedisServer) -> tuple[Reason, str]:
    """Return how a key is refused that holds something else."""
    return (
        Reason.WRONG_TYPE,
        f"{server.place} key 'votes' must be a sorted set, got a key of another type",
    )


def test_a_key_of_another_type(client: Client, redis_server: RedisServer) -> None:
    """A key that holds a text is refused when it is named, and also if it comes to do so later."""
    domain = RangeDomain(1, 3)
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    client.set("votes", "many")
    assert refusal(lambda: RedisScores(redis_server.url, "votes", domain=domain)) == wrong_type(
        redis_server
    )
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == wrong_type(redis_server)


EXCESSIVE = (
    Reason.SCORE_OUT_OF_RANGE,
    f"every score in Redis must be below 2^53 = {2**53}: beyond, doubles do not tell whole "
    "numbers apart",
)


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize(
    ("score", "refused"),
    [
        ("-1", (Reason.NEGATIVE_SCORE, "no score may be negative")),
        ("-0.5", (Reason.NEGATIVE_SCORE, "no score may be negative")),
        ("-inf", (Reason.NEGATIVE_SCORE, "no score may be negative")),
        (2**53, EXCESSIVE),
        (2**53 + 1, EXCESSIVE),
        ("1e300", EXCESSIVE),
        ("inf", EXCESSIVE),
    ],
)
def test_wrong_scores_are_found_before_anything_is_read(
    client: Client,
    redis_server: RedisServer,
    score: object,
    refused: tuple[Reason, str],
    engine: Engine,
) -> None:
    """Whether the wrong score is high or low, no engine gets to see a single entry."""
    client.execute_command("ZADD", "votes", score, "2", 5, "1")
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 3))
    assert refusal(lambda: top_k(scores, 1, epsilon=1, engine=engine)) == refused
    assert (asked(client, "zrange"), asked(client, "zmscore")) == (0, 0)


def test_redis_cannot_hold_a_score_that_is_not_a_number(client: Client) -> None:
    """NaN need not be looked for: the server takes none."""
    with pytest.raises(redis.ResponseError, match="not a valid float"):
        client.execute_command("ZADD", "votes", "nan", "1")


def test_scores_beyond_doubles_collapse(client: Client) -> None:
    """This is why 2^53 is refused: the server returns it for 2^53 + 1."""
    client.execute_command("ZADD", "votes", 2**53 + 1, "1")
    assert client.zscore("votes", "1") == 2**53


def test_the_largest_score_is_exact(client: Client, redis_server: RedisServer) -> None:
    """Scores just below 2^53 are told apart by both doors."""
    client.zadd("votes", {"1": LARGEST - 1, "2": LARGEST})
    store = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 2))
    with store.snapshot() as source:
        assert source.top(0, 2).scores.tolist() == [LARGEST, LARGEST - 1]
        assert source.scores(np.arange(2)).tolist() == [LARGEST - 1, LARGEST]


@pytest.mark.parametrize("engine", list(Engine))
def test_a_fraction_is_refused_where_it_is_read(
    client: Client, redis_server: RedisServer, engine: Engine
) -> None:
    """No engine takes the leader's score for a whole number if it is none."""
    client.zadd("votes", {"1": 900.5, "2": 5})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 3))
    assert refusal(lambda: top_k(scores, 1, epsilon=1, engine=engine)) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


OUTSIDE = (Reason.UNKNOWN_ITEM, "there is an item outside the declared domain")
NO_TEXT = (Reason.WRONG_TYPE, "every member must be a text in UTF-8")


@pytest.mark.parametrize(
    "engine", [Engine.ONE_SHOT, Engine.BATCHED, Engine.RANK_FREE, Engine.ONLINE, Engine.THRESHOLD]
)
@pytest.mark.parametrize(
    ("member", "domain", "refused"),
    [
        ("8", RangeDomain(-5, 7), OUTSIDE),
        ("07", RangeDomain(-5, 7), OUTSIDE),
        ("+7", RangeDomain(-5, 7), OUTSIDE),
        ("-0", RangeDomain(-5, 7), OUTSIDE),
        ("7 ", RangeDomain(-5, 7), OUTSIDE),
        ("7.0", RangeDomain(-5, 7), OUTSIDE),
        ("٧", RangeDomain(-5, 7), OUTSIDE),
        (str(2**64 - 1), RangeDomain(-5, 7), OUTSIDE),
        ("07", RangeDomain(-5, 7, str), OUTSIDE),
        ("8", ListedDomain([1, 7]), OUTSIDE),
        ("fig", ListedDomain(["FIG", "1"]), OUTSIDE),
        (b"\xff", RangeDomain(-5, 7), NO_TEXT),
        (b"\xff", ListedDomain(["a", "1"]), NO_TEXT),
    ],
)
def test_a_member_outside_the_domain_is_refused_where_it_is_read(
    client: Client,
    redis_server: RedisServer,
    member: str | bytes,
    domain: Domain,
    refused: tuple[Reason, str],
    engine: Engine,
) -> None:
    """An item has one way to be written, and another way is another member."""
    client.zadd("votes", {member: 10**6})
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    assert refusal(lambda: top_k(scores, 1, epsilon=1, engine=engine)) == refused


def test_too_many_members_are_found_before_anything_is_read(
    client: Client, redis_server: RedisServer
) -> None:
    """If there are more members than items, one of them is a stranger."""
    client.zadd("votes", {"1": 900, "2": 5, "3": 1})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 2))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.UNKNOWN_ITEM,
        "the sorted set has a member outside the declared domain 1..2",
    )
    assert asked(client, "zrange") == 0


def test_an_item_that_no_member_can_be(client: Client, redis_server: RedisServer) -> None:
    """Half of a surrogate pair is no text that could be sent."""
    scores = RedisScores(redis_server.url, "votes", domain=ListedDomain(["\ud83d", "a"]))
    with scores.snapshot() as source:
        assert refusal(lambda: source.scores(np.arange(2))) == NO_TEXT


def test_members_of_a_public_domain_are_texts(client: Client, redis_server: RedisServer) -> None:
    """A member that is no text cannot be an item."""
    client.zadd("votes", {b"\xff": 1})
    assert refusal(lambda: RedisScores(redis_server.url, "votes", domain="public")) == NO_TEXT


def evict(client: Client) -> None:
    """Make the server short of memory, so that it throws keys away."""
    client.config_set("maxmemory-policy", "allkeys-random")
    client.config_set("maxmemory", 1)
    client.ping()
    client.config_set("maxmemory", 0)


def expire(client: Client) -> None:
    """Let the set expire."""
    client.pexpire("votes", 1)
    time.sleep(0.01)


def replace(client: Client) -> None:
    """Put an equal set into the place of the set."""
    client.copy("votes", "copy")
    client.rename("copy", "votes")


def from_a_script(client: Client) -> None:
    """Change the set out of a script."""
    client.eval("redis.call('ZADD', KEYS[1], 3, 'fig')", 1, "votes")


def in_a_transaction(client: Client) -> None:
    """Change the set and change it back at once."""
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


@pytest.fixture
def votes(client: Client) -> Client:
    """Return a client of a server with two sets in which fig leads."""
    client.zadd("votes", {"fig": 10**6, "pear": 5})
    client.zadd("others", {"pear": 10**6})
    return client


FRUIT = ListedDomain(["fig", "pear", "nut"])


@pytest.mark.parametrize("touch", TOUCHES.values(), ids=TOUCHES)
def test_a_set_that_is_touched_is_not_selected_from(
    votes: Client, redis_server: RedisServer, touch: Callable[[Client], object]
) -> None:
    """Whatever is done to the set between the first and the last question is noticed."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            source.top(0, 1)
            touch(votes)

    assert refusal(selection) == changed(redis_server)


def test_a_set_that_expires_by_itself_is_not_selected_from(
    votes: Client, redis_server: RedisServer
) -> None:
    """Nobody touches a set whose time has come, and nobody reads it after."""
    votes.pexpire("votes", 50)
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            source.top(0, 1)
            time.sleep(0.1)

    assert refusal(selection) == changed(redis_server)


def test_a_set_that_comes_into_being_is_not_selected_from(
    client: Client, redis_server: RedisServer
) -> None:
    """The first vote of all counts as a change."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot():
            client.zadd("votes", {"fig": 1})

    assert refusal(selection) == changed(redis_server)


def test_what_a_change_causes_is_told_as_a_change(votes: Client, redis_server: RedisServer) -> None:
    """A reader that stumbles over a fraction which came meanwhile is told why."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            votes.zadd("votes", {"fig": 0.5})
            source.top(0, 2)

    assert refusal(selection) == changed(redis_server)


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
    """Neither readers nor writes without effect nor writes elsewhere matter."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)
    with store.snapshot() as source:
        touch(votes)
        best = source.top(0, 1)
    assert source.name(int(best.items[0])) == "fig"


def test_a_public_domain_is_read_from_a_set_at_rest(
    votes: Client, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Members that change while they are listed declare no domain."""
    read_on = RedisQuery.all

    def disturbed(query: RedisQuery) -> object:
        votes.zadd("votes", {"nut": 1})
        return read_on(query)

    monkeypatch.setattr(RedisQuery, "all", disturbed)
    refused = refusal(lambda: RedisScores(redis_server.url, "votes", domain="public"))
    assert refused == changed(redis_server)


def test_a_connection_that_is_lost(votes: Client, redis_server: RedisServer) -> None:
    """What is told is what went wrong first, in the words of the driver."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)

    def selection() -> None:
        with store.snapshot() as source:
            votes.client_kill_filter(_type="normal", skipme=True)
            source.top(0, 1)

    with pytest.raises(SelectionError) as caught:
        selection()
    assert caught.value.reason is Reason.UNREACHABLE_SOURCE
    assert type(caught.value.__cause__) is redis.ConnectionError
    assert str(caught.value) == (
        f"{redis_server.place} key 'votes' cannot be read: {caught.value.__cause__}"
    )


def test_a_selection_says_no_more_than_it_must(votes: Client, redis_server: RedisServer) -> None:
    """Besides its entries, the set is asked about before and after; the driver adds nothing."""
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


def connections(client: Client, count: int) -> bool:
    """Return whether the server comes to have so many connections."""
    deadline = time.monotonic() + 5
    while len(client.client_list()) != count and time.monotonic() < deadline:
        time.sleep(0.001)
    return len(client.client_list()) == count


def test_connections_are_closed(votes: Client, redis_server: RedisServer) -> None:
    """A selection has a connection of its own, which ends with it, however it ends."""
    store = RedisScores(redis_server.url, "votes", domain=FRUIT)
    assert connections(votes, 1)
    with store.snapshot():
        assert connections(votes, 2)
    assert connections(votes, 1)
    votes.zadd("votes", {"fig": -1})
    refusal(lambda: top_k(store, 1, epsilon=1))
    assert connections(votes, 1)


@pytest.mark.parametrize("protocol", [2, 3])
@pytest.mark.parametrize("is_decoding", [False, True])
def test_a_client_of_the_caller_serves_as_address(
    votes: Client, redis_server: RedisServer, protocol: int, is_decoding: bool
) -> None:
    """Whatever a client makes of answers for itself, a selection is the same, and it stays open."""
    settings: dict[str, Any] = {"protocol": protocol, "decode_responses": is_decoding}
    with redis_server.client(**settings, encoding="latin-1") as client:
        client.ping()
        scores = RedisScores(client, "votes", domain=FRUIT)
        assert top_k(scores, 1, epsilon=1).items == ("fig",)
        assert connections(votes, 2)
        assert client.zcard("votes") == 2


def test_a_client_of_the_caller_does_not_come_to_watch_the_set(
    votes: Client, redis_server: RedisServer
) -> None:
    """A transaction of the caller goes through although the set has changed since."""
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


def test_a_client_that_is_closed_meanwhile(votes: Client, redis_server: RedisServer) -> None:
    """Whatever the caller does to the client, the connection of a selection stays what it is."""
    client = redis_server.client()
    store = RedisScores(client, "votes", domain=FRUIT)
    with store.snapshot() as source:
        source.top(0, 1)
        client.close()
        client.connection_pool.disconnect()
        assert source.scores(np.arange(3)).tolist() == [10**6, 5, 0]
    assert top_k(store, 1, epsilon=1).items == ("fig",)


def test_another_database(votes: Client, redis_server: RedisServer) -> None:
    """The address says which of the databases has the set."""
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


NEEDED = ["watch", "multi", "exec", "zrange", "zmscore", "zcard", "zcount"]


def granted(client: Client, *rules: str) -> str:
    """Return the start of an address of a user who has nothing but some rights."""
    client.execute_command("ACL", "SETUSER", "reader", "reset", "on", ">secret", *rules)
    return "unix://reader:secret@"


@pytest.mark.parametrize(
    "rules", [[f"+{name}" for name in NEEDED], ["+@read", "+@transaction"]], ids=["few", "groups"]
)
def test_a_user_who_may_only_read(
    votes: Client, redis_server: RedisServer, rules: list[str]
) -> None:
    """To read one key and to watch it is all that a selection needs."""
    address = f"{granted(votes, '%R~votes', *rules)}{redis_server.socket}"
    scores = RedisScores(address, "votes", domain=FRUIT)
    assert [top_k(scores, 1, epsilon=1, engine=e).items for e in Engine] == [("fig",)] * len(Engine)


@pytest.mark.parametrize("missing", NEEDED)
def test_a_user_who_lacks_a_right(votes: Client, redis_server: RedisServer, missing: str) -> None:
    """Every one of the commands is needed, and the one that is missing is named."""
    rules = [f"+{name}" for name in NEEDED if name != missing]
    address = f"{granted(votes, '%R~votes', *rules)}{redis_server.socket}"

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
    """Keys are guarded too."""
    address = f"{granted(votes, '%R~others', '+@read', '+@transaction')}{redis_server.socket}"
    assert refusal(lambda: RedisScores(address, "votes", domain=FRUIT)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{redis_server.place} key 'votes' cannot be read: this user has no permissions to access "
        "one of the keys used as arguments",
    )


def unsupported(server: RedisServer, fact: str) -> tuple[Reason, str]:
    """Return how a server is refused."""
    return (
        Reason.UNREACHABLE_SOURCE,
        f"{server.place} key 'votes' {fact}; Redis must be of version 6.2 or newer, alone and not "
        "a replica",
    )


@pytest.mark.usefixtures("redis_server")
def test_a_replica_is_refused() -> None:
    """A server that follows another is not asked; its master need not be there to tell."""
    with RedisServer("--replicaof", "127.0.0.1 1") as server:
        refused = refusal(lambda: RedisScores(server.url, "votes", domain=FRUIT))
        assert refused == unsupported(server, "is of a replica")


@pytest.mark.usefixtures("redis_server")
def test_a_server_that_becomes_a_replica_is_refused() -> None:
    """The same is looked at anew for every selection."""
    with RedisServer() as server, server.client() as client:
        scores = RedisScores(server.url, "votes", domain=FRUIT)
        client.execute_command("REPLICAOF", "127.0.0.1", "1")
        refused = refusal(lambda: top_k(scores, 1, epsilon=1))
        assert refused == unsupported(server, "is of a replica")


@pytest.mark.usefixtures("redis_server")
def test_a_node_of_a_cluster_is_refused() -> None:
    """Sets wander between the nodes of a cluster."""
    options = ["--cluster-enabled", "yes", "--cluster-allow-reads-when-down", "yes"]
    with RedisServer(*options) as server, server.client() as client:
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        refused = refusal(lambda: RedisScores(server.url, "votes", domain=FRUIT))
        assert refused == unsupported(server, "is of a cluster")


@pytest.mark.parametrize(
    ("version", "is_refused"),
    [(b"6.0.16", True), (b"5.9", True), (b"6.2.0", False), (b"7.0.15", False), (b"10.0", False)],
)
def test_the_version_of_the_server(version: bytes, is_refused: bool) -> None:
    """A server must be as new as the commands that it is sent."""
    facts = {"version": version, "mode": b"standalone", "role": b"master"}
    if is_refused:
        assert refusal(lambda: require_server("redis://host:1/0", facts)) == (
            Reason.UNREACHABLE_SOURCE,
            f"redis://host:1/0 runs version {version.decode()}; Redis must be of version 6.2 or "
            "newer, alone and not a replica",
        )
    else:
        require_server("redis://host:1/0", facts)


def test_scores_are_read_however_they_are_written() -> None:
    """Newer servers write a thousand million as 1e+9."""
    rows = by_column([b"7", b"1e+9", b"8", b"-0"], int)
    assert (rows.items, rows.scores) == ([7, 8], [10**9, 0])


def test_a_question_is_worth_as_many_entries_as_take_its_time(
    client: Client, redis_server: RedisServer
) -> None:
    """The first page has as many entries as come in the time of one more question."""
    client.zadd("votes", {str(item): 0 for item in range(100)} | {"7": 10**6})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(0, 10**6))
    audit = top_k(scores, 1, epsilon=1).audit
    assert (audit.sorted_accesses, audit.round_trips) == (TRIP_PRICE, 1)


def test_pages_follow_each_other_without_gaps(client: Client, redis_server: RedisServer) -> None:
    """Reading on asks for the ranks that follow, and no rank twice."""
    client.zadd("votes", {str(item): item for item in range(40)})
    store = RedisScores(redis_server.url, "votes", domain=RangeDomain(0, 39))
    with store.snapshot() as source:
        pages = [source.top(start, stop - start) for start, stop in pairwise([0, 1, 7, 30, 40])]
    assert [score for page in pages for score in page.scores.tolist()] == list(range(39, -1, -1))
