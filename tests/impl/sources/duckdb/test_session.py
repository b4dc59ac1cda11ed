"""Facts about a connection to DuckDB."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from privtopk.impl.sources.duckdb.session import column_of, open_session, quote_text
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal


def test_numbers_come_by_column() -> None:
    """Whole numbers are returned as arrays of numbers."""
    with open_session("here") as session:
        (numbers,) = session.columns("SELECT range + ? FROM range(3)", [5])
    assert (numbers.dtype, numbers.tolist()) == (np.int64, [5, 6, 7])


def test_what_is_switched_off() -> None:
    """No extension is loaded, no secret read, no variable used as a table, no page cached."""
    expected = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,
        "enable_external_file_cache": False,
        "python_enable_replacements": False,
        "preserve_insertion_order": False,
    }
    with open_session("here") as session:
        for setting, value in expected.items():
            assert session.rows("SELECT current_setting(?)", [setting]) == [(value,)]


def test_network_addresses_cannot_be_read() -> None:
    """Network addresses cannot be read."""
    with open_session("here") as session, pytest.raises(SelectionError, match="httpfs") as caught:
        session.rows("FROM read_parquet('http://localhost:1/votes.parquet')")
    assert caught.value.reason is Reason.UNREACHABLE_SOURCE


@pytest.mark.parametrize(
    "statement",
    [
        "FROM read_text('/proc/self/environ')",
        "FROM read_csv('{other}')",
        "ATTACH '{other}' AS more",
        "COPY (SELECT 1) TO '{other}'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET allowed_paths = ['{other}']",
        "SET lock_configuration = false",
        "RESET enable_external_access",
    ],
)
def test_a_sealed_session_opens_nothing_else(tmp_path: Path, statement: str) -> None:
    """After the seal the given files can be read, and no other; no statement can undo it."""
    given, other = tmp_path / "it's [1].csv", tmp_path / "other.csv"
    for path in (given, other):
        path.write_text("item\n7\n")
    with open_session("here") as session:
        session.seal([str(given)])
        reason, message = refusal(lambda: session.rows(statement.format(other=other)))
        assert session.rows(f"FROM read_csv({quote_text(str(given))})") == [(7,)]
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith(("here cannot be read: Permission", "here cannot be read: Invalid"))
    assert other.read_text() == "item\n7\n"


@pytest.mark.parametrize("folder", ["", "there"])
def test_large_tables_go_to_a_folder(folder: str) -> None:
    """Nothing is written to the disk unless a folder is given."""
    with open_session("here", folder) as session:
        assert session.rows("SELECT current_setting('temp_directory')") == [(folder,)]


def test_an_array_is_shown_as_a_table() -> None:
    """Texts arrive unchanged, and the table exists only inside the context."""
    texts = ["a'b", '"', "", "a\0b", "Ö", "😀", "e\u0301", "\r\n", "\\", "NULL", " a "]
    with open_session("here") as session:
        with session.register_columns("asked", item=column_of(texts)):
            assert [text for (text,) in session.rows("FROM asked")] == texts
        assert refusal(lambda: session.rows("FROM asked"))[0] is Reason.UNREACHABLE_SOURCE


def test_numbers_are_shown_as_numbers() -> None:
    """The smallest and the largest item arrive exactly."""
    numbers = [2**62, -(2**62), 2**53 + 1]
    with (
        open_session("here") as session,
        session.register_columns("asked", item=column_of(numbers)),
    ):
        assert session.rows("SELECT typeof(item), item FROM asked") == [
            ("BIGINT", number) for number in numbers
        ]


def test_a_value_is_not_shown() -> None:
    """An error about a value shows only the kind of error."""
    with open_session("here") as session, pytest.raises(SelectionError) as caught:
        session.rows("SELECT CAST('ann: 17 votes' AS INTEGER)")
    assert str(caught.value) == "here cannot be read: Conversion Error"


@pytest.mark.parametrize("statement", ["SELECT ?", "SELECT '\ud800' OR ?"])
def test_a_text_that_is_none(statement: str) -> None:
    """Half of a surrogate pair is refused, as a parameter and in a statement."""
    with open_session("here") as session:
        reason, message = refusal(lambda: session.rows(statement, ["\ud800"]))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert message.startswith("here cannot be read: ")


def test_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra that installs DuckDB."""
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert refusal(lambda: open_session("here").__enter__()) == (
        Reason.MISSING_PACKAGE,
        "duckdb is not installed; pip install 'privtopk[duckdb]'",
    )


def test_texts_are_quoted() -> None:
    """A quote inside a text does not end the literal."""
    with open_session("here") as session:
        assert session.rows(f"SELECT {quote_text(chr(39) + '; DROP ' + chr(92))}") == [
            ("'; DROP \\",)
        ]


INTERRUPTED = """
import os, signal, threading
from privtopk.impl.sources.duckdb.session import open_session
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let jobs ignore it
with open_session("here") as session:
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    session.run("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")
"""


@pytest.mark.slow
def test_ctrl_c_is_no_fault_of_the_source() -> None:
    """Ctrl-C during a statement raises KeyboardInterrupt, not an error of the file."""
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.stderr.endswith("\nKeyboardInterrupt\n")
