"""Facts about printed selections whose items are hostile text."""

import csv
import io
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from privtopk.impl.commands.printing import PRINTERS
from privtopk.impl.selection import Selection
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal

HOSTILE = (
    "\x1b[2J",
    "two\nlines",
    "carriage\rreturn",
    "\u202ereversed",
    'say "yes", now',
    " spaces ",
    "\ufeffmark",
    "",
    "null\0",
    "café ☕",
)


def selection_of(*items: object) -> Selection:
    """Return a ranked selection of these items, best first."""
    return replace(top_k(np.arange(len(items)), len(items), epsilon=1), items=items)


def printed(format: str, capsys: pytest.CaptureFixture[str], *items: object) -> str:
    """Return what a format prints for these items."""
    PRINTERS[format](selection_of(*items))
    return capsys.readouterr().out


def test_the_table_escapes_items(capsys: pytest.CaptureFixture[str]) -> None:
    """Every item is one line of the table, and no character of it moves the cursor."""
    lines = printed("table", capsys, *HOSTILE, 7).split("\n")
    assert lines[:-2] == [
        r"   1  \x1b[2J",
        r"   2  two\nlines",
        r"   3  carriage\rreturn",
        r"   4  \u202ereversed",
        '   5  say "yes", now',
        "   6   spaces ",
        r"   7  \ufeffmark",
        "   8  ",
        r"   9  null\x00",
        "  10  café ☕",
        "  11  7",
    ]


def test_json_is_exact_and_plain(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON gives back every item, lone surrogates too, and is ASCII on any terminal."""
    text = printed("json", capsys, *HOSTILE, "\ud800", 7)
    assert json.loads(text)["items"] == [*HOSTILE, "\ud800", 7]
    assert text.isascii()


def test_csv_gives_back_every_item(capsys: pytest.CaptureFixture[str]) -> None:
    """A reader of CSV finds the same items, whatever characters they have."""
    text = printed("csv", capsys, *HOSTILE)
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == [
        ["rank", "item"],
        *([str(rank), item] for rank, item in enumerate(HOSTILE, start=1)),
    ]


def test_csv_quotes_what_a_reader_could_change(capsys: pytest.CaptureFixture[str]) -> None:
    """Line breaks, marks, spaces at the ends and empty texts are in quotes, plain texts not."""
    items = ("a\rb", "\ufeffa", " a", "a ", "", "a,b", 'a"b', "a b", "é", -5)
    cells = [line.partition(",")[2] for line in printed("csv", capsys, *items).split("\n")[1:-1]]
    assert cells == [
        '"a\rb"', '"\ufeffa"', '" a"', '"a "', '""', '"a,b"', '"a""b"', "a b", "é", "-5"
    ]  # fmt: skip


def test_a_spreadsheet_gets_no_formula(capsys: pytest.CaptureFixture[str]) -> None:
    """A text that begins like a formula gets an apostrophe; a number and other texts do not."""
    items = ("=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", "1=1", "a", -5)
    rows = csv.reader(io.StringIO(printed("spreadsheet", capsys, *items), newline=""))
    cells = [item for _, item in rows][1:]
    assert cells == [
        "'=1+1", "'+1", "'-1", "'@A1", "'\t=1", "'\r=1", "'\n=1", "1=1", "a", "-5"
    ]  # fmt: skip


def test_csv_refuses_what_is_not_unicode(capsys: pytest.CaptureFixture[str]) -> None:
    """A lone surrogate has no UTF-8: nothing is printed, and the error names a way out."""
    assert refusal(lambda: PRINTERS["csv"](selection_of("a", "\ud800"))) == (
        Reason.UNKNOWN_ITEM,
        r"item '\ud800' is not Unicode, so CSV cannot hold it; use --format json",
    )
    assert capsys.readouterr().out == ""


def test_csv_is_utf8_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ASCII terminal changes no item of a CSV file."""
    raw = io.BytesIO()
    output = io.TextIOWrapper(raw, encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", output)
    PRINTERS["csv"](selection_of("café"))
    output.flush()
    assert raw.getvalue() == "rank,item\n1,café\n".encode()
