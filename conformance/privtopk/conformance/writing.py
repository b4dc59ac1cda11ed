"""Writes files as a whole or not at all, and makes texts of strangers safe to print."""

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from privtopk.spec.console.escaping import printable


def write_whole(path: Path, text: str) -> Path:
    """Write a file, create the folders that it needs, and return its path."""
    (written,) = write_all({path: text})
    return written


def write_all(texts: Mapping[Path, str]) -> tuple[Path, ...]:
    """Write some files, or none of them if one cannot be written, and return their paths."""
    unfinished = {path: path.with_name(f".{path.name}.{os.getpid()}") for path in texts}
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished[path].write_text(text, encoding="utf-8", newline="\n")
        for path, other in unfinished.items():
            other.replace(path)
    finally:
        for other in unfinished.values():
            with contextlib.suppress(OSError):
                other.unlink(missing_ok=True)
    return tuple(texts)


def require_writable(folder: Path) -> None:
    """Create a folder if it is missing, and raise an OSError if no file can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def printable_lines(text: str) -> str:
    """Return a text whose lines are safe for a terminal, an XML file and a page."""
    return "\n".join(map(printable, text.split("\n")))
