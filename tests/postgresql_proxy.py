"""A proxy to a PostgreSQL that calls a fault just before a message of the client.

It is a socket that forwards what both sides send. So it sees everything that a driver does:
connecting, opening a transaction, statements, fetching from cursors, and closing.
"""

import select
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

SOCKET = ".s.PGSQL.5432"

LARGEST = 1 << 16

Fault: TypeAlias = Callable[[socket.socket, socket.socket], object]
"""A fault, given the proxy's sockets to the client and to the server."""


class FaultProxy:
    """Forwards messages, and calls a fault once."""

    def __init__(self, server: Path, folder: Path) -> None:
        """Listen in `folder` for clients of the server whose socket is in the folder `server`."""
        self.folder = folder
        self.is_disturbed = False
        self._server = server
        self._is_idle = threading.Event()
        self._fault: tuple[int, Fault] | None = None
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / SOCKET))
        self._listening.listen()

    def disturb(self, number: int, fault: Fault) -> None:
        """Call a fault before the client's message of this number, counted from now."""
        self._fault, self.is_disturbed = (number, fault), False

    def serve(self) -> None:
        """Serve clients, one after the other, until the proxy is closed."""
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self._is_idle.clear()
                try:
                    with closing(client), closing(socket.socket(socket.AF_UNIX)) as server:
                        self._serve(client, server)
                finally:
                    self._is_idle.set()

    def settle(self) -> None:
        """Wait until the server has noticed that the client is gone."""
        self._is_idle.wait()

    def close(self) -> None:
        """Stop listening."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        """Forward messages in both directions until one side closes.

        The server is contacted only for a message: one that shuts down would wait for a client.
        """
        with suppress(OSError):
            message = client.recv(LARGEST)
            self._count(client, server)
            server.connect(str(self._server / SOCKET))
            server.sendall(message)
            other = {client: server, server: client}
            while True:
                for side in select.select([client, server], [], [])[0]:
                    message = side.recv(LARGEST)
                    if not message:
                        return
                    if side is client:
                        self._count(client, server)
                    other[side].sendall(message)

    def _count(self, client: socket.socket, server: socket.socket) -> None:
        """Count a message, and call the fault if it is due."""
        if self._fault is None:
            return
        number, fault = self._fault
        self._fault = (number - 1, fault) if number else None
        if number == 0:
            self.is_disturbed = True
            fault(client, server)


def cut_connection(client: socket.socket, server: socket.socket) -> None:
    """Lose the connection before the message arrives."""
    client.shutdown(socket.SHUT_RDWR)
    server.shutdown(socket.SHUT_RDWR)


def cut_answer(client: socket.socket, server: socket.socket) -> None:
    """Lose the connection after the message arrives and before it is answered."""
    client.shutdown(socket.SHUT_RDWR)


@contextmanager
def open_proxy(server: Path) -> Iterator[FaultProxy]:
    """Yield a proxy to the server whose socket is in a folder."""
    with tempfile.TemporaryDirectory(prefix="privtopk-") as folder:
        proxy = FaultProxy(server, Path(folder))
        serving = threading.Thread(target=proxy.serve)
        serving.start()
        try:
            yield proxy
        finally:
            proxy.close()
            serving.join()
