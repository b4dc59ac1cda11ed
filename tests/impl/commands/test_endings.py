"""How processes of `privtopk` and `python -m privtopk.spec` end when a stream or disk fails."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

PRIVTOPK = (sys.executable, "-m", "privtopk.impl.commands.cli")
SPEC = (sys.executable, "-m", "privtopk.spec")
PLAN = ("plan", "-m", "1000", "-k", "5", "--epsilon", "1", "--json")
ASCII = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LANG": "C", "PYTHONCOERCECLOCALE": "0"}
FULL = "standard output: No space left on device\n"


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """Return a database whose leaders are no ASCII."""
    path = tmp_path / "votes.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE votes (item TEXT PRIMARY KEY, score INTEGER)")
        connection.execute("INSERT INTO votes VALUES ('café', 9000), ('🎉', 7000), ('tea', 0)")
        connection.commit()
    return path


def selecting(votes: Path, *more: str) -> tuple[str, ...]:
    """Return the command that selects the two leaders."""
    where = (str(votes), "--table", "votes", "--domain", "public")
    return (*PRIVTOPK, "select", *where, "-k", "2", "--epsilon", "1", *more)


def ended(command: tuple[str, ...], **options: Any) -> tuple[int, str]:
    """Run a command; return its exit code and what it printed to the error stream."""
    run = subprocess.run(command, stderr=subprocess.PIPE, check=False, timeout=60, **options)
    return run.returncode, run.stderr.decode()


@contextmanager
def closed_pipe() -> Iterator[int]:
    """Yield the end to write to of a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "line"),
    [
        ((*PRIVTOPK, *PLAN), f"privtopk: {FULL}"),
        ((*PRIVTOPK, "--help"), f"privtopk: {FULL}"),
        ((*SPEC, "--help"), f"privtopk.spec: {FULL}"),
    ],
    ids=["plan", "help", "spec"],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_one_line(command: tuple[str, ...], line: str, unbuffered: str) -> None:
    """Output that cannot be written is reported in one line, and the exit code is 2."""
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:
        assert ended(command, stdout=full, env=environment) == (2, line)


@pytest.mark.slow
@pytest.mark.parametrize("command", [(*PRIVTOPK, *PLAN), (*PRIVTOPK, "--help"), (*SPEC, "--list")])
def test_a_closed_pipe_is_silent(command: tuple[str, ...]) -> None:
    """If nobody reads the output, the program ends quietly with the exit code of SIGPIPE."""
    with closed_pipe() as writer:
        assert ended(command, stdout=writer) == (141, "")


def test_a_full_error_stream_leaves_the_exit_code() -> None:
    """An error that cannot be printed still has its exit code."""
    with open("/dev/full", "wb") as full:
        wrong = (*PRIVTOPK, "plan", "-m", "1", "-k", "2", "--epsilon", "1")
        assert subprocess.run(wrong, stderr=full, check=False).returncode == 2


@pytest.mark.parametrize(
    ("format", "printed"),
    [
        ("table", b"   1  caf\\xe9\n   2  \\U0001f389\n2 items"),
        ("csv", "rank,item\n1,café\n2,🎉\n".encode()),
        ("json", b'{\n  "items": [\n    "caf\\u00e9",\n    "\\ud83c\\udf89"\n  ],'),
    ],
)
def test_an_ascii_terminal_shows_every_item(votes: Path, format: str, printed: bytes) -> None:
    """The table escapes letters that the terminal lacks; CSV is UTF-8 and JSON is ASCII."""
    command = selecting(votes, "--format", format)
    run = subprocess.run(command, capture_output=True, check=True, env={**os.environ, **ASCII})
    assert run.stdout[: len(printed)] == printed


def test_a_closed_error_stream_publishes_no_audit(votes: Path) -> None:
    """With `2>&-` the costs, which are not private, do not go to the standard output."""
    command = ("sh", "-c", '"$@" 2>&-', "sh", *selecting(votes, "--format", "csv", "--audit"))
    run = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    assert run.stdout.decode() == "rank,item\n1,café\n2,🎉\n"


def test_ctrl_c_is_one_line(votes: Path, tmp_path: Path) -> None:
    """Ctrl-C ends a command with exit code 130, without a traceback."""
    pipe = tmp_path / "domain"
    os.mkfifo(pipe)
    command = selecting(votes, "--domain", str(pipe))
    # Opening the pipe succeeds as soon as the command reads the domain.
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process, pipe.open("w"):
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (130, b"privtopk: interrupted\n")


def test_a_file_without_space_leaves_nothing(tmp_path: Path) -> None:
    """If the votes do not fit onto the disk, neither they nor the domain are left there."""
    command = (*PRIVTOPK, "sample", "votes.csv", "--votes", "9999", "--items", "10")
    code, line = ended(
        command,
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)),
    )
    assert (code, line) == (2, "privtopk: votes.csv: File too large\n")
    assert list(tmp_path.iterdir()) == []


def test_a_device_without_space_is_one_line() -> None:
    """Votes that are written to a full device are reported in one line."""
    line = "privtopk: /dev/full: No space left on device\n"
    assert ended((*PRIVTOPK, "sample", "/dev/full", "--votes", "9"), cwd="/dev/shm") == (2, line)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (
            ("sample", "missing/votes.csv", "--votes", "9"),
            "privtopk: missing/votes-items.txt: No such file or directory\n",
        ),
        (("evaluate", "--quick", "--folder", "file"), "privtopk: file: File exists\n"),
    ],
    ids=["sample", "evaluate"],
)
def test_an_unusable_folder_is_one_line(tmp_path: Path, command: Any, line: str) -> None:
    """A folder that cannot be written to is named in one line."""
    (tmp_path / "file").touch()
    assert ended((*PRIVTOPK, *command), cwd=tmp_path) == (2, line)


@pytest.mark.slow
def test_pages_without_a_folder(tmp_path: Path) -> None:
    """`--write-docs` into a file is reported in one line."""
    (tmp_path / "file").touch()
    command = (*SPEC, "--write-docs", "file")
    line = "privtopk.spec: file/reference: Not a directory\n"
    assert ended(command, cwd=tmp_path) == (2, line)


@pytest.mark.parametrize("name", ["\x1b[2J.db", "two\nlines.db", "\u202ebd.db", "\udcff.db"])
def test_a_hostile_path_is_escaped(tmp_path: Path, name: str) -> None:
    """An error that names a path is one line without control characters."""
    command = (*PRIVTOPK, "select", name, "-k", "1", "--epsilon", "1", "--domain", "3")
    escaped = name.encode("unicode_escape").decode()
    line = f"privtopk: {escaped} cannot be read: No such file or directory\n"
    assert ended(command, cwd=tmp_path) == (2, line)
