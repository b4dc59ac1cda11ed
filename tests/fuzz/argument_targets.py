"""Command lines of `privtopk` and `privtopk-conformance`, with any arguments."""

import io
import os
import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.properties import require_line, texts_of
from privtopk.conformance.commands import cli as oracle
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.subjects.loading import AddressError
from privtopk.impl.commands import cli

LARGEST_SAMPLE = 1000
"""More votes or items are valid and take long, so they are not written."""

SCORES = ({"apple": 900, "banana": 20, "cherry": 0}, {"apple": 0, "banana": 1, "cherry": 5})
"""Two data sets with the same items."""


def select_arguments(data: bytes) -> None:
    """Whether a selection is refused, and how, does not depend on the scores."""
    arguments = ["select", *texts_of(data)]
    if is_confined(arguments):
        outcomes = [ended(arguments, folder) for folder in _databases()]
        assert outcomes[0] == outcomes[1]


def plan_arguments(data: bytes) -> None:
    """A plan is printed, or is refused in one line."""
    ended(["plan", *texts_of(data)], Path())


def sample_arguments(data: bytes) -> None:
    """Votes are written, or nothing is."""
    arguments = ["sample", "votes.csv", *texts_of(data)]
    if not is_confined(arguments) or is_large(arguments):
        return
    with TemporaryDirectory() as folder:
        code, _ = ended(arguments, Path(folder))
        names = ["votes-items.txt", "votes.csv"] if code == 0 else []
        assert sorted(os.listdir(folder)) in (names, []), "a file is left"


def oracle_arguments(data: bytes) -> None:
    """A command line of the oracle is parsed into a plan, or is refused in one line."""
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            options = oracle.command_parser().parse_args(texts_of(data))
            if hasattr(options, "seed"):
                oracle.plan_of(options)
            for game in getattr(options, "game", None) or ():
                match_at(game)
        except SystemExit as ending:
            require_usage(exit_code_of(ending), printed.getvalue())
        except AddressError as error:
            require_line(str(error))


def exit_code_of(ending: SystemExit) -> int:
    """Return the exit code with which the parser ends a program."""
    assert isinstance(ending.code, int)
    return ending.code


def require_usage(code: int, printed: str) -> None:
    """Require that the parser printed help, or the usage and an error of one line."""
    assert code in (0, 2)
    if code == 2:
        require_line(printed.rpartition(": error: ")[2].removesuffix("\n"))


def is_confined(arguments: list[str]) -> bool:
    """Return whether no argument names a file or a server elsewhere."""
    return not any("/" in argument for argument in arguments)


def is_large(arguments: list[str]) -> bool:
    """Return whether valid arguments ask for a large file."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            options = cli.command_parser().parse_args(arguments)
        except SystemExit:
            return False
    return bool(max(options.votes, options.items, options.clients) > LARGEST_SAMPLE)


def ended(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run a command line in a folder; return its exit code and its error, if there is one."""
    output, errors = io.StringIO(), io.StringIO()
    before = os.getcwd()
    os.chdir(folder)
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            code = cli.main(arguments)
    except SystemExit as ending:
        code = exit_code_of(ending)
        require_usage(code, errors.getvalue())
    finally:
        os.chdir(before)
    assert code in (0, 2), f"the exit code is {code}"
    for line in filter(None, errors.getvalue().split("\n")):
        require_line(line)
    assert code == 0 or errors.getvalue().endswith("\n"), "an error has no line"
    return code, errors.getvalue() if code else ""


@cache
def _databases() -> tuple[Path, ...]:
    """Return two folders with the same files and different scores."""
    root = TemporaryDirectory()
    _KEPT.append(root)
    folders = []
    for number, scores in enumerate(SCORES):
        folder = Path(root.name, str(number))
        folder.mkdir()
        (folder / "domain.txt").write_text("\n".join(scores))
        rows = [f"{item},{score}" for item, score in scores.items()]
        (folder / "votes.csv").write_text("\n".join(["item,score", *rows]) + "\n")
        with closing(sqlite3.connect(folder / "votes.db")) as connection:
            connection.execute("CREATE TABLE votes (item TEXT PRIMARY KEY, score INTEGER)")
            connection.executemany("INSERT INTO votes VALUES (?, ?)", scores.items())
            connection.commit()
        folders.append(folder)
    return tuple(folders)


_KEPT: list[TemporaryDirectory[str]] = []
