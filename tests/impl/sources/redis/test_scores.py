"""Facts about scores in Redis, found on a real server."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.sources.redis import scores as redis_scores
from privtopk.impl.sources.redis.scores import (
    TRIP_PRICE,
    RedisScores,
    by_column,
)
from privtopk.impl.sources.view import View
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from redis_votes import call_count
from support import refusal

LARGEST = 2**53 - 1


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
    """Items that are not in the set have score 0 and can be selected."""
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
    """Pages, single scores and blocks agree with the set, however many commands they need."""
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
    """Ties come in descending order of their bytes, whatever the order of insertion."""
    names = ["b", "a", "Ö", "c", "B"]
    client.zadd("votes", dict.fromkeys(names, 5))
    store = RedisScores(redis_server.url, "votes", domain=ListedDomain(names))
    with store.snapshot() as source:
        order = [source.name(int(item)) for item in source.top(0, 5).items]
    assert order == ["Ö", "c", "b", "a", "B"]


def test_no_command_asks_for_more_than_a_chunk(
    client: Client, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long answers are fetched in chunks, so that the server is not blocked for long."""
    monkeypatch.setattr(redis_scores, "CHUNK", 4)
    client.zadd("votes", {str(item): item for item in range(10)})
    store = RedisScores(redis_server.url, "votes", domain=RangeDomain(0, 9))
    with store.snapshot() as source:
        assert isinstance(source, View)
        source.scores(np.arange(10))
        assert (call_count(client, "zmscore"), call_count(client, "zrange")) == (3, 0)
        source.top(0, 9)
        assert call_count(client, "zrange") == 3
        source.block(0, 10)
        assert call_count(client, "zrange") == 6


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
    """The domain decides whether items are numbers or texts; in Redis both are the same."""
    client.zadd("votes", {"-7": 10**6, "3": 1})
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    assert [top_k(scores, 1, epsilon=1, engine=e).items for e in Engine] == [(selected,)] * len(
        Engine
    )


@pytest.mark.parametrize(
    "item", ["", " ", "a'b", '"', "Ö", "\r\n", "a\r\n$3\r\nb", "\0", "😀" * 99]
)
def test_items_may_be_any_texts(client: Client, redis_server: RedisServer, item: str) -> None:
    """Quotes, line breaks and the separators of the protocol have no special meaning."""
    client.zadd("votes", {item: 10**6, "other": 5})
    scores = RedisScores(redis_server.url, "votes", domain=ListedDomain(["x", item, "other"]))
    assert [top_k(scores, 1, epsilon=1, engine=e).items for e in Engine] == [(item,)] * len(Engine)


def test_a_public_domain_has_an_order_of_its_own(client: Client, redis_server: RedisServer) -> None:
    """A public domain is sorted by name, because the order of the set would reveal the scores."""
    client.zadd("votes", {"pear": 9000, "fig": 8000, "quince": 7000, "nut": 1})
    scores = RedisScores(redis_server.url, "votes", domain="public")
    assert top_k(scores, 3, epsilon=1, ranked=False).items == ("fig", "pear", "quince")


def test_a_set_that_is_missing_is_empty(client: Client, redis_server: RedisServer) -> None:
    """A missing set counts as empty: all items have score 0."""
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 3))
    assert set(top_k(scores, 3, epsilon=1).items) == {1, 2, 3}


def test_a_missing_set_declares_no_domain(client: Client, redis_server: RedisServer) -> None:
    """A missing set declares no public domain."""
    assert refusal(lambda: RedisScores(redis_server.url, "votes", domain="public")) == (
        Reason.EMPTY_DOMAIN,
        "the sorted set is empty or missing, so it declares no domain",
    )


def test_the_domain_must_be_declared() -> None:
    """Without a domain no server is contacted."""
    reason, message = refusal(lambda: RedisScores("redis://nowhere:1", "votes"))
    assert reason is Reason.UNDECLARED_DOMAIN
    assert message.startswith("the domain must be declared: a range or a list of items, or")


def test_the_key_is_a_text() -> None:
    """A key that is not a text is refused before a server is contacted."""
    domain = RangeDomain(1, 3)
    wrong: Any = b"votes"
    assert refusal(lambda: RedisScores("redis://nowhere:1", wrong, domain=domain)) == (
        Reason.WRONG_TYPE,
        "key must be a text, got bytes",
    )


def test_the_largest_score_is_exact(client: Client, redis_server: RedisServer) -> None:
    """Both doors distinguish scores just below 2^53."""
    client.zadd("votes", {"1": LARGEST - 1, "2": LARGEST})
    store = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 2))
    with store.snapshot() as source:
        assert source.top(0, 2).scores.tolist() == [LARGEST, LARGEST - 1]
        assert source.scores(np.arange(2)).tolist() == [LARGEST - 1, LARGEST]


def test_scores_are_read_however_they_are_written() -> None:
    """Newer servers write 10^9 as 1e+9."""
    rows = by_column([b"7", b"1e+9", b"8", b"-0"], int)
    assert (rows.items, rows.scores) == ([7, 8], [10**9, 0])


def test_a_query_has_the_price_of_some_entries(client: Client, redis_server: RedisServer) -> None:
    """The first page has as many entries as take the time of one more query."""
    client.zadd("votes", {str(item): 0 for item in range(100)} | {"7": 10**6})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(0, 10**6))
    audit = top_k(scores, 1, epsilon=1).audit
    assert (audit.sorted_accesses, audit.round_trips) == (TRIP_PRICE, 1)


def test_pages_follow_each_other_without_gaps(client: Client, redis_server: RedisServer) -> None:
    """The next page begins after the last rank; no rank is fetched twice."""
    client.zadd("votes", {str(item): item for item in range(40)})
    store = RedisScores(redis_server.url, "votes", domain=RangeDomain(0, 39))
    with store.snapshot() as source:
        pages = [source.top(start, stop - start) for start, stop in pairwise([0, 1, 7, 30, 40])]
    assert [score for page in pages for score in page.scores.tolist()] == list(range(39, -1, -1))
