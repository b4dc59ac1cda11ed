"""Writes files as a whole or not at all: a reader never sees half of one."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> Path:
    """Write a file, create the folders that it needs, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path
