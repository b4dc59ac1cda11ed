"""The files of a report."""

from pathlib import Path

import pytest

from privtopk.conformance.report import write_reports
from sample_runs import certain_case, every_plot, run_of


def test_three_files_are_written(tmp_path: Path) -> None:
    """The folder is made, and nothing else is left in it."""
    folder = tmp_path / "new" / "folder"
    paths = write_reports([every_plot(), run_of(certain_case())], folder)
    names = ["conformance.html", "conformance.jsonl", "conformance.xml"]
    assert [path.name for path in paths] == names
    assert sorted(path.name for path in folder.iterdir()) == names


def test_old_files_are_replaced(tmp_path: Path) -> None:
    """The reports are those of the last run."""
    write_reports([every_plot()], tmp_path)
    write_reports([run_of(certain_case())], tmp_path)
    assert "selector.wrong" not in (tmp_path / "conformance.jsonl").read_text()


def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the old report stays and no part of the new one does."""
    write_reports([run_of(certain_case())], tmp_path)
    before = (tmp_path / "conformance.html").read_text()

    def full(path: Path, text: str, encoding: str) -> int:
        path.write_bytes(text[:10].encode())
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match=r"^no space left$"):
        write_reports([every_plot()], tmp_path)
    assert (tmp_path / "conformance.html").read_text() == before
    assert len(list(tmp_path.iterdir())) == 3
