"""Files that must stay as they are while they are read.

A file has no transactions: whoever owns it may write into it, or put another in its place,
between two questions. So its size, its times and its number on the disk are noted before and
compared after. Times have ticks; a file that was written within the last one is let age first,
or a second change within that tick would go unseen.
"""

import glob
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias

from privtopk.impl.sources.faults import unreachable
from privtopk.spec.model.errors import Reason, SelectionError

TICK: Final = 20_000_000
"""Nanoseconds after which a change has another time; local file systems need no more than 10^7."""


class Mark(NamedTuple):
    """What tells one state of a file from another."""

    path: str
    size: int
    modified: int
    changed: int
    number: int


Footprint: TypeAlias = tuple[Mark, ...]
Files: TypeAlias = Callable[[], tuple[str, ...]]
"""The files that there are at the moment."""


def matching(path: str) -> tuple[str, ...]:
    """Return the files that a path or a pattern names; a file that exists is never a pattern."""
    try:
        found = [path] if os.path.isfile(path) else glob.glob(path, recursive=True)
        return tuple(sorted(os.path.abspath(name) for name in found if os.path.isfile(name)))
    except ValueError:  # a path with a zero byte, which no file has
        return ()


@contextmanager
def still(place: str, files: Files) -> Iterator[Footprint]:
    """Yield the state of files, and refuse if it is another one at the end."""
    before = settled(place, files)
    try:
        yield before
    finally:
        if footprint(files()) != before:
            raise changed(place)


def settled(place: str, files: Files) -> Footprint:
    """Return the state of files that have not been written within the last tick."""
    if not files():
        raise unreachable(place, FileNotFoundError("there is no such file"))
    if youngest(footprint(files())) < TICK:
        time.sleep(TICK / 1e9)
    marks = footprint(files())
    if youngest(marks) < TICK:
        raise changed(place)
    return marks


def youngest(marks: Footprint) -> float:
    """Return how many nanoseconds ago files were last written; a time to come is no age."""
    now = time.time_ns()
    return min((now - mark.changed for mark in marks if mark.changed <= now), default=TICK)


def footprint(paths: tuple[str, ...]) -> Footprint:
    """Return the state of files; one that is gone has none."""
    return tuple(mark for path in paths if (mark := mark_of(path)) is not None)


def mark_of(path: str) -> Mark | None:
    """Return the state of a file, None if there is none."""
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return Mark(path, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def changed(place: str) -> SelectionError:
    """Return the error of a file that did not keep still."""
    return SelectionError(Reason.CHANGED_SOURCE, f"{place} was changed while it was read")
