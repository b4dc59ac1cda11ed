"""Scores in a sorted set of a Redis server that is started for the race."""

import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from privtopk.impl.measurement.databases.stored import SCORES, TABLE, Stored
from privtopk.impl.measurement.servers.redis import RedisServer
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.redis.scores import RedisScores

CHUNK: Final = 10_000
"""Members that one command adds."""

BUFFER: Final = 1 << 20


@contextmanager
def in_redis(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a sorted set, on their own server."""
    if shutil.which("redis-server") is None:
        raise FileNotFoundError("redis-server is not installed")
    with RedisServer() as server:
        with server.client() as client:
            for start in range(0, len(scores), CHUNK):
                part = scores[start : start + CHUNK].tolist()
                client.zadd(TABLE, {str(start + place): score for place, score in enumerate(part)})

        def fetch() -> Page:
            return parse_reply(raw_reply(server.socket, len(scores)))

        domain = RangeDomain(0, len(scores) - 1)
        yield Stored(RedisScores(server.url, TABLE, domain=domain), fetch)


def raw_reply(path: Path, members: int) -> bytes:
    """Return all bytes of the reply; a client library would take three times as long."""
    question = f"ZRANGE {TABLE} 0 -1 WITHSCORES\r\n".encode()
    lines, received = 1 + 4 * members, bytearray()
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        line.sendall(question)
        seen = 0
        while seen < lines:
            part = line.recv(BUFFER)
            seen += part.count(b"\n")
            received += part
    return bytes(received)


def parse_reply(sent: bytes) -> Page:
    """Return members and scores; before each there is a line with its length."""
    lines = sent.split(b"\r\n")
    return Page(
        np.array(lines[2:-1:4]).astype(SCORES), np.array(lines[4:-1:4]).astype(float).astype(SCORES)
    )
