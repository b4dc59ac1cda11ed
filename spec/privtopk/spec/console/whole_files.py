"""Writes files as a whole or not at all: nobody sees half of one, also if the disk is full."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; it gets its own name if the context succeeds.

    A link is followed. A device or a pipe has no other name and is written directly.
    """
    is_direct = path.exists() and not path.is_file()
    # The ending stays the same: writers of figures choose the format by it.
    target = path.resolve()
    unfinished = path if is_direct else target.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield unfinished
        if not is_direct:
            unfinished.replace(target)
    except OSError as error:
        if error.filename in (None, os.fspath(unfinished)):
            error.filename = os.fspath(path)
        raise
    finally:
        if not is_direct:
            unfinished.unlink(missing_ok=True)
