"""Every call of the system that a selection makes fails once, and nothing wrong is printed."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are those of Linux"),
]

SWEEPS = {
    ("sqlite", "io"): 40,
    ("sqlite", "entropy"): 1,
    ("sqlite", "memory"): 1000,
    ("exact", "io"): 40,
    ("exact", "entropy"): 2,
    ("csv", "io"): 15,
    ("csv", "entropy"): 1,
    ("votes", "io"): 10,
    ("votes", "entropy"): 1,
}
"""The least number of faults that must be refused: without any, nothing would have failed."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled library that makes calls fail."""
    built = tmp_path_factory.mktemp("library") / "failing_calls.so"
    options = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "-o", built, TESTS / "failing_calls.c", "-ldl"], check=True)
    return built


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a database, two CSV files and a domain; items 3 and 4 lead."""
    path = tmp_path_factory.mktemp("votes")
    with closing(sqlite3.connect(path / "votes.db")) as connection, connection:
        connection.execute(
            "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL) STRICT"
        )
        connection.execute("CREATE INDEX by_score ON votes (score, item)")
        connection.executemany("INSERT INTO votes VALUES (?, ?)", [(3, 9000), (4, 5000), (7, 1)])
    (path / "items.txt").write_text("".join(f"{item}\n" for item in range(1, 51)))
    (path / "scores.csv").write_text("item,score\n3,9000\n4,5000\n7,1\n")
    votes = [f"{client},{item}\n" for item, n in ((3, 90), (4, 50)) for client in range(n)]
    (path / "ballots.csv").write_text("client,item\n" + "".join(votes))
    return path


def outcomes(library: Path, folder: Path, scenario: str, kind: str) -> Counter[tuple[str, ...]]:
    """Return how often a function failed with an outcome and its text, over all faults."""
    ran = subprocess.run(
        [sys.executable, TESTS / "failing_calls.py", scenario, kind, folder],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return Counter({tuple(which): count for *which, count in json.loads(ran.stdout)})


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [pytest.param(*one, marks=pytest.mark.heavy if one[1] == "memory" else ()) for one in SWEEPS],
)
def test_every_call_fails_once(
    library: Path,
    folder: Path,
    record_property: Callable[[str, object], None],
    scenario: str,
    kind: str,
) -> None:
    """Each fault gives the right selection or one line and exit code 2, and leaves no file open."""
    found = outcomes(library, folder, scenario, kind)
    record_property("faults", (f"{kind} of {scenario}", found.total()))
    assert [which for which in found if which[1] not in ("selected", "refused")] == []
    refused = sum(count for (_, outcome, _), count in found.items() if outcome == "refused")
    assert refused >= SWEEPS[scenario, kind]
