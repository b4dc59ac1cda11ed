"""Facts about missing extras: an error names the extra, and there is no verdict."""

import subprocess
import sys

import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.subjects.extras import import_extra, installation_advice

PLUGIN = """
from privtopk.conformance.pytest_plugin import conformance_test
conformance_test("python:math:sqrt")
"""
LIBRARY = """
from privtopk.conformance import Question
from privtopk.conformance.subjects.libraries.{module} import {name}
{name}.sample((1, 0), Question(1, 1.0), 1)
"""


def last_line_without(package: str, program: str) -> str:
    """Return the last line that a program prints in a Python that lacks a package."""
    command = [sys.executable, "-c", f"import sys\nsys.modules['{package}'] = None\n{program}"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stderr.splitlines()[-1]


def test_a_module_that_is_there_is_returned() -> None:
    """A module of an installed extra is imported."""
    assert import_extra("json", "libraries").loads("1") == 1


def test_a_module_that_is_missing_is_an_error_that_names_the_extra() -> None:
    """The error says what is missing and how to get it."""
    with pytest.raises(AdapterError) as caught:
        import_extra("no_such_module", "libraries")
    assert str(caught.value) == (
        "No module named 'no_such_module'; pip install 'privtopk[libraries]'"
    )


def test_a_missing_module_of_our_own_is_a_bug() -> None:
    """No extra is named for a missing module of the package itself."""
    error = ModuleNotFoundError("No module named 'privtopk.spec.lost'", name="privtopk.spec.lost")
    with pytest.raises(ModuleNotFoundError) as caught:
        installation_advice(error, "conformance")
    assert caught.value is error


def test_the_pytest_plugin_names_its_extra() -> None:
    """Without the oracle, a test file that uses the plugin says what to install."""
    assert last_line_without("scipy", PLUGIN) == (
        "Failed: No module named 'scipy.special'; 'scipy' is not a package; "
        "pip install 'privtopk[conformance]'"
    )


@pytest.mark.parametrize(
    ("library", "module", "name"),
    [
        ("opendp", "opendp", "exponential"),
        ("diffprivlib", "diffprivlib", "exponential"),
        ("pipeline_dp", "pipeline_dp", "exponential"),
        ("pydp", "python_dp", "noisy_laplace"),
    ],
)
def test_a_library_names_its_extra(library: str, module: str, name: str) -> None:
    """The error about a missing library says how to install it."""
    message = last_line_without(library, LIBRARY.format(module=module, name=name))
    assert message.startswith("privtopk.conformance.subjects.calls.AdapterError: ")
    assert message.endswith("; pip install 'privtopk[libraries]'")


def test_a_subject_without_a_package_is_an_error() -> None:
    """Without its package a subject gets errors, also if a requirement expects a refusal."""
    requirements = ("selector.shape", "selector.refusals", "selector.set-order")
    cases = run("python:wrong_subjects:unequipped", RunPlan(only=requirements, jobs=1)).cases
    message = "a package is missing: ModuleNotFoundError: No module named 'sums'"
    assert [(case.verdict, case.message.count(message)) for case in cases] == [
        (CaseVerdict.ERROR, 1)
    ] * 3
