"""Facts about the oldest versions of other packages that are declared."""

import subprocess
import tomllib

import pytest

from minimum_versions import PROJECT, bounds, minimum_versions

ROOT = PROJECT.parent
PYTHON = ROOT / "build" / "environments" / "minimum" / "bin" / "python"
OPEN = {"scikit-learn"}
"""The benchmark only excludes new versions of it; diffprivlib has the lower bound."""


def test_every_package_of_users_has_a_lower_bound() -> None:
    """No dependency and no extra of users allows any old version of a package."""
    declared = tomllib.loads(PROJECT.read_text())["project"]
    extras = declared["optional-dependencies"].values()
    lines = [*declared["dependencies"], *(line for extra in extras for line in extra)]
    own = {line for line in lines if line.startswith("privtopk[")}
    assert {line.partition("<")[0] for line in {*lines} - own if not [*bounds(line)]} == OPEN


def test_the_bounds_are_those_of_pyproject() -> None:
    """The constraint of a package with an extra has its name and version only."""
    found = minimum_versions(tomllib.loads(PROJECT.read_text()))
    assert found["psycopg"] == "3.2.1"
    assert "privtopk" not in found


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.skipif(not PYTHON.exists(), reason="make test-minimum makes its environment")
def test_the_engines_work_with_the_oldest_packages() -> None:
    """The fast tests of the engines pass with the smallest declared version of each package."""
    options = ["-q", "-n", "2", "-m", "not slow and not heavy", "-W", "default::DeprecationWarning"]
    command = [str(PYTHON), "-m", "pytest", *options, "-p", "no:cacheprovider", "tests/impl"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-5000:]


@pytest.mark.heavy
@pytest.mark.skipif(not PYTHON.exists(), reason="make test-minimum makes its environment")
def test_the_installed_versions_are_the_oldest() -> None:
    """The environment has exactly the declared versions."""
    listed = subprocess.run(
        [PYTHON, "-m", "pip", "list", "--format", "freeze"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    installed = dict(line.split("==") for line in listed if "==" in line)
    minimum = minimum_versions(tomllib.loads(PROJECT.read_text()))
    wrong = {
        name: installed[name]
        for name, oldest in minimum.items()
        if name in installed and not (installed[name] + ".").startswith(oldest + ".")
    }
    assert wrong == {}
