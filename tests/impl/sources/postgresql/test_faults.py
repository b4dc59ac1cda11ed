"""Whatever happens to a PostgreSQL during a selection, no wrong result is returned."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from typing import TypeAlias

import numpy as np
import pytest

from postgresql_proxy import Fault, FaultProxy, cut_answer, cut_connection, open_proxy
from postgresql_votes import terminate_connections
from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal

FaultRecorder: TypeAlias = Callable[[str, int], None]

Outcome: TypeAlias = tuple[object, ...] | Reason
"""The items of a selection, or the reason of its error."""

LEADERS = (3, 1, 4)
FOLLOWERS = (7, 8, 9)

TABLE = (
    "DROP TABLE IF EXISTS votes, moved",
    "CREATE TABLE votes (item bigint PRIMARY KEY, score bigint NOT NULL)",
    "CREATE INDEX ON votes (score, item)",
    "INSERT INTO votes SELECT i, i % 5 FROM generate_series(10, 999) i",
    "INSERT INTO votes VALUES (3, 8000000), (1, 7000000), (4, 6000000)",
    "INSERT INTO votes VALUES (7, 3000000), (8, 2000000), (9, 1000000)",
)
"""Three leaders and three followers, far ahead of others: noise does not change their order."""

CHANGES: dict[str, tuple[str, Outcome]] = {
    "scores change": (
        "UPDATE votes SET score = 100 * score WHERE item IN (7, 8, 9)",
        FOLLOWERS,
    ),
    "rows vanish": ("DELETE FROM votes WHERE item IN (3, 1, 4)", FOLLOWERS),
    "rows appear": (
        "INSERT INTO votes VALUES (1500, 19000000), (1501, 18000000), (1502, 17000000)",
        (1500, 1501, 1502),
    ),
    "the table is filled anew": (
        "TRUNCATE votes; INSERT INTO votes VALUES (7, 3000000), (8, 2000000), (9, 1000000)",
        FOLLOWERS,
    ),
    "the table is rewritten": (
        "ALTER TABLE votes ALTER score TYPE numeric "
        "USING CASE WHEN item IN (7, 8, 9) THEN 100 * score ELSE score END",
        FOLLOWERS,
    ),
    "the table is replaced": (
        "ALTER TABLE votes RENAME TO moved; "
        "CREATE TABLE votes AS SELECT * FROM moved WHERE item NOT IN (3, 1, 4)",
        FOLLOWERS,
    ),
    "the table is renamed": ("ALTER TABLE votes RENAME TO moved", Reason.UNKNOWN_COLUMN),
    "the table vanishes": ("DROP TABLE votes", Reason.UNKNOWN_COLUMN),
    "a column is renamed": ("ALTER TABLE votes RENAME score TO n", Reason.UNKNOWN_COLUMN),
    "items become texts": ("ALTER TABLE votes ALTER item TYPE text", Reason.CHANGED_SOURCE),
    "a key vanishes": (
        "ALTER TABLE votes DROP CONSTRAINT votes_pkey; INSERT INTO votes VALUES (3, 5)",
        Reason.DUPLICATE_ITEM,
    ),
    "a wrong row appears": ("INSERT INTO votes VALUES (1500, -1)", Reason.NEGATIVE_SCORE),
    "a stranger appears": ("INSERT INTO votes VALUES (2001, 5)", Reason.UNKNOWN_ITEM),
}
"""Changes that another client makes, and the outcome of a selection after them."""


@contextmanager
def leading_votes(server: PostgresqlServer) -> Iterator[tuple[FaultProxy, PostgresqlScores]]:
    """Yield a proxy and the table behind it."""
    server.execute(*TABLE)
    with open_proxy(server.folder) as proxy:
        address = server.address(host=proxy.folder)
        with PostgresqlScores(address, "votes", domain=RangeDomain(1, 2000)) as scores:
            scores.close()
            proxy.settle()
            yield proxy, scores


def outcome(store: Store, engine: Engine) -> Outcome:
    """Return the three best items, or the reason of the error.

    A fourth item is selected among hundreds of ties, so that the engine uses both doors.
    """
    try:
        return top_k(store, 4, epsilon=4, engine=engine).items[:3]
    except SelectionError as error:
        return error.reason


def outcomes(
    proxy: FaultProxy,
    store: PostgresqlScores,
    engine: Engine,
    fault: Callable[[], AbstractContextManager[Fault]],
    is_kept: bool,
) -> list[Outcome]:
    """Return the outcomes of selections with a fault at their first message, their second, ...

    Each has a new connection, or one that an earlier selection has kept. The last selection ends
    before its fault comes.
    """
    found = []
    for number in count():
        with fault() as disturb:
            if is_kept:
                assert outcome(store, engine) == LEADERS
            proxy.disturb(number, disturb)
            found.append(outcome(store, engine))
            store.close()
            proxy.settle()
        if not proxy.is_disturbed:
            return found
    raise AssertionError


@contextmanager
def another_writer(server: PostgresqlServer, statement: str) -> Iterator[Fault]:
    """Create the table again, and yield the fault: another client runs a statement.

    The fault returns when the statement is done, or waits for the end of the selection.
    """
    server.execute(*TABLE)
    with server.connection() as connection, server.connection() as witness:
        waiting = (
            f"SELECT 1 FROM pg_locks WHERE NOT granted AND pid = {connection.info.backend_pid}"
        )
        writing = threading.Thread(target=connection.execute, args=(statement.encode(),))

        def write(*ends: object) -> None:
            writing.start()
            while writing.is_alive() and not witness.execute(waiting.encode()).fetchall():
                time.sleep(0.001)

        yield write
        if writing.ident is not None:
            writing.join()


KEPT = pytest.param(Engine.BATCHED, True, id="kept")
NEW = pytest.param(Engine.BATCHED, False, id="new")
MORE = [
    pytest.param(Engine.RANK_FREE, True, id="rank-free-kept", marks=pytest.mark.heavy),
    pytest.param(Engine.RANK_FREE, False, id="rank-free-new", marks=pytest.mark.heavy),
]
"""Engines, and whether a connection was kept before."""


@pytest.mark.parametrize(("engine", "is_kept"), [KEPT, *MORE])
@pytest.mark.parametrize("change", CHANGES)
def test_a_selection_sees_one_state(
    postgresql: PostgresqlServer,
    record_faults: FaultRecorder,
    change: str,
    engine: Engine,
    is_kept: bool,
) -> None:
    """A change counts up to one moment of the selection, and not from then on.

    At least nine changes are made; at least three come before that moment and three after it.
    """
    statement, afterwards = CHANGES[change]
    with leading_votes(postgresql) as (proxy, scores):
        *found, undisturbed = outcomes(
            proxy, scores, engine, lambda: another_writer(postgresql, statement), is_kept
        )
    seen = found.count(afterwards)
    unseen = len(found) - seen
    assert [*found, undisturbed] == [afterwards] * seen + [LEADERS] * (unseen + 1)
    record_faults("PostgreSQL", len(found))
    assert min(seen, unseen, len(found) // 3) >= 3


def restart(server: PostgresqlServer) -> None:
    """Stop the server at once, and start it again."""
    server.stop(signal.SIGQUIT)
    server.start()


FAULTS: dict[str, Callable[[PostgresqlServer], Fault]] = {
    "the connection is lost": lambda server: cut_connection,
    "the answer is lost": lambda server: cut_answer,
    "the connection is ended": lambda server: lambda *ends: terminate_connections(server),
    "a process is killed": lambda server: lambda *ends: server.kill_clients(),
    "the server is stopped": lambda server: lambda *ends: server.stop(signal.SIGINT),
    "the server starts anew": lambda server: lambda *ends: restart(server),
}


@contextmanager
def up_again(server: PostgresqlServer, fault: Fault) -> Iterator[Fault]:
    """Yield a fault, and wait afterwards until the server runs again."""
    yield fault
    server.start()


LONG = ("a process is killed", "the server starts anew")
"""To a selection these are connections that a server has ended: they take longest, and come in the
long runs only. What they do between two selections is tested always."""


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "is_kept"), [KEPT, NEW, *MORE])
@pytest.mark.parametrize(
    "fault",
    [pytest.param(name, marks=pytest.mark.heavy if name in LONG else ()) for name in FAULTS],
)
def test_a_selection_is_right_or_refused(
    postgresql: PostgresqlServer,
    record_faults: FaultRecorder,
    fault: str,
    engine: Engine,
    is_kept: bool,
) -> None:
    """A selection that loses its connection fails, unless it has already read everything.

    At least nine faults are injected. The first message tests a kept connection, which is replaced
    if the server runs. On a new connection, the server may not yet know the connection at the first
    message, and then cannot end it.
    """
    with leading_votes(postgresql) as (proxy, scores):
        disturb = FAULTS[fault](postgresql)
        first, *found = outcomes(
            proxy, scores, engine, lambda: up_again(postgresql, disturb), is_kept
        )
    refused = found.count(Reason.UNREACHABLE_SOURCE)
    replaced = LEADERS if fault != "the server is stopped" else Reason.UNREACHABLE_SOURCE
    assert first in ((replaced,) if is_kept else (LEADERS, Reason.UNREACHABLE_SOURCE))
    assert found == [Reason.UNREACHABLE_SOURCE] * refused + [LEADERS] * (len(found) - refused)
    record_faults("PostgreSQL", len(found))
    assert min(refused, len(found) - 3) >= 6


DOORS: dict[str, Callable[[Source], object]] = {
    "sorted access": lambda source: source.top(0, 5),
    "random access": lambda source: source.scores(np.arange(5)),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_connection_lost_at_either_door_is_reported_as_such(
    postgresql: PostgresqlServer, door: Callable[[Source], object]
) -> None:
    """The error names the server and says that the connection was lost."""
    postgresql.execute(*TABLE)
    store = PostgresqlScores(postgresql.address(), "votes", domain=RangeDomain(1, 2000))
    with ExitStack() as opened:
        source = opened.enter_context(store.snapshot())
        terminate_connections(postgresql)
        reason, message = refusal(lambda: door(source))
        refusal(opened.close)
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith("postgresql:///postgres cannot be read: ")
