"""Looks at processes from outside, and writes modules with subjects for tests."""

import time
from collections.abc import Callable
from pathlib import Path

PROGRAM = "from privtopk.conformance import Doors, Question\n"


def is_alive(pid: int) -> bool:
    """Return whether there is a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(is_true: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Wait for something to be true, and return whether it is."""
    deadline = time.monotonic() + seconds
    while not is_true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return is_true()


def processes_with(word: str) -> list[int]:
    """Return the processes whose command line or environment has a word."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:
            continue
        if word.encode() in text and is_alive(int(folder.name)):
            found.append(int(folder.name))
    return found
