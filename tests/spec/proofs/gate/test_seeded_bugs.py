"""Tests of the declaration of seeded bugs."""

from collections.abc import Callable
from types import ModuleType

import pytest

from privtopk.spec.proofs.gate.registry import RegistryError
from privtopk.spec.proofs.gate.seeded_bugs import (
    SeededBug,
    all_bugs,
    apply_bug,
    evidence_reference,
    specification_root,
)

BUG = SeededBug("off-by-one", "x - 1", "x", ("access.thm_it",), "access")

DECLARED = """
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (SeededBug("off-by-one", "x - 1", "x", ("access.thm_it",)),)
"""


Writer = Callable[..., ModuleType]


def test_a_bug_changes_one_place() -> None:
    """The text is replaced where it occurs."""
    assert apply_bug(BUG, "return values[x - 1]\n") == "return values[x]\n"


@pytest.mark.parametrize(("source", "count"), [("return x\n", 0), ("x - 1\nx - 1\n", 2)])
def test_the_text_must_occur_once(source: str, count: int) -> None:
    """A text that is not found, or found twice, is refused."""
    message = rf"^off-by-one: the text to change must occur once in access, got {count}$"
    with pytest.raises(RegistryError, match=message):
        apply_bug(BUG, source)


def test_a_bug_must_change_something() -> None:
    """A change of nothing is refused."""
    with pytest.raises(RegistryError, match=r"^same: the change changes nothing$"):
        apply_bug(SeededBug("same", "x", "x", ("access.thm_it",), "access"), "x")


def test_the_root_holds_the_specification() -> None:
    """The root is the folder above the package privtopk."""
    assert (specification_root() / "privtopk" / "spec" / "model" / "access.py").is_file()


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("model.access.thm_it", ("privtopk.spec.proofs.theorems.model.access", "thm_it")),
        ("model.access.is_so", ("privtopk.spec.proofs.checks.model.access", "is_so")),
    ],
)
def test_a_killer_is_found_by_its_name(name: str, reference: tuple[str, str]) -> None:
    """The prefix distinguishes a theorem from a check; the topic is the module."""
    assert evidence_reference(name) == reference


def test_bugs_are_gathered(write_module: Writer) -> None:
    """The bugs of every module are found; the place of their file is the module they change."""
    package = write_module(access=DECLARED).__name__
    assert all_bugs(["access.thm_it"], package) == (BUG,)


def test_a_module_without_bugs_is_refused(write_module: Writer) -> None:
    """A module of bugs that declares none is an error."""
    package = write_module(access="").__name__
    with pytest.raises(RegistryError, match=r"access has no tuple BUGS of seeded bugs$"):
        all_bugs(["access.thm_it"], package)


def test_killers_must_be_known(write_module: Writer) -> None:
    """A killer that does not exist is an error."""
    package = write_module(access=DECLARED).__name__
    with pytest.raises(RegistryError, match=r"^off-by-one needs known killers, got access.thm_it$"):
        all_bugs([], package)


def test_a_bug_needs_a_killer(write_module: Writer) -> None:
    """A bug without killers is an error."""
    package = write_module(access=DECLARED.replace('("access.thm_it",)', "()")).__name__
    with pytest.raises(RegistryError, match=r"^off-by-one needs known killers, got \(\)$"):
        all_bugs([], package)
