"""A private PostgreSQL server in a temporary folder: on a Unix socket only, removed afterwards.

PostgreSQL refuses to run as root. Root therefore runs it as the user that Debian creates for it.
Nothing is flushed to disk: a crash of the machine would lose the data of the tests.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

OWNER = "postgres"
"""The superuser, who needs no password; all other users need one."""

USERS = f"local all {OWNER} trust\nlocal all all scram-sha-256\n"

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "max_connections": "20",
    "shared_buffers": "16MB",
    "autovacuum": "off",
}

PATIENCE = 30.0
"""Seconds to wait for a server that starts or stops."""


MOMENT = 3.0
"""Seconds within which a server notices that a client has disconnected."""


class PostgresqlServer:
    """A separate cluster, which can be stopped in several ways and started again."""

    def __init__(
        self, programs: Path, folder: Path, user: str | None, settings: Mapping[str, str]
    ) -> None:
        """Create the cluster; its programs run as `user` if that is given."""
        self.folder = folder
        self._programs = programs
        self._user = user
        self._settings = {**SETTINGS, **settings}
        self._process: subprocess.Popen[bytes] | None = None
        cluster = ["--pgdata", str(self._cluster), "--username", OWNER, "--auth", "trust"]
        self._run("initdb", *cluster, "--encoding", "UTF8", "--locale", "C", "--no-sync")
        (self._cluster / "pg_hba.conf").write_text(USERS)

    @property
    def _cluster(self) -> Path:
        return self.folder / "cluster"

    def start(self) -> None:
        """Start the server unless it is running, and wait until it answers."""
        if self._process is not None:
            return self.wait()
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._cluster, "-k", self.folder, *settings],
                stdout=log,
                stderr=log,
                user=self._user,
            )
        return self.wait()

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server: SIGQUIT drops all connections at once, SIGINT notifies clients first."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def wait(self) -> None:
        """Wait until the server answers."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.execute("SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def address(
        self,
        user: str = OWNER,
        password: str | None = None,
        database: str = OWNER,
        host: Path | None = None,
    ) -> str:
        """Return a URL of a database, on another socket if one is given."""
        secret = "" if password is None else f":{quote(password, safe='')}"
        return f"postgresql://{user}{secret}@/{database}?host={host or self.folder}"

    def execute(self, *statements: str) -> None:
        """Run statements as the superuser, each in its own transaction."""
        with self.connection() as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        with self.connection() as connection:
            return connection.execute(statement.encode()).fetchall()

    def connection(self) -> psycopg.Connection[tuple[Any, ...]]:
        """Return a new connection of the superuser, in which each statement is a transaction."""
        return psycopg.connect(host=str(self.folder), user=OWNER, autocommit=True)

    def clients(self) -> list[tuple[int, str]]:
        """Return process and state of every connection except the one of this query."""
        return [
            (process, state)
            for process, state in self.ask(
                "SELECT pid, state FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
        ]

    def clients_left(self, expected: int = 0) -> list[tuple[int, str]]:
        """Return the connections that stay; a server takes a moment to notice a closed one."""
        end = time.monotonic() + MOMENT
        while len(left := self.clients()) > expected and time.monotonic() < end:
            time.sleep(0.01)
        return left

    def kill_clients(self) -> None:
        """Kill the processes of all connections, and wait until the server has restarted."""
        with self.connection() as witness:
            own = witness.info.backend_pid
            for process, _ in self.clients():
                if process != own:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                        with suppress(psycopg.OperationalError):
                            witness.execute(f"SELECT pg_sleep({MOMENT})".encode())
        self.wait()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            capture_output=True,
            user=self._user,
        )


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, of the newest version, or None."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    versions = sorted((path.parent for path in debian), key=lambda path: float(path.parent.name))
    return versions[-1] if versions else None


def required_programs() -> Path:
    """Return the folder of PostgreSQL's programs, or raise FileNotFoundError."""
    found = programs()
    if found is None:
        raise FileNotFoundError("PostgreSQL is not installed")
    return found


@contextmanager
def running_postgresql(folder_of_programs: Path, **settings: str) -> Iterator[PostgresqlServer]:
    """Yield a running server, with these settings changed, and remove all its files afterwards."""
    user = OWNER if os.geteuid() == 0 else None
    # The path of a socket has at most about 100 characters; the paths of pytest are longer.
    folder = Path(tempfile.mkdtemp(prefix="privtopk-"))
    try:
        if user is not None:
            shutil.chown(folder, user)
        server = PostgresqlServer(folder_of_programs, folder, user, settings)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
