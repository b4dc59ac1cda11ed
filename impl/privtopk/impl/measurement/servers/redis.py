"""A private Redis server in a temporary folder: on a Unix socket, without files of data."""

import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, TypeAlias

import redis

Client: TypeAlias = Any
"""A redis.Redis; many of its methods have missing or wrong types."""

PATIENCE = 20.0
"""Seconds after which a server that does not answer counts as failed."""


OPTIONS = ["--port", "0", "--unixsocket", "socket", "--save", "", "--appendonly", "no"]


class RedisServer:
    """A server that runs during its context, and can be killed and started again."""

    def __init__(self, *options: str) -> None:
        """Take options of the command line, such as `--requirepass secret`."""
        self._options = options
        self._folder = TemporaryDirectory(prefix="redis-")
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(self._folder.name)
        self.socket = self.folder / "socket"

    def __enter__(self) -> "RedisServer":
        """Start the server; if that fails, remove its files."""
        try:
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the server and remove its files."""
        self.kill()
        self._folder.cleanup()

    @property
    def url(self) -> str:
        """The address of the server, without a password."""
        return f"unix://{self.socket}"

    @property
    def place(self) -> str:
        """The server as error messages name it."""
        return f"unix://{self.socket}?db=0"

    def client(self, **settings: Any) -> Client:
        """Return a new client."""
        return redis.Redis(unix_socket_path=str(self.socket), **settings)

    def start(self) -> None:
        """Start the server, empty, and wait until it accepts connections."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["redis-server", *OPTIONS, *self._options],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._is_answering():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"redis-server did not start: {self._log()}")
            time.sleep(0.005)

    def kill(self) -> None:
        """Kill the server, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self.socket.unlink(missing_ok=True)

    def freeze(self) -> None:
        """Suspend the server: it accepts connections and commands, and does not answer."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the server."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def _is_answering(self) -> bool:
        """Return whether the server answers, even if it asks for a password or is still loading."""
        with self.client(retry=None, protocol=2) as client, suppress(redis.ConnectionError):
            try:
                return bool(client.ping())
            except (redis.AuthenticationError, redis.exceptions.BusyLoadingError):
                return True
        return False

    def _log(self) -> str:
        """Return the last line of the server's log."""
        return (self.folder / "log").read_text().strip().splitlines()[-1]
