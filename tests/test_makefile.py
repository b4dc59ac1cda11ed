"""Facts about the Makefile: help, the Python that it needs, cleaning, and extras."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from privtopk.impl import subjects

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Makefile").read_text()
CACHES = (
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".import_linter_cache",
    ".coverage",
)

OLD_PYTHON = f"""#!/bin/sh
# A Python that reports an old version, and can only run one line.
test "$1" = -c || exit 9
exec {shlex.quote(sys.executable)} -c "import sys; sys.version_info = (3, 10, 13); \\
sys.version = '3.10.13 (main)'; exec(sys.argv[1])" "$2"
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a space in its name that has the Makefile and what it looks at."""
    copy = tmp_path / "a copy"
    for root in ("spec", "impl", "conformance", "tests"):
        (copy / root / "__pycache__").mkdir(parents=True)
        (copy / root / "kept.py").touch()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, copy)
    return copy


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make in a folder, without the variables of a calling make."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_lists_every_command(folder: Path) -> None:
    """Without a target, make prints each command once, with its explanation in one column."""
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", TEXT, re.MULTILINE)
    commands = [name for name in phony.replace("\\", "").split() if name != "$(VENV)"]
    printed = make(folder).stdout.splitlines()
    assert sorted(line.split()[0] for line in printed) == sorted(commands)
    assert {line[15] + re.sub(r"\S", "x", line[16]) for line in printed} == {" x"}


@pytest.mark.parametrize("command", ["conform", "test", "dist"])
def test_an_old_python_is_refused(folder: Path, command: str) -> None:
    """The first line says which Python is needed, and no environment is created."""
    old = folder / "old-python"
    old.write_text(OLD_PYTHON)
    old.chmod(0o755)
    ran = make(folder, command, "PYTHON=./old-python")
    expected = "privtopk needs Python 3.11 or newer, found 3.10.13"
    assert (ran.returncode, ran.stderr.splitlines()[0]) == (2, expected)
    assert not (folder / ".venv").exists()


def test_the_python_that_is_needed_is_that_of_the_package() -> None:
    """The Makefile and the metadata require the same version."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert wanted == ">=3.11"
    assert "sys.version_info < (3, 11)" in TEXT


def test_clean_leaves_the_sources_and_nothing_else(folder: Path) -> None:
    """Environment, builds and caches are removed, also in a folder with a space in its name."""
    for name in (".venv", "build", "dist", *CACHES):
        (folder / name).mkdir()
    assert make(folder, "clean").returncode == 0
    left = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert left == [
        "conformance/kept.py",
        "impl/kept.py",
        "pyproject.toml",
        "spec/kept.py",
        "tests/kept.py",
    ]
    assert not {"build", "dist", "__pycache__"} & {path.name for path in folder.rglob("*")}


def test_every_cache_that_is_ignored_is_cleaned() -> None:
    """`make clean` removes what is ignored, except what README.md asks a reader to write."""
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().split()}
    written_by_the_reader = {"mine.py", "votes.csv", "votes-items.txt"}  # README.md asks for them
    assert ignored - {"*.egg-info"} - written_by_the_reader == {
        ".venv",
        "__pycache__",
        "build",
        "dist",
        *CACHES,
    }


def test_every_extra_and_group_that_is_installed_exists() -> None:
    """Every extra and group that a target installs is in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (default,) = re.findall(r"^EXTRAS := (.+)$", TEXT, re.MULTILINE)
    extras = {*default.split(","), *re.findall(r"--editable '\.\[(\w+)\]'", TEXT)}
    groups = set(re.findall(r"--group (\w+)", TEXT))
    assert extras <= set(project["project"]["optional-dependencies"])
    assert groups == set(project["dependency-groups"])


@pytest.mark.parametrize("python", ["python9.9", "/nowhere/python"])
def test_an_interpreter_that_is_missing_is_skipped_with_a_reason(folder: Path, python: str) -> None:
    """`make test-python` says which interpreter it did not find, and does not fail."""
    ran = make(folder, "test-python", f"PYTHON={python}")
    expected = f"skipped: {python} is neither on the PATH nor under pyenv\n"
    assert (ran.returncode, ran.stdout) == (0, expected)


def test_the_main_job_runs_all_our_subjects(folder: Path) -> None:
    """`make conform` runs every subject of our engines once."""
    (folder / ".venv").mkdir()
    (folder / ".venv" / ".ready").touch()
    command = make(folder, "--dry-run", "conform").stdout
    (question,) = re.findall(r"run \$\(\.venv/bin/python (.*?)\)", command)
    asked = [sys.executable, *shlex.split(question)]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert answer == [f"python:privtopk.impl.subjects:{name}" for name in subjects.SUBJECTS]
