"""Conducts the soak: starts servers and processes, kills and restarts them, and counts."""

import multiprocessing
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg

from privtopk.impl.measurement.progress import ShowProgress
from privtopk.impl.measurement.servers.postgresql import (
    PostgresqlServer,
    required_programs,
    running_postgresql,
)
from privtopk.impl.measurement.servers.redis import RedisServer
from privtopk.impl.measurement.soak.states import Clock, Tally
from privtopk.impl.measurement.soak.stores import (
    PostgresqlStore,
    RedisStore,
    SoakStore,
    SqliteStore,
)
from privtopk.impl.measurement.soak.workers import Signals, read_states, write_states

PROCESSES: Final = 4
THREADS: Final = 4
"""Threads per process: 16 in all."""

CALM: Final = 1.0
"""Seconds between two kills, at least; up to three times as long."""

PATIENCE: Final = 60.0
"""Seconds within which every selection must have ended."""


@dataclass
class SoakResult:
    """What a soak has counted."""

    tally: Tally
    descriptors: int
    """Files that readers left open."""

    connections: int
    """Connections that servers still had after all sources were closed."""

    @property
    def wrong(self) -> int:
        """The number of selections that no snapshot allows."""
        return sum(n for (_, outcome), n in self.tally.items() if outcome.startswith("wrong"))

    @property
    def is_clean(self) -> bool:
        """Whether nothing was wrong and nothing was left."""
        return (self.wrong, self.descriptors, self.connections) == (0, 0, 0)


@dataclass
class Scene:
    """The servers, the databases and their writers."""

    postgresql: PostgresqlServer
    redis: RedisServer
    stores: list[SoakStore]
    context: SpawnContext
    signals: Signals
    clocks: list[Clock] = field(init=False)
    writers: list[SpawnProcess] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Write state 0 everywhere."""
        for store in self.stores:
            store.create()
        self.clocks = [Clock(self.context) for _ in self.stores]

    def start_writers(self) -> None:
        """Start one writer per database."""
        self.writers = [self._writer(which) for which in range(len(self.stores))]

    def _writer(self, which: int) -> SpawnProcess:
        arguments = (self.stores[which], self.clocks[which], self.signals)
        return self._start(write_states, arguments)

    def _start(self, target: Any, arguments: tuple[Any, ...]) -> SpawnProcess:
        process = self.context.Process(target=target, args=arguments, daemon=True)
        process.start()
        return process

    def readers(self, reports: Any) -> list[SpawnProcess]:
        """Start the readers."""
        arguments = (self.stores, self.clocks, self.signals, reports, THREADS)
        return [self._start(read_states, arguments) for _ in range(PROCESSES)]

    def kill_backends(self) -> tuple[str, str]:
        """Kill every connection of PostgreSQL, after which its server recovers by itself."""
        with suppress(psycopg.Error):
            self.postgresql.kill_clients()
        self.postgresql.wait()
        return "PostgreSQL", "kills"

    def restart_postgresql(self) -> tuple[str, str]:
        """Stop PostgreSQL at once, and start it again."""
        self.postgresql.stop(random.choice((signal.SIGQUIT, signal.SIGINT)))
        self.postgresql.start()
        return "PostgreSQL", "restarts"

    def restart_redis(self) -> tuple[str, str]:
        """Kill Redis, and start it again; it reads its log of commands."""
        self.redis.kill()
        self.redis.start()
        return "Redis", "restarts"

    def kill_writer(self) -> tuple[str, str]:
        """Kill the writer of SQLite, often in the middle of a transaction, and start another."""
        which = next(n for n, store in enumerate(self.stores) if store.name == "SQLite")
        self.writers[which].kill()
        self.writers[which].join()
        self.writers[which] = self._writer(which)
        return "SQLite", "kills"

    def connections_left(self) -> int:
        """Return the connections of readers and writers that have ended."""
        with self.redis.client() as client:
            others = [one for one in client.client_list() if one["cmd"] != "client|list"]
        return len(self.postgresql.clients_left()) + len(others)


@contextmanager
def scene() -> Iterator[Scene]:
    """Yield running servers with databases in state 0, and remove everything afterwards."""
    context = multiprocessing.get_context("spawn")
    persistent = ("--appendonly", "yes", "--appendfsync", "always")
    with (
        running_postgresql(required_programs(), max_connections="100") as postgresql,
        RedisServer(*persistent) as redis,
        TemporaryDirectory() as folder,
    ):
        stores: list[SoakStore] = [
            PostgresqlStore(postgresql.address()),
            SqliteStore(Path(folder) / "votes.db"),
            RedisStore(redis.url),
        ]
        signals = Signals(context.Barrier(PROCESSES + 1), context.Event(), context.Event())
        yield Scene(postgresql, redis, stores, context, signals)


def soak(seconds: float, show: ShowProgress) -> SoakResult:
    """Select, write, kill and restart for some seconds, and return the counts."""
    with scene() as stage:
        reports = stage.context.Queue()
        readers = stage.readers(reports)
        stage.signals.ready.wait(PATIENCE)
        stage.start_writers()
        tally = disturb(stage, seconds, show)
        stage.signals.stop.set()
        found = [reports.get(timeout=PATIENCE) for _ in readers]
        for writer in stage.writers:
            writer.join(PATIENCE)
        connections = stage.connections_left()
        stage.signals.leave.set()
        for reader in readers:
            reader.join(PATIENCE)
    for counts, _ in found:
        tally += counts
    return SoakResult(tally, sum(left for _, left in found), connections)


def disturb(stage: Scene, seconds: float, show: ShowProgress) -> Tally:
    """Kill or restart something every few seconds; return what was done how often."""
    faults = (
        stage.kill_backends,
        stage.restart_postgresql,
        stage.restart_redis,
        stage.kill_writer,
    )
    done: Tally = Counter()
    start = time.monotonic()
    while (passed := time.monotonic() - start) < seconds:
        show(round(passed), round(seconds), f"{done.total()} kills and restarts")
        time.sleep(random.uniform(CALM, 3 * CALM))
        done[random.choice(faults)()] += 1
    return done
