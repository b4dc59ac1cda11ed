"""Facts about what `make dist` builds: the sdist, the wheel from it, and the metadata."""

import sys
import tarfile
from pathlib import Path

import pytest

from installation import ROOT, build_wheel, execute, output_of

PAGES = {
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "PKG-INFO",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
    ".gitignore",
}
FOLDERS = {"spec", "impl", "conformance"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from the sdist, without network."""
    dist = tmp_path_factory.mktemp("dist")
    build = ["-m", "build", "--no-isolation", "--outdir", str(dist), str(ROOT)]
    output_of([sys.executable, *build], dist)
    return dist


@pytest.mark.slow
def test_sdist_holds_what_builds_the_wheel(folder: Path) -> None:
    """The sdist has the three roots and the pages, but no tests, caches or environment."""
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = [Path(*Path(name).parts[1:]) for name in packed.getnames()]
    assert {name.parts[0] for name in names} == PAGES | FOLDERS
    assert [name for name in names if {"__pycache__", ".venv", "tests"} & {*name.parts}] == []
    for root in FOLDERS:
        modules = {path.relative_to(ROOT) for path in (ROOT / root).rglob("*.py")}
        assert modules == {name for name in names if name.parts[0] == root and name.suffix == ".py"}


@pytest.mark.slow
def test_sdist_builds_the_wheel_of_the_source(folder: Path, tmp_path: Path) -> None:
    """The wheel from the sdist and the wheel from the source are equal, byte for byte."""
    (wheel,) = folder.glob("*.whl")
    assert wheel.read_bytes() == build_wheel(tmp_path).read_bytes()


@pytest.mark.slow
def test_a_package_index_can_show_the_description(folder: Path) -> None:
    """The README renders, and the metadata is complete: no error and no warning."""
    checked = execute(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, sorted(folder.iterdir()))],
        folder,
    )
    assert (checked.returncode, checked.stdout.count("PASSED")) == (0, 2), checked.stdout
