"""Detects changes of files while they are read.

A file has no transactions: its owner may write to it or replace it between two queries. So its
size, timestamps and inode number are noted before and compared after. Timestamps have a limited
resolution. A file that was written within the last tick is read only after that tick has passed;
otherwise a second change in the same tick would not be noticed.
"""

import glob
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias

from privtopk.impl.sources.faults import unreachable_error
from privtopk.spec.model.errors import Reason, SelectionError

TICK: Final = 20_000_000
"""Nanoseconds after which a change gets a new timestamp; local file systems need at most 10^7."""


class Mark(NamedTuple):
    """The metadata of one file that show a change."""

    path: str
    size: int
    modified: int
    changed: int
    number: int


Footprint: TypeAlias = tuple[Mark, ...]
Files: TypeAlias = Callable[[], tuple[str, ...]]
"""Returns the files that exist at the moment."""


def matching_files(path: str) -> tuple[str, ...]:
    """Return the files that match a path or a pattern; the name of a file is never a pattern."""
    try:
        found = [path] if os.path.isfile(path) else glob.glob(path, recursive=True)
        return tuple(sorted(os.path.abspath(name) for name in found if os.path.isfile(name)))
    except ValueError:  # the path has a zero byte, which no file name has
        return ()


@contextmanager
def require_unchanged(place: str, files: Files) -> Iterator[Footprint]:
    """Yield the state of the files, and raise at the end if it has changed."""
    before = settled_footprint(place, files)
    try:
        yield before
    finally:
        if footprint_of(files()) != before:
            raise changed_file_error(place)


def settled_footprint(place: str, files: Files) -> Footprint:
    """Return the state of the files; wait one tick if one of them was just written."""
    if not files():
        raise unreachable_error(place, "there is no such file")
    if youngest_age(footprint_of(files())) < TICK:
        time.sleep(TICK / 1e9)
    marks = footprint_of(files())
    if youngest_age(marks) < TICK:
        raise changed_file_error(place)
    return marks


def youngest_age(marks: Footprint) -> float:
    """Return the nanoseconds since the last write; times in the future are ignored."""
    now = time.time_ns()
    return min((now - mark.changed for mark in marks if mark.changed <= now), default=TICK)


def footprint_of(paths: tuple[str, ...]) -> Footprint:
    """Return the state of the files; a missing file is left out."""
    return tuple(mark for path in paths if (mark := mark_of(path)) is not None)


def mark_of(path: str) -> Mark | None:
    """Return the state of a file, or None if it does not exist."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return Mark(path, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)


def changed_file_error(place: str) -> SelectionError:
    """Return the error of a file that changed while it was read."""
    return SelectionError(Reason.CHANGED_SOURCE, f"{place} was changed while it was read")
