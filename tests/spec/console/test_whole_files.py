"""Facts about files that are written as a whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from privtopk.spec.console.whole_files import whole_file


def test_a_file_appears_when_it_is_finished(tmp_path: Path) -> None:
    """Inside the context there is no file of that name; afterwards there is no other."""
    path = tmp_path / "votes.csv"
    with whole_file(path) as unfinished:
        unfinished.write_text("all")
        assert (unfinished.parent, unfinished.suffix, path.exists()) == (tmp_path, ".csv", False)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("votes.csv", "all")]


def test_an_old_file_survives_an_error(tmp_path: Path) -> None:
    """An error leaves the old text, and nothing else in the folder."""
    path = tmp_path / "votes.csv"
    path.write_text("old")
    with suppress(KeyboardInterrupt), whole_file(path) as unfinished:
        unfinished.write_text("ne")
        raise KeyboardInterrupt
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("votes.csv", "old")]


def test_a_link_is_followed(tmp_path: Path) -> None:
    """A link stays a link, and the file that it leads to is replaced."""
    (tmp_path / "real.csv").write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    with whole_file(link) as unfinished:
        unfinished.write_text("new")
    assert (link.is_symlink(), (tmp_path / "real.csv").read_text()) == (True, "new")


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    """A pipe is not replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe) as unfinished:
        unfinished.write_text("all")
    assert (os.read(reader, 9), pipe.is_fifo()) == (b"all", True)
    os.close(reader)


def test_a_full_disk_names_the_file() -> None:
    """The error of a device without space has the name that the caller gave."""
    with (
        pytest.raises(OSError, match="No space left on device: '/dev/full'"),
        whole_file(Path("/dev/full")) as unfinished,
    ):
        unfinished.write_text("all")


def test_a_missing_folder_names_the_file(tmp_path: Path) -> None:
    """The error names the file itself, not the temporary one."""
    path = tmp_path / "missing" / "votes.csv"
    with pytest.raises(FileNotFoundError) as caught, whole_file(path) as unfinished:
        unfinished.write_text("all")
    assert caught.value.filename == str(path)
