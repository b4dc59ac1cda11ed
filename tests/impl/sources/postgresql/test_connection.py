"""Facts about the connection that is kept between selections."""

import gc
import os
import pickle
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from postgresql_votes import FIVE, caller_engine, terminate_connections, votes_with_rows
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.sources.postgresql.connection import PostgresqlDatabase
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal


@pytest.fixture
def scores(postgresql: PostgresqlServer) -> PostgresqlScores:
    """Return a table in which item 1 leads."""
    return votes_with_rows(postgresql, "(1, 900), (2, 5)")


def best_item(scores: PostgresqlScores) -> tuple[object, ...]:
    """Return the best item."""
    return top_k(scores, 1, epsilon=1).items


def test_one_connection_serves_all_selections(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """Between selections one connection is kept, outside of any transaction."""
    kept = postgresql.clients_left(1)
    assert [state for _, state in kept] == ["idle"]
    assert [best_item(scores) for _ in range(3)] == [(1,)] * 3
    assert postgresql.clients_left(1) == kept


def test_a_refused_selection_keeps_the_connection(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """A connection is kept after an invalid row was refused."""
    kept = postgresql.clients_left(1)
    postgresql.execute("INSERT INTO votes VALUES (3, -1)")
    refusal(lambda: best_item(scores))
    assert postgresql.clients_left(1) == kept


def test_nothing_waits_for_a_connection_that_is_kept(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """Between selections the table is not locked, and the next one sees its new content."""
    best_item(scores)
    postgresql.execute(
        "SET lock_timeout = 500", "TRUNCATE votes", "INSERT INTO votes VALUES (2, 900)"
    )
    assert best_item(scores) == (2,)


def restart(server: PostgresqlServer) -> None:
    """Stop the server at once, and start it again."""
    server.stop(signal.SIGQUIT)
    server.start()


LOSSES: dict[str, Callable[[PostgresqlServer], None]] = {
    "the connection is ended": terminate_connections,
    "a process is killed": lambda server: server.kill_clients(),
    "the server starts anew": restart,
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_connection_that_was_lost_is_replaced(
    postgresql: PostgresqlServer, scores: PostgresqlScores, loss: str
) -> None:
    """A connection that is lost between two selections is replaced."""
    kept = postgresql.clients_left(1)
    LOSSES[loss](postgresql)
    assert best_item(scores) == (1,)
    assert [state for _, state in postgresql.clients_left(1)] == ["idle"]
    assert postgresql.clients_left(1) != kept


def test_a_server_that_comes_back(postgresql: PostgresqlServer, scores: PostgresqlScores) -> None:
    """While the server is down selections are refused; later they succeed again."""
    postgresql.stop(signal.SIGINT)
    try:
        reason, _ = refusal(lambda: best_item(scores))
    finally:
        postgresql.start()
    assert (reason, best_item(scores)) == (Reason.UNREACHABLE_SOURCE, (1,))


def test_what_was_opened_can_be_closed(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """After `close` no connection is left, and a later selection opens a new one."""
    left = []
    for _ in range(2):
        best_item(scores)
        scores.close()
        left.append(postgresql.clients_left())
    scores.close()
    assert left == [[], []]


def test_a_context_closes_at_its_end(postgresql: PostgresqlServer) -> None:
    """A `with` block closes the connection, whether a selection succeeds or not."""
    with votes_with_rows(postgresql, "(1, 900), (2, -1)") as scores:
        refusal(lambda: best_item(scores))
        assert len(postgresql.clients_left(1)) == 1
    assert postgresql.clients_left() == []


def test_a_source_that_cannot_be_opened(postgresql: PostgresqlServer) -> None:
    """A failed constructor leaves no connection open, even while its error is being handled."""
    with pytest.raises(SelectionError, match="has no table 'none'"):
        PostgresqlScores(postgresql.address(), "none", domain=FIVE)
    assert postgresql.clients_left() == []


@pytest.mark.filterwarnings("error")
def test_a_forgotten_source_closes_its_connection(postgresql: PostgresqlServer) -> None:
    """A source that is garbage-collected closes its connection."""
    scores = votes_with_rows(postgresql, "(1, 900)")
    best_item(scores)
    del scores
    gc.collect()
    assert postgresql.clients_left() == []


def test_a_lost_connection_can_be_closed(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """Closing a lost connection raises nothing."""
    terminate_connections(postgresql)
    scores.close()
    assert postgresql.clients_left() == []


def test_selections_at_the_same_time(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """Concurrent selections have one connection each, and one of them is kept."""
    with scores.snapshot() as one, scores.snapshot() as other:
        assert len(postgresql.clients_left(2)) == 2
        assert [source.scores(np.arange(2)).tolist() for source in (one, other)] == [[900, 5]] * 2
    assert len(postgresql.clients_left(1)) == 1
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(best_item, [scores] * 12))
    assert found == [(1,)] * 12
    assert len(postgresql.clients_left(1)) == 1


def in_a_child(call: Callable[[], object]) -> object:
    """Return the result of a call in a forked process, which ends without cleaning up."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, pickle.dumps(call()))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found: object = pickle.load(answer)
    os.waitpid(child, 0)
    return found


def test_a_child_process_has_a_connection_of_its_own(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """A forked process neither uses nor closes the connection of its parent."""
    kept = postgresql.clients_left(1)

    def child() -> tuple[object, bool]:
        found = best_item(scores)
        is_another = len(postgresql.clients_left(2)) == 2
        scores.close()
        return found, is_another

    assert in_a_child(child) == ((1,), True)
    assert postgresql.clients_left(1) == kept
    assert best_item(scores) == (1,)


def test_a_child_process_that_closes_at_once(
    postgresql: PostgresqlServer, scores: PostgresqlScores
) -> None:
    """Closing in a forked process leaves the connection of the parent open."""
    kept = postgresql.clients_left(1)
    assert in_a_child(scores.close) is None
    assert postgresql.clients_left(1) == kept
    assert best_item(scores) == (1,)


def test_the_engine_of_a_caller_is_not_closed(postgresql: PostgresqlServer) -> None:
    """The connections of a caller's engine are not closed."""
    votes_with_rows(postgresql, "(1, 900)").close()
    with caller_engine(postgresql) as engine:
        with PostgresqlScores(engine, "votes", domain=FIVE) as scores:
            best_item(scores)
        PostgresqlDatabase(engine).close()
        assert [state for _, state in postgresql.clients_left(1)] == ["idle"]


@pytest.mark.parametrize("is_pooled", [False, True])
def test_a_column_of_another_type_between_selections(
    postgresql: PostgresqlServer, is_pooled: bool
) -> None:
    """A kept connection reads the present table, however often it was used."""
    kept = votes_with_rows(postgresql, "(1, 900), (2, 5)")
    with caller_engine(postgresql) as engine:
        scores = PostgresqlScores(engine, "votes", domain=FIVE) if is_pooled else kept
        for _ in range(7):
            with scores.snapshot() as source:
                before = source.scores(np.arange(2)).tolist()
        postgresql.execute("ALTER TABLE votes ALTER score TYPE numeric, ALTER item TYPE integer")
        with scores.snapshot() as source:
            assert source.scores(np.arange(2)).tolist() == before == [900, 5]
            assert source.top(0, 2).scores.tolist() == before
