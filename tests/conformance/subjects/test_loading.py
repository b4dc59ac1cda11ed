"""Facts about addresses: the objects that they name, and the errors about wrong ones."""

from pathlib import Path

import pytest

from privtopk.conformance.subjects import reference
from privtopk.conformance.subjects.loading import AddressError, load, parts_of

MODULE = """
class Selector:
    def select(self, scores, question):
        return [1]

class Needy:
    def __init__(self, argument):
        pass
    def select(self, scores, question):
        return [1]

class Index:
    def __init__(self, universe):
        pass

class Outer:
    inner = Selector()

def function(scores, question):
    return [1]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module with subjects."""
    (tmp_path / "subjects_to_load.py").write_text(MODULE)
    (tmp_path / "broken_to_load.py").write_text("import nowhere_to_be_found\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    load.cache_clear()
    return "subjects_to_load"


def fault(address: str) -> str:
    """Return the whole error message about an address."""
    with pytest.raises(AddressError) as caught:
        load(address)
    return str(caught.value)


def test_an_object_is_loaded_as_it_is() -> None:
    """An address leads to the object of that name."""
    found = load("python:privtopk.conformance.subjects.reference:spec_selector")
    assert found is reference.spec_selector


def test_a_class_of_selectors_is_called(module: str) -> None:
    """A class with `select` stands for an object of it, always the same one."""
    found = load(f"python:{module}:Selector")
    assert type(found).__name__ == "Selector"
    assert load(f"python:{module}:Selector") is found


def test_a_class_that_is_no_selector_stays_a_class(module: str) -> None:
    """A class of indexes is itself the subject: it is called with a universe."""
    assert isinstance(load(f"python:{module}:Index"), type)


@pytest.mark.parametrize("name", ["function", "Outer.inner"])
def test_functions_and_attributes_of_attributes_are_found(module: str, name: str) -> None:
    """A function is a subject, and names may have dots."""
    found = load(f"python:{module}:{name}")
    assert callable(getattr(found, "select", found))


@pytest.mark.parametrize(
    "address", ["", "privtopk:x", "python:", "python:module", "python::x", "python:module:"]
)
def test_an_address_has_three_parts(address: str) -> None:
    """The error about a text that is no address shows the form of an address."""
    message = f"a subject is given as python:module:attribute or stdio:command, got {address!r}"
    assert fault(address) == message


def test_the_parts_are_found() -> None:
    """Module and attribute are what stands between the colons."""
    assert parts_of("python:a.b:c.d") == ("a.b", "c.d")


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("no_such_module:x", "cannot import no_such_module: No module named 'no_such_module'"),
        ("broken_to_load:x", "cannot import broken_to_load: No module named 'nowhere_to_be_found'"),
        ("subjects_to_load:Missing", "subjects_to_load has no attribute Missing"),
    ],
)
def test_a_wrong_address_is_reported(path: str, reason: str) -> None:
    """The error about a failed import or a missing attribute has the address and the reason."""
    assert fault(f"python:{path}") == f"python:{path}: {reason}"


def test_a_class_that_needs_arguments_is_reported(module: str) -> None:
    """A selector class must be callable without arguments."""
    address = f"python:{module}:Needy"
    reason = (
        "calling the class without arguments raised TypeError: Needy.__init__() missing 1 required"
    )
    assert fault(address).startswith(f"{address}: {reason}")
