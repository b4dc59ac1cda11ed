"""Facts about files that must not change."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from privtopk.impl.sources.footprint import (
    Mark,
    footprint_of,
    matching_files,
    require_unchanged,
    settled_footprint,
)
from privtopk.spec.model.errors import Reason
from support import refusal

CHANGED = (Reason.CHANGED_SOURCE, "the votes was changed while it was read")


def write_file(path: Path, text: str = "abc") -> Path:
    """Return a file with some text."""
    path.write_text(text)
    return path


def replace_file(path: Path) -> None:
    """Replace a file by another one with the same text."""
    os.replace(write_file(path.with_name("new")), path)


def forge_file(path: Path) -> None:
    """Write other text of the same length, and restore the timestamp."""
    before = path.stat()
    path.write_text("xyz")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: list[Callable[[Path], object]] = [
    replace_file,
    forge_file,
    lambda path: path.write_text("abcd"),
    lambda path: path.write_text("abc"),
    lambda path: path.unlink(),
    lambda path: write_file(path.with_name("another")),
]


@pytest.mark.parametrize("change", CHANGES, ids=range(len(CHANGES)))
def test_every_change_is_noticed(tmp_path: Path, change: Callable[[Path], object]) -> None:
    """A file that is replaced, rewritten, cut, deleted or joined by another is refused."""
    path = write_file(tmp_path / "votes")

    def read() -> None:
        with require_unchanged("the votes", lambda: matching_files(f"{tmp_path}/*")):
            change(path)

    assert refusal(read) == CHANGED


def test_a_change_explains_what_goes_wrong(tmp_path: Path) -> None:
    """If a file has changed, that is the error, whatever else was raised."""
    path = write_file(tmp_path / "votes")

    def read() -> None:
        with require_unchanged("the votes", lambda: matching_files(str(path))):
            path.unlink()
            raise ZeroDivisionError

    assert refusal(read) == CHANGED


def test_files_that_do_not_change(tmp_path: Path) -> None:
    """Reading is not a change."""
    path = write_file(tmp_path / "votes")
    with require_unchanged("the votes", lambda: matching_files(str(path))) as marks:
        assert path.read_text() == "abc"
    assert marks == footprint_of((str(path),))


def test_the_state_of_a_file(tmp_path: Path) -> None:
    """The state of a file is its size, its timestamps and its inode; a missing file has none."""
    path = write_file(tmp_path / "votes")
    seen = path.stat()
    mark = Mark(str(path), 3, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
    assert footprint_of((str(path), str(tmp_path / "other"))) == (mark,)


def test_no_file(tmp_path: Path) -> None:
    """A missing file is refused."""
    assert refusal(
        lambda: settled_footprint("the votes", lambda: matching_files(f"{tmp_path}/*"))
    ) == (
        Reason.UNREACHABLE_SOURCE,
        "the votes cannot be read: there is no such file",
    )


def test_a_file_that_was_just_written(tmp_path: Path) -> None:
    """A file that was just written is read only after a tick."""
    path = write_file(tmp_path / "votes")
    (mark,) = settled_footprint("the votes", lambda: matching_files(str(path)))
    assert time.time_ns() - mark.changed >= 20_000_000


def test_a_file_that_is_written_all_the_time(tmp_path: Path) -> None:
    """A file that keeps changing is refused."""
    path = tmp_path / "votes"

    def files() -> tuple[str, ...]:
        return (str(write_file(path, str(time.time_ns()))),)

    assert refusal(lambda: settled_footprint("the votes", files)) == CHANGED


def test_a_clock_that_is_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A timestamp in the future causes no wait."""
    path = write_file(tmp_path / "votes")
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.delattr(time, "sleep")
    assert settled_footprint("the votes", lambda: matching_files(str(path))) == footprint_of(
        (str(path),)
    )


@pytest.mark.parametrize("name", ["a[1].csv", "a*.csv", "a?.csv", "**"])
def test_an_existing_file_is_no_pattern(tmp_path: Path, name: str) -> None:
    """A name with pattern characters is taken literally if that file exists."""
    write_file(tmp_path / "a1.csv")
    path = write_file(tmp_path / name)
    assert matching_files(str(path)) == (str(path),)


def test_a_pattern_names_files(tmp_path: Path) -> None:
    """Files come in order, two stars include subfolders, and folders are left out."""
    (tmp_path / "b.csv").mkdir()
    inner, outer = write_file(tmp_path / "b.csv" / "a.csv"), write_file(tmp_path / "c.csv")
    assert matching_files(f"{tmp_path}/*.csv") == (str(outer),)
    assert matching_files(f"{tmp_path}/**/*.csv") == (str(inner), str(outer))


@pytest.mark.parametrize("path", ["", "a\0b", "a\0*"])
def test_a_path_that_no_file_has(path: str) -> None:
    """An impossible path matches no file."""
    assert matching_files(path) == ()
