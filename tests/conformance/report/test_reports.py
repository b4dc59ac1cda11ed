"""Facts about the files of a report."""

from pathlib import Path

from privtopk.conformance.report import write_reports
from sample_runs import certain_case, every_plot, run_of


def test_three_files_are_written(tmp_path: Path) -> None:
    """The folder is created, and has exactly the three files of a report."""
    folder = tmp_path / "new" / "folder"
    paths = write_reports([every_plot(), run_of(certain_case())], folder)
    names = ["conformance.html", "conformance.jsonl", "conformance.xml"]
    assert [path.name for path in paths] == names
    assert sorted(path.name for path in folder.iterdir()) == names


def test_old_files_are_replaced(tmp_path: Path) -> None:
    """New reports replace old files."""
    write_reports([every_plot()], tmp_path)
    write_reports([run_of(certain_case())], tmp_path)
    assert "selector.wrong" not in (tmp_path / "conformance.jsonl").read_text()
