"""Facts about the installed package: its commands work in an environment without the source."""

import json
from pathlib import Path

import pytest

from installation import Installation, install_wheel, lend_packages

REGISTRY = pytest.param("registry", marks=pytest.mark.heavy)


@pytest.fixture(scope="module", params=["lent", REGISTRY])
def installation(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    """Install the wheel with two extras, lent by this environment or taken from the registry."""
    folder = tmp_path_factory.mktemp("installed")
    if request.param == "registry":
        return install_wheel(folder, extras="[conformance,duckdb]")
    installation = install_wheel(folder, "--no-deps", "--no-index")
    lend_packages(installation)
    return installation


@pytest.mark.slow
def test_the_oracle_tests_a_subject(installation: Installation) -> None:
    """The oracle runs on an engine of the package, and writes its reports."""
    ran = installation.command(
        "privtopk-conformance",
        *("run", "python:privtopk.impl.subjects:batched", "--reports", "reports", "--quiet"),
        *("--only", "selector.shape", "--only", "selector.replay", "--only", "selector.degenerate"),
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    written = {path.name for path in (installation.folder / "reports").iterdir()}
    assert written == {"conformance.html", "conformance.jsonl", "conformance.xml"}


@pytest.mark.heavy
@pytest.mark.slow
def test_the_oracle_tests_a_file_of_the_user(installation: Installation) -> None:
    """A subject in the user's own folder is found, and the report says why it fails."""
    (installation.folder / "mine.py").write_text(
        "def select(scores, question):\n    return [1] * question.k\n"
    )
    ran = installation.command(
        "privtopk-conformance", "run", "python:mine:select", "--quiet", "--only", "selector.shape"
    )
    assert (ran.returncode, "select does not conform" in ran.stdout) == (1, True), ran.stdout


@pytest.mark.slow
def test_items_are_selected_from_a_file(installation: Installation) -> None:
    """`sample` writes votes, and `select` selects items of their domain."""
    assert (
        installation.command("privtopk", "sample", "votes.csv", "--votes", "5000").returncode == 0
    )
    ran = installation.command(
        "privtopk",
        *("select", "votes.csv", "--client", "client", "--domain", "votes-items.txt"),
        *("-k", "3", "--epsilon", "1", "--format", "json"),
    )
    assert ran.returncode == 0, ran.stderr
    items = json.loads(ran.stdout)["items"]
    listed = (installation.folder / "votes-items.txt").read_text().split("\n")
    assert (len(set(items)), set(items) <= set(listed)) == (3, True)


@pytest.mark.heavy
@pytest.mark.slow
def test_the_claims_are_printed_or_their_extra_is_named(installation: Installation) -> None:
    """Claims run outside the source if solvers are installed; else the error names the extra."""
    ran = installation.run("-m", "privtopk.spec", "--only", "fact:inversion")
    if list(Path(installation.folder).glob("environment/lib/*/site-packages/lent.pth")):
        assert (ran.returncode, ran.stderr) == (0, "")
        assert "CrossHair: 3 confirmed, 0 searched only" in ran.stdout
    else:
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr.endswith(": pip install 'privtopk[prove]'\n")
