"""Facts about the public names: users' programs are type-checked and run with the wheel."""

import ast
import importlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from installation import ROOT, Installation, execute, install_wheel, lend_packages

PACKAGES = ("spec", "impl", "conformance")
PROGRAMS = sorted((ROOT / "tests" / "typing").glob("*.py"))


def public_names(package: str) -> list[str]:
    """Return what a package exports."""
    return list(importlib.import_module(f"privtopk.{package}").__all__)


def used_names(program: Path, package: str) -> Iterator[str]:
    """Yield the names of a package that a program imports and uses."""
    tree = ast.parse(program.read_text())
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == f"privtopk.{package}":
            yield from (alias.name for alias in node.names if alias.name in used)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Install the wheel and lend it numpy; put the programs beside it."""
    installation = install_wheel(tmp_path_factory.mktemp("downstream"), "--no-deps", "--no-index")
    lend_packages(installation)
    (installation.folder / "programs").mkdir()
    for program in PROGRAMS:
        shutil.copy(program, installation.folder / "programs")
    return installation


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_used(package: str) -> None:
    """Together, the programs use every name that a package exports."""
    used = {name for program in PROGRAMS for name in used_names(program, package)}
    assert sorted({*public_names(package)} - used) == []


@pytest.mark.slow
def test_the_source_is_out_of_sight(installation: Installation) -> None:
    """The lent packages do not include the source."""
    for package in PACKAGES:
        ran = installation.run("-c", f"import privtopk.{package} as p; print(p.__file__)")
        assert Path(ran.stdout.strip()).is_relative_to(installation.folder)


@pytest.mark.slow
def test_programs_pass_mypy(installation: Installation) -> None:
    """Users' programs have the types they rely on, under mypy --strict."""
    checked = installation.type_check(installation.folder / "programs")
    expected = f"Success: no issues found in {len(PROGRAMS)} source files\n"
    assert (checked.returncode, checked.stdout) == (0, expected)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_programs_run(installation: Installation, program: Path) -> None:
    """Users' programs run from the wheel, and what they assert is true."""
    ran = installation.run(str(installation.folder / "programs" / program.name))
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("from privtopk.spec import seeded_tape\nseeded_tape('one')\n", 'expected "int"'),
        ("from privtopk.impl import top_k\ntop_k([1], 1)\n", 'Missing named argument "epsilon"'),
        (
            "from privtopk.impl import top_k\ntop_k({'a': 1}, 1, epsilon=1, domain='publik')\n",
            'Argument "domain" to "top_k" has incompatible type',
        ),
        (
            "from privtopk.conformance import largest_allowed_rate\n"
            "largest_allowed_rate(1, 'two')\n",
            'expected "Question"',
        ),
    ],
)
def test_a_wrong_program_is_found(installation: Installation, wrong: str, expected: str) -> None:
    """The type checker rejects a wrong argument, so the types are not `Any`."""
    program = installation.folder / "wrong.py"
    program.write_text(wrong)
    checked = installation.type_check(program)
    assert (checked.returncode, expected in checked.stdout) == (1, True), checked.stdout


def pyright(installation: Installation, *arguments: str) -> dict[str, object]:
    """Run pyright in strict mode in the environment of the wheel, and return its report."""
    folder = installation.folder / "programs"
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    # It inspects the first Python on the path.
    path = os.pathsep.join([str(installation.python.parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "pyright", "--outputjson", *arguments]
    ran = execute(["env", f"PATH={path}", *command], folder)
    assert ran.stdout.startswith("{"), ran.stderr
    report: dict[str, object] = json.loads(ran.stdout)
    return report


@pytest.mark.heavy
@pytest.mark.slow
def test_programs_pass_pyright(installation: Installation) -> None:
    """Users' programs have the types they rely on, under pyright in strict mode."""
    pytest.importorskip("pyright", reason="pyright is not installed: pip install --group types")
    report = pyright(installation)
    summary = report["summary"]
    assert isinstance(summary, dict)
    assert (report["generalDiagnostics"], summary["filesAnalyzed"]) == ([], len(PROGRAMS))


@pytest.mark.heavy
@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_have_known_types(installation: Installation, package: str) -> None:
    """Every exported name and every member of it has declared types."""
    pytest.importorskip("pyright", reason="pyright is not installed: pip install --group types")
    report = pyright(installation, "--ignoreexternal", "--verifytypes", f"privtopk.{package}")
    found = report["typeCompleteness"]
    assert isinstance(found, dict)
    known = {symbol["name"]: symbol["isTypeKnown"] for symbol in found["symbols"]}
    names = [f"privtopk.{package}.{name}" for name in public_names(package)]
    assert [name for name in names if not known.get(name, False)] == []
