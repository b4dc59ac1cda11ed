"""Faults injected at every command of a selection from Redis: no wrong result is returned.

The old and the new set have different leaders, so far ahead that noise does not matter. A fault
comes just before a command is sent, or after it was sent and before its answer is read. Few
outcomes are right, usually one.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.sources.redis.scores import RedisScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from redis_votes import MAY_BE_MISSING

pytestmark = pytest.mark.slow

ENGINES = {Engine.ONE_SHOT: 3, Engine.BATCHED: 3, Engine.RANK_FREE: 2}
"""The number of items per engine; with more items than leaders the batched engine reads more."""

SOME = dict.fromkeys(map(str, range(1, 301)), 1)
OLD, OLD_LEADERS = SOME | {"7": 10**7, "9": 10**6}, (7, 9)
NEW, NEW_LEADERS = SOME | {"8": 10**7, "3": 10**6}, (8, 3)

CHANGED, UNREACHABLE = Reason.CHANGED_SOURCE, Reason.UNREACHABLE_SOURCE

Fault = Callable[[RedisServer], object]
FaultRecorder = Callable[[str, int], None]


class Moment(StrEnum):
    """The moment of a fault."""

    UNSENT = "before the command is sent"
    UNANSWERED = "before the answer is read"


class PlannedFault:
    """A fault and the command at which it happens."""

    def __init__(self, fault: Callable[[], object], number: int, moment: Moment) -> None:
        self._fault = fault
        self._when = number, moment
        self.is_armed = False
        self.commands = 0

    def call_if_due(self, moment: Moment) -> None:
        """Call the fault if this is its moment."""
        if self.is_armed:
            self.commands += moment is Moment.UNSENT
            if (self.commands, moment) == self._when:
                self._fault()


def disturbed_connection(planned: PlannedFault) -> type[redis.UnixDomainSocketConnection]:
    """Return a class of connections with a fault."""

    class Disturbed(redis.UnixDomainSocketConnection):
        """A connection that announces each command."""

        def send_packed_command(self, command: Any, check_health: bool = True) -> None:
            """Send a command."""
            send: Any = super().send_packed_command
            planned.call_if_due(Moment.UNSENT)
            send(command, check_health)
            planned.call_if_due(Moment.UNANSWERED)

    return Disturbed


@pytest.fixture(scope="module")
def own_server(redis_server: RedisServer) -> Iterator[RedisServer]:
    """Yield a server that tests may kill."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def server(own_server: RedisServer) -> RedisServer:
    """Return the server with the old set."""
    fill(own_server, OLD)
    return own_server


def fill(server: RedisServer, scores: dict[str, int]) -> None:
    """Write the set, and the new one under another key."""
    with server.client() as client:
        client.flushall()
        client.zadd("votes", scores)
        client.zadd("reserve", NEW)


def select_two(
    server: RedisServer, engine: Engine, planned: PlannedFault, timeout: float
) -> object:
    """Return the two best items of a disturbed selection, or the reason of its error.

    The caller's client would reconnect and retry ten times.
    """
    make_pool: Any = redis.ConnectionPool
    pool = make_pool(
        connection_class=disturbed_connection(planned),
        path=str(server.socket),
        retry=Retry(NoBackoff(), 10),
        health_check_interval=1,
    )
    with redis.Redis(connection_pool=pool) as client:
        scores = RedisScores(client, "votes", domain=RangeDomain(1, 2000), timeout=timeout)
        planned.is_armed = True
        try:
            return top_k(scores, ENGINES[engine], epsilon=1, engine=engine, rng=1).items[:2]
        except SelectionError as error:
            return error.reason


def command_count(server: RedisServer, engine: Engine) -> int:
    """Return the number of commands of an undisturbed selection."""
    planned = PlannedFault(lambda: None, 0, Moment.UNSENT)
    assert select_two(server, engine, planned, 10) == OLD_LEADERS
    return planned.commands


def outcomes(
    server: RedisServer,
    engine: Engine,
    moment: Moment,
    fault: Fault,
    repair: Fault,
    timeout: float = 10,
) -> list[object]:
    """Return the outcomes of a fault at each command of a selection."""
    found = []
    for number in range(1, command_count(server, engine) + 1):
        planned = PlannedFault(lambda: fault(server), number, moment)
        found.append(select_two(server, engine, planned, timeout))
        assert planned.commands >= number
        repair(server)
        fill(server, OLD)
    return found


def by_client(change: Callable[[Client], object]) -> Fault:
    """Return a fault: another client runs a command."""

    def fault(server: RedisServer) -> None:
        with server.client() as client:
            change(client)

    return fault


def rewrite(client: Client) -> None:
    """Delete the old set and write the new one."""
    client.delete("votes")
    client.zadd("votes", NEW)


SCRIPT = "return redis.call('RENAME', KEYS[1], KEYS[2])"

CHANGES: dict[str, tuple[Fault, object]] = {
    "overwritten": (by_client(lambda client: client.zadd("votes", NEW)), NEW_LEADERS),
    "rewritten": (by_client(rewrite), NEW_LEADERS),
    "replaced": (by_client(lambda client: client.rename("reserve", "votes")), NEW_LEADERS),
    "stored": (by_client(lambda client: client.zunionstore("votes", ["reserve"])), NEW_LEADERS),
    "scripted": (by_client(lambda client: client.eval(SCRIPT, 2, "reserve", "votes")), NEW_LEADERS),
    "deleted": (by_client(lambda client: client.delete("votes")), None),
    "renamed": (by_client(lambda client: client.rename("votes", "past")), None),
    "expired": (by_client(lambda client: client.pexpire("votes", -1)), None),
    "flushed": (by_client(lambda client: client.flushall()), None),
    "retyped": (by_client(lambda client: client.set("votes", "many")), Reason.WRONG_TYPE),
}
"""Changes, and the outcome of a change before WATCH; without a set all items have score 0."""


def kill_connections(server: RedisServer) -> None:
    """Close the connections of all clients."""
    with server.client() as client:
        client.client_kill_filter(_type="normal", skipme=True)


def restart(server: RedisServer) -> None:
    """Restart the server at the same address, with the new set."""
    server.kill()
    server.start()
    fill(server, NEW)


def nothing(server: RedisServer) -> None:
    """Do nothing."""


OUTAGES: dict[str, tuple[Fault, Fault, float]] = {
    "cut off": (kill_connections, nothing, 10),
    "stopped": (RedisServer.kill, RedisServer.start, 10),
    "restarted": (restart, nothing, 10),
    "hanging": (RedisServer.freeze, RedisServer.thaw, 0.1),
}
"""Outages, how to end them, and the timeout of the selection."""

EVERY_ENGINE = pytest.mark.parametrize(
    "engine",
    [
        *(Engine.ONE_SHOT, Engine.BATCHED),
        pytest.param(Engine.RANK_FREE, marks=pytest.mark.heavy),
    ],
)
EVERY_CHANGE = pytest.mark.parametrize(("change", "early"), CHANGES.values(), ids=CHANGES)
EVERY_OUTAGE = pytest.mark.parametrize(
    ("outage", "repair", "timeout"), OUTAGES.values(), ids=OUTAGES
)


@MAY_BE_MISSING
@EVERY_ENGINE
@EVERY_CHANGE
def test_a_change_before_a_command(
    server: RedisServer, record_faults: FaultRecorder, engine: Engine, change: Fault, early: object
) -> None:
    """A change before the first command counts; a later one makes the selection fail."""
    first, *others = outcomes(server, engine, Moment.UNSENT, change, nothing)
    record_faults("Redis", len(others) + 1)
    assert first == early or (early is None and isinstance(first, tuple))
    assert set(others) == {CHANGED}


@EVERY_ENGINE
@EVERY_CHANGE
def test_a_change_before_an_answer(
    server: RedisServer, record_faults: FaultRecorder, engine: Engine, change: Fault, early: object
) -> None:
    """A change is noticed unless it comes after the last answer."""
    *others, last = outcomes(server, engine, Moment.UNANSWERED, change, nothing)
    record_faults("Redis", len(others) + 1)
    first, *middle = others
    assert first in (CHANGED, early) or (early is None and isinstance(first, tuple))
    assert set(middle) == {CHANGED}
    assert last in (CHANGED, OLD_LEADERS)


@EVERY_ENGINE
@EVERY_OUTAGE
def test_an_outage_before_a_command(
    server: RedisServer,
    record_faults: FaultRecorder,
    engine: Engine,
    outage: Fault,
    repair: Fault,
    timeout: float,
) -> None:
    """A lost connection is never renewed, not even if the server runs again."""
    found = outcomes(server, engine, Moment.UNSENT, outage, repair, timeout)
    record_faults("Redis", len(found))
    assert set(found) == {UNREACHABLE}


@EVERY_ENGINE
@EVERY_OUTAGE
def test_an_outage_before_an_answer(
    server: RedisServer,
    record_faults: FaultRecorder,
    engine: Engine,
    outage: Fault,
    repair: Fault,
    timeout: float,
) -> None:
    """A connection that is lost after the last answer does no harm."""
    *others, last = outcomes(server, engine, Moment.UNANSWERED, outage, repair, timeout)
    record_faults("Redis", len(others) + 1)
    assert set(others) == {UNREACHABLE}
    assert last in (UNREACHABLE, OLD_LEADERS)


def test_how_many_faults_there_are(server: RedisServer) -> None:
    """A selection sends at least three commands, so at least 400 faults are injected."""
    counts = {engine: command_count(server, engine) for engine in ENGINES}
    assert min(counts.values()) >= 3
    assert sum(counts.values()) * len(Moment) * len(CHANGES | OUTAGES) >= 400
