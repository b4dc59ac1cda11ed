"""Facts about the wheel: what it holds, and what a user without the source can do with it."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = "import privtopk.spec\nprint(*privtopk.spec.__all__, sep='\\n')"
SIGNS_OF_THE_SOURCE = ("PYTHONPATH", "MYPYPATH", "PYTHONHOME")


@dataclass(frozen=True, slots=True)
class Installation:
    """A wheel, installed without its extras into an environment of its own."""

    wheel: Path

    folder: Path
    """An empty folder outside the source, where commands run."""

    python: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the environment's Python."""
        return execute([str(self.python), *arguments], self.folder)

    def type_check(self, program: Path) -> subprocess.CompletedProcess[str]:
        """Run mypy --strict on a program, with nothing but the environment's packages."""
        options = ["--strict", "--config-file=", f"--cache-dir={self.folder / 'cache'}"]
        command = [sys.executable, "-m", "mypy", *options, "--python-executable", str(self.python)]
        return execute([*command, program.name], program.parent)


def execute(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with no variable that could lead back to the source."""
    environment = {k: v for k, v in os.environ.items() if k not in SIGNS_OF_THE_SOURCE}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Build the wheel without network and install it without its extras."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = execute(build, ROOT)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", with_pip=False, symlinks=True)
    python = folder / "environment" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    installed = execute([*install, *options, str(wheel)], folder)
    assert installed.returncode == 0, installed.stderr
    return Installation(wheel, folder, python)


@pytest.mark.slow
def test_wheel_holds_the_three_packages(installation: Installation) -> None:
    """The wheel has each package with its marker, no file above them, and no tests."""
    names = zipfile.ZipFile(installation.wheel).namelist()
    ours = [name for name in names if not name.startswith("privtopk-0.1.0.dist-info/")]
    assert {"/".join(name.split("/")[:2]) for name in ours} == {
        "privtopk/spec",
        "privtopk/impl",
        "privtopk/conformance",
    }
    assert sorted(name for name in ours if name.endswith("py.typed")) == [
        "privtopk/conformance/py.typed",
        "privtopk/impl/py.typed",
        "privtopk/spec/py.typed",
    ]


@pytest.mark.slow
def test_wheel_holds_every_module_of_the_source(installation: Installation) -> None:
    """Nothing is left out: the wheel's modules are those of the three roots."""
    packed = {
        name for name in zipfile.ZipFile(installation.wheel).namelist() if name.endswith(".py")
    }
    assert packed == {
        path.relative_to(ROOT / root).as_posix()
        for root in ("spec", "impl", "conformance")
        for path in (ROOT / root).rglob("*.py")
    }


@pytest.mark.slow
def test_every_public_name_is_typed_for_users(installation: Installation) -> None:
    """A program that imports every public name passes mypy --strict outside the source."""
    listed = installation.run("-c", NAMES)
    names = listed.stdout.split()
    program = installation.folder / "every_name.py"
    program.write_text(
        "from privtopk.spec import (\n"
        + "".join(f"    {name},\n" for name in names)
        + ")\n\nused: list[object] = [\n"
        + "".join(f"    {name},\n" for name in names)
        + "]\n"
    )
    checked = installation.type_check(program)
    assert (len(names) > 100, checked.returncode, checked.stdout) == (
        True,
        0,
        "Success: no issues found in 1 source file\n",
    )


@pytest.mark.slow
def test_downstream_program_passes_mypy(installation: Installation) -> None:
    """A user's program has the types it relies on, seen through the wheel."""
    folder = installation.folder / "downstream"
    folder.mkdir()
    program = Path(shutil.copy(ROOT / "tests" / "typing" / "downstream.py", folder))
    checked = installation.type_check(program)
    assert (checked.returncode, checked.stdout) == (
        0,
        "Success: no issues found in 1 source file\n",
    )


@pytest.mark.slow
def test_downstream_program_runs(installation: Installation) -> None:
    """A user's program runs from the wheel, without any third-party package."""
    ran = installation.run(str(ROOT / "tests" / "typing" / "downstream.py"))
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
def test_wheel_is_what_is_imported(installation: Installation) -> None:
    """The environment imports the installed package and not the source."""
    ran = installation.run("-c", "import privtopk.spec; print(privtopk.spec.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installation.folder)


@pytest.mark.slow
def test_help_needs_no_extra(installation: Installation) -> None:
    """The command explains itself without the extra."""
    ran = installation.run("-m", "privtopk.spec", "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("usage: python -m privtopk.spec")


@pytest.mark.slow
def test_claims_without_the_extra_are_refused(installation: Installation) -> None:
    """Running the claims without the extra says which packages are missing and how to get them."""
    ran = installation.run("-m", "privtopk.spec")
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        2,
        "",
        "the checks need crosshair-tool, z3-solver, sympy, python-flint: "
        "pip install 'privtopk[prove]'\n",
    )


@pytest.mark.slow
def test_wheel_holds_what_the_reports_need(installation: Installation) -> None:
    """The style sheet of the page and the schema of the JUnit report are packed."""
    names = set(zipfile.ZipFile(installation.wheel).namelist())
    folder = "privtopk/conformance/report"
    assert {f"{folder}/page.css", f"{folder}/junit.xsd"} <= names


@pytest.mark.slow
def test_wheel_holds_the_vectors(installation: Installation) -> None:
    """The vectors and their schema are packed, and are read without the extra."""
    folder = ROOT / "conformance" / "privtopk" / "conformance" / "vectors" / "data"
    names = set(zipfile.ZipFile(installation.wheel).namelist())
    packed = {f"privtopk/conformance/vectors/data/{path.name}" for path in folder.iterdir()}
    assert len(packed) == 9
    assert packed <= names
    ran = installation.run(
        "-c", "from privtopk.conformance.vectors import vectors; print(vectors()[0].id)"
    )
    assert (ran.returncode, ran.stdout) == (0, "threshold-stop-on-equality\n")


@pytest.mark.slow
def test_an_adapter_needs_no_extra(installation: Installation) -> None:
    """What an adapter names can be imported without the extra, and is typed."""
    program = installation.folder / "adapter.py"
    program.write_text(
        "from privtopk.conformance import Doors, Question\n\n\n"
        "def select(scores: Doors, question: Question) -> list[int]:\n"
        "    return [item for item, _ in scores.top(question.k)]\n"
    )
    assert installation.run(str(program)).returncode == 0
    assert installation.type_check(program).returncode == 0


@pytest.mark.slow
def test_the_oracle_without_the_extra_says_what_is_missing(installation: Installation) -> None:
    """Running the oracle without the extra says how to get it."""
    ran = installation.run("-m", "privtopk.conformance", "list")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("privtopk-conformance: No module named ")
    assert ran.stderr.endswith("; pip install 'privtopk[conformance]'\n")
