"""Facts about invalid members and scores of a set: all are refused."""

import numpy as np
import pytest
import redis

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.sources.redis.scores import (
    RedisScores,
)
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from redis_votes import MAY_BE_MISSING, call_count
from support import refusal


def wrong_type(server: RedisServer) -> tuple[Reason, str]:
    """Return the expected error of a key of another type."""
    return (
        Reason.WRONG_TYPE,
        f"{server.place} key 'votes' must be a sorted set, got a key of another type",
    )


def test_a_key_of_another_type(client: Client, redis_server: RedisServer) -> None:
    """A key of another type is refused, at the beginning and if it changes later."""
    domain = RangeDomain(1, 3)
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    client.set("votes", "many")
    assert refusal(lambda: RedisScores(redis_server.url, "votes", domain=domain)) == wrong_type(
        redis_server
    )
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == wrong_type(redis_server)


EXCESSIVE = (
    Reason.SCORE_OUT_OF_RANGE,
    f"every score in Redis must be below 2^53 = {2**53}: doubles cannot distinguish larger "
    "whole numbers",
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
    """An invalid score, high or low, is refused before an engine reads an entry."""
    client.execute_command("ZADD", "votes", score, "2", 5, "1")
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 3))
    assert refusal(lambda: top_k(scores, 1, epsilon=1, engine=engine)) == refused
    assert (call_count(client, "zrange"), call_count(client, "zmscore")) == (0, 0)


def test_redis_cannot_hold_a_score_that_is_not_a_number(client: Client) -> None:
    """NaN need not be checked, because the server refuses it."""
    with pytest.raises(redis.ResponseError, match="not a valid float"):
        client.execute_command("ZADD", "votes", "nan", "1")


def test_scores_beyond_doubles_collapse(client: Client) -> None:
    """This is why 2^53 is refused: the server returns it for 2^53 + 1."""
    client.execute_command("ZADD", "votes", 2**53 + 1, "1")
    assert client.zscore("votes", "1") == 2**53


@pytest.mark.parametrize("engine", list(Engine))
def test_a_fraction_is_refused_where_it_is_read(
    client: Client, redis_server: RedisServer, engine: Engine
) -> None:
    """Every engine refuses a leader with a fractional score."""
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
    """A number has one spelling as a member; another spelling is another member."""
    client.zadd("votes", {member: 10**6})
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    assert refusal(lambda: top_k(scores, 1, epsilon=1, engine=engine)) == refused


def test_too_many_members_are_found_before_anything_is_read(
    client: Client, redis_server: RedisServer
) -> None:
    """A set with more members than the domain has items is refused."""
    client.zadd("votes", {"1": 900, "2": 5, "3": 1})
    scores = RedisScores(redis_server.url, "votes", domain=RangeDomain(1, 2))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.UNKNOWN_ITEM,
        "the sorted set has a member outside the declared domain 1..2",
    )
    assert call_count(client, "zrange") == 0


@MAY_BE_MISSING
def test_an_item_that_no_member_can_be(client: Client, redis_server: RedisServer) -> None:
    """Half of a surrogate pair cannot be sent."""
    scores = RedisScores(redis_server.url, "votes", domain=ListedDomain(["\ud83d", "a"]))
    with scores.snapshot() as source:
        assert refusal(lambda: source.scores(np.arange(2))) == NO_TEXT


def test_members_of_a_public_domain_are_texts(client: Client, redis_server: RedisServer) -> None:
    """A member that is not a text cannot be an item."""
    client.zadd("votes", {b"\xff": 1})
    assert refusal(lambda: RedisScores(redis_server.url, "votes", domain="public")) == NO_TEXT
