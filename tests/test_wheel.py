"""Facts about the wheel: what it contains, and what works without the source."""

import zipfile
from pathlib import Path

import pytest

from installation import ROOT, Installation, install_wheel

DATA = {".typed": 3, ".json": 10, ".css": 1, ".xsd": 1, ".v": 11}
"""The number of files per suffix that are not modules."""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Build the wheel without network and install it without its extras."""
    return install_wheel(tmp_path_factory.mktemp("wheel"), "--no-deps", "--no-index")


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
    """The wheel has exactly the modules of the three roots."""
    packed = {
        name for name in zipfile.ZipFile(installation.wheel).namelist() if name.endswith(".py")
    }
    assert packed == {
        path.relative_to(ROOT / root).as_posix()
        for root in ("spec", "impl", "conformance")
        for path in (ROOT / root).rglob("*.py")
    }


@pytest.mark.slow
def test_wheel_holds_nothing_else(installation: Installation) -> None:
    """The other files are markers, schemas, vectors, style sheets and Coq files; no caches."""
    suffixes = [
        Path(name).suffix
        for name in zipfile.ZipFile(installation.wheel).namelist()
        if not name.startswith("privtopk-0.1.0.dist-info/")
    ]
    found = {suffix: suffixes.count(suffix) for suffix in sorted({*suffixes}) if suffix != ".py"}
    assert found == dict(sorted(DATA.items()))


@pytest.mark.slow
def test_wheel_holds_the_licence(installation: Installation) -> None:
    """The wheel has the licence file unchanged, and the metadata names it."""
    wheel = zipfile.ZipFile(installation.wheel)
    licence = wheel.read("privtopk-0.1.0.dist-info/licenses/LICENSE")
    metadata = wheel.read("privtopk-0.1.0.dist-info/METADATA").decode()
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert "\nLicense-Expression: MIT\nLicense-File: LICENSE\n" in metadata


@pytest.mark.slow
def test_wheel_is_what_is_imported(installation: Installation) -> None:
    """The environment imports the installed package and not the source."""
    ran = installation.run("-c", "import privtopk.spec; print(privtopk.spec.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installation.folder)


@pytest.mark.slow
def test_help_needs_no_extra(installation: Installation) -> None:
    """The command prints its help without the extra."""
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
    """The wheel has the style sheet of the page and the schema of the JUnit report."""
    names = set(zipfile.ZipFile(installation.wheel).namelist())
    folder = "privtopk/conformance/report"
    assert {f"{folder}/page.css", f"{folder}/junit.xsd"} <= names


@pytest.mark.slow
def test_wheel_holds_the_vectors(installation: Installation) -> None:
    """The wheel has the vectors and their schema, and they are read without the extra."""
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
    """The names that an adapter needs can be imported without the extra, and have types."""
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


@pytest.mark.slow
def test_an_adapter_of_the_wire_without_the_extra_says_what_is_missing(
    installation: Installation,
) -> None:
    """Serving a subject without the extra says how to get it."""
    ran = installation.run("-m", "privtopk.conformance.wire", "python:math:sqrt")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.endswith("; pip install 'privtopk[conformance]'\n")
