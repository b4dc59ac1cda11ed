"""Facts about missing extras: whatever needs one says which, and gives no verdict."""

import subprocess
import sys

import pytest

from privtopk.conformance.calls import AdapterError
from privtopk.conformance.decision import Verdict
from privtopk.conformance.extras import advice, imported
from privtopk.conformance.runner import Plan, run

WITHOUT = """
import sys
sys.modules["{package}"] = None
from {module} import {name}
{name}({arguments})
"""


def said_without(package: str, module: str, name: str, arguments: str) -> str:
    """Return the last line that a call says in a Python that lacks a package."""
    program = WITHOUT.format(package=package, module=module, name=name, arguments=arguments)
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stderr.splitlines()[-1]


def test_a_module_that_is_there_is_returned() -> None:
    """Nothing is said of an extra that is installed."""
    assert imported("json", "libraries").loads("1") == 1


def test_a_module_that_is_missing_is_an_error_that_names_the_extra() -> None:
    """The error says what is missing and how to get it."""
    with pytest.raises(AdapterError) as caught:
        imported("no_such_module", "libraries")
    assert str(caught.value) == (
        "No module named 'no_such_module'; pip install 'privtopk[libraries]'"
    )


def test_a_missing_module_of_our_own_is_a_bug() -> None:
    """No extra is blamed for what the package itself should have."""
    error = ModuleNotFoundError("No module named 'privtopk.spec.lost'", name="privtopk.spec.lost")
    with pytest.raises(ModuleNotFoundError) as caught:
        advice(error, "conformance")
    assert caught.value is error


def test_the_pytest_plugin_names_its_extra() -> None:
    """A test file of somebody who installed the package without the oracle says what to do."""
    told = said_without(
        "scipy", "privtopk.conformance.pytest_plugin", "conformance_test", "'python:math:sqrt'"
    )
    assert told == (
        "Failed: No module named 'scipy.special'; 'scipy' is not a package; "
        "pip install 'privtopk[conformance]'"
    )


@pytest.mark.parametrize(
    ("library", "subject"),
    [
        ("opendp", "opendp:exponential"),
        ("diffprivlib", "diffprivlib:exponential"),
        ("pipeline_dp", "pipeline_dp:exponential"),
        ("pydp", "python_dp:noisy_laplace"),
    ],
)
def test_a_library_that_is_missing_is_not_accused(
    library: str, subject: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the library every requirement that asks for it ends in an error, and none fails."""
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    address = f"python:privtopk.conformance.libraries.{subject}"
    (case,) = run(address, Plan(only=("selector.set-order",), jobs=1)).cases
    assert (case.verdict, case.message.endswith("pip install 'privtopk[libraries]'")) == (
        Verdict.ERROR,
        True,
    )
