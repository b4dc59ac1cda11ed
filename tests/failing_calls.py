"""Makes a selection again and again; each time another call of the system fails.

`python failing_calls.py SCENARIO KIND FOLDER` runs with the library of `failing_calls.c`. It counts
the calls of a selection without a fault, and then fails each of them in turn. It prints the
outcomes as JSON.
"""

import contextlib
import ctypes
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from privtopk.impl.commands.cli import main

KINDS: Final = {"io": 1, "entropy": 2, "memory": 4}
SELECT: Final = ("-k", "2", "--epsilon", "5000", "--format", "csv")
"""The budget is so large that the leaders, items 3 and 4, are always selected, in this order."""

RIGHT: Final = "rank,item\n1,3\n2,4\n"
SCENARIOS: Final = {
    "sqlite": ("votes.db", "--table", "votes", "--domain", "items.txt", *SELECT),
    "exact": ("votes.db", "--table", "votes", "--domain", "50", "--engine", "exact", *SELECT),
    "csv": ("scores.csv", "--domain", "items.txt", *SELECT),
    "votes": ("ballots.csv", "--client", "client", "--domain", "50", *SELECT),
}
LIBRARIES: Final = {"sqlite": "sqlite3", "exact": "sqlite3", "csv": "duckdb", "votes": "duckdb"}


class Faults:
    """The preloaded library."""

    def __init__(self, kind: str, library: str) -> None:
        """Take the kind of calls that fail, and the library whose memory fails."""
        self.kind, self.library = KINDS[kind], library.encode()
        self.loaded = ctypes.CDLL(None)
        self.loaded.faults_failed.restype = ctypes.c_char_p
        self.loaded.faults_disarm.restype = ctypes.c_long
        self.loaded.faults_arm.argtypes = (ctypes.c_int, ctypes.c_long, ctypes.c_char_p)

    def run(self, arguments: tuple[str, ...], number: int) -> tuple[int, str, str, str]:
        """Fail a call of a selection, or none; return the calls, which failed, and the outcome."""
        out, err = io.StringIO(), io.StringIO()
        before = open_files()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.loaded.faults_arm(self.kind, number, self.library)
            try:
                status: object = main(["select", *arguments])
            except BaseException as error:
                status = error
            calls = self.loaded.faults_disarm()
        failed = self.loaded.faults_failed().decode()
        outcome, text = outcome_of(status, out.getvalue(), err.getvalue())
        if open_files() != before:
            outcome, text = "leaked", repr(open_files() - before)
        return calls, failed, outcome, text


def outcome_of(status: object, printed: str, said: str) -> tuple[str, str]:
    """Return what a command did in one word, and its text."""
    if (status, printed, said) == (0, RIGHT, ""):
        return "selected", ""
    if (status, printed) == (2, "") and said.startswith("privtopk: ") and said.count("\n") == 1:
        return "refused", said.strip()
    return "wrong", repr((status, printed, said))


def open_files() -> set[str]:
    """Return the open descriptors of this process, with what they lead to."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
    return found


def sweep(faults: Faults, arguments: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield the function that failed, the outcome and its text, for each call in turn.

    The first selection imports what it needs: a fault in an import is no fault of a selection.
    """
    faults.run(arguments, -1)
    calls, _, outcome, text = faults.run(arguments, -1)
    if outcome != "selected":
        raise RuntimeError(f"without a fault: {outcome}: {text}")
    for number in range(calls):
        yield faults.run(arguments, number)[1:]


if __name__ == "__main__":
    scenario, kind, folder = sys.argv[1:]
    os.chdir(folder)
    found = Counter(sweep(Faults(kind, LIBRARIES[scenario]), SCENARIOS[scenario]))
    print(json.dumps([(*which, count) for which, count in found.items()]))
