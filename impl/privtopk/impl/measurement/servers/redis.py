"""A Redis server of one's own: in a temporary folder, on a unix socket, nothing kept on disk."""

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
"""A redis.Redis, many of whose methods have no types or wrong ones."""

PATIENCE = 20.0
"""Seconds until a server that does not answer has failed to start."""


OPTIONS = ["--port", "0", "--unixsocket", "socket", "--save", "", "--appendonly", "no"]


class RedisServer:
    """A server that runs for as long as the context lasts, and can be killed and started again."""

    def __init__(self, *options: str) -> None:
        """Take options of the command line, as `--requirepass secret`."""
        self._options = options
        self._folder = TemporaryDirectory(prefix="redis-")
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(self._folder.name)
        self.socket = self.folder / "socket"

    def __enter__(self) -> "RedisServer":
        """Start the server, or leave nothing of it."""
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
        """Stop the server and remove what it left."""
        self.kill()
        self._folder.cleanup()

    @property
    def url(self) -> str:
        """The address of the server, without a password."""
        return f"unix://{self.socket}"

    @property
    def place(self) -> str:
        """The server as messages name it."""
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
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"redis-server did not start: {self._log()}")
            time.sleep(0.005)

    def kill(self) -> None:
        """End the server at once, as a crash does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self.socket.unlink(missing_ok=True)

    def freeze(self) -> None:
        """Let the server hang: it accepts connections and questions, and does not answer."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the server go on."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        """Return whether the server answers, be it that it wants a password or is loading."""
        with self.client(retry=None, protocol=2) as client, suppress(redis.ConnectionError):
            try:
                return bool(client.ping())
            except (redis.AuthenticationError, redis.exceptions.BusyLoadingError):
                return True
        return False

    def _log(self) -> str:
        """Return the last line of what the server wrote."""
        return (self.folder / "log").read_text().strip().splitlines()[-1]
