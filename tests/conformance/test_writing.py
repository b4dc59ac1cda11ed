"""Facts about files that are written as a whole."""

from pathlib import Path

import pytest

from privtopk.conformance.writing import write_whole


def test_folders_are_made(tmp_path: Path) -> None:
    """The folders of a file are made, and no other file is left beside it."""
    path = write_whole(tmp_path / "new" / "folder" / "page.txt", "text\n")
    assert [one.name for one in path.parent.iterdir()] == ["page.txt"]
    assert path.read_bytes() == b"text\n"


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    """A file has the text that was written last."""
    write_whole(tmp_path / "page.txt", "old and long")
    assert write_whole(tmp_path / "page.txt", "new").read_text() == "new"


def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the old file stays and no part of the new one does."""
    path = write_whole(tmp_path / "page.txt", "old")

    def fail_for_lack_of_space(path: Path, text: str, encoding: str, newline: str) -> int:
        path.write_bytes(text[:2].encode())
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", fail_for_lack_of_space)
    with pytest.raises(OSError, match=r"^no space left$"):
        write_whole(path, "new text")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
