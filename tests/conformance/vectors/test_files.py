"""Facts about the files of the vectors: writing, shipping and comparing them."""

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from privtopk.conformance.commands.cli import main
from privtopk.conformance.vectors import files, reader

WRITE = """
import sys
from pathlib import Path
from privtopk.conformance.vectors.files import write
write(Path(sys.argv[1]))
"""


def shipped_files() -> dict[str, bytes]:
    """Return the files that are part of the package."""
    folder = resources.files("privtopk.conformance.vectors") / "data"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def files_in(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def replace_text(path: Path, old: str, new: str) -> None:
    """Replace one text of a file."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_shipped_files_are_those_that_would_be_written(tmp_path: Path) -> None:
    """Regeneration gives the files of the package, byte for byte."""
    files.write(tmp_path / "new" / "folder")
    assert files_in(tmp_path / "new" / "folder") == shipped_files()


@pytest.mark.slow
def test_files_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    """Processes with different hash seeds write the same bytes."""
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", WRITE, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
    assert files_in(tmp_path / "1") == files_in(tmp_path / "2") == shipped_files()


def test_no_file_has_a_number_that_json_lacks() -> None:
    """Strict readers accept every file, and readers of doubles lose no digit."""

    def refuse(text: str) -> None:
        raise AssertionError(text)

    for content in shipped_files().values():
        json.loads(content, parse_constant=refuse, parse_float=refuse)


def test_ids_differ_between_groups() -> None:
    """An id names one test in all files."""
    ids = [vector.id for vector in reader.vectors()]
    assert len(ids) == len(set(ids))


def test_the_command_writes_all_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command creates the folder, and prints the name of each file."""
    assert main(["vectors", str(tmp_path / "new")]) == 0
    names = [*(f"{name}.json" for name in reader.NAMES), "vectors.schema.json"]
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"wrote {tmp_path / 'new' / name}" for name in names]


def test_the_command_accepts_what_it_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--check` returns 0 and leaves the folder alone."""
    files.write(tmp_path)
    before = files_in(tmp_path)
    assert main(["vectors", "--check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "the vectors are up to date\n"
    assert files_in(tmp_path) == before


def test_the_command_names_different_tests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--check` returns 1 and names each test that differs, and each file."""
    files.write(tmp_path)
    replace_text(tmp_path / "permutations.json", '"id": "below-ends"', '"id": "below-end"')
    replace_text(tmp_path / "accounting.json", "Asking that neighbours differ.", "Another bug.")
    replace_text(tmp_path / "rejections.json", '"task": "', '"task":  "')
    (tmp_path / "bounds.json").unlink()
    (tmp_path / "output-laws.json").write_text("[")
    (tmp_path / "strange.json").write_text("{}")
    assert main(["vectors", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "permutations.json: below-ends",
        "permutations.json: below-end",
        "output-laws.json: differs",
        "bounds.json: missing",
        "accounting.json: neighbours-same",
        "rejections.json: differs",
        "strange.json: not a file of the vectors",
    ]


def test_a_folder_that_is_a_file_returns_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error of the operating system is printed on the error stream."""
    path = tmp_path / "file"
    path.write_text("")
    assert main(["vectors", str(path)]) == 2
    assert capsys.readouterr().err == f"privtopk-conformance: {path}: File exists\n"


def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the old files stay and no part of a new one does."""
    files.write(tmp_path)
    before = files_in(tmp_path)

    def fail_for_lack_of_space(path: Path, text: str, encoding: str, newline: str) -> int:
        path.write_bytes(text[:10].encode())
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", fail_for_lack_of_space)
    with pytest.raises(OSError, match=r"^no space left$"):
        files.write(tmp_path)
    assert files_in(tmp_path) == before
