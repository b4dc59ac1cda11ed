"""Tests of the registry of checks."""

from collections.abc import Callable
from types import ModuleType

import pytest

from privtopk.spec.proofs.gate.registry import (
    Check,
    CheckFailed,
    Method,
    RegistryError,
    Role,
    all_checks,
    expect,
    refutes,
    supports,
)

ONE_CHECK = '''
from privtopk.spec.proofs.gate.registry import Method, supports

@supports("thm:one", method=Method.EXACT)
def is_so() -> str:
    """It is so."""
    return "seen"
'''

IMPORTED_CHECK = '''
from privtopk.spec.proofs.gate.registry import Method, refutes
from PACKAGE.beta import is_so

@refutes("thm:two", method=Method.Z3, is_slow=True)
def is_not_so() -> str:
    """It is not
    so.

    More about it.
    """
    return "witness"
'''


Writer = Callable[..., ModuleType]


def seen() -> str:
    """The fact was seen."""
    return "seen"


def test_supports_makes_a_check() -> None:
    """A supporting check has the name, the keys and the sentence of its function."""
    check = supports("a", "b", method=Method.EXACT)(seen)
    assert check == Check(
        "test_registry.seen",
        ("a", "b"),
        Method.EXACT,
        Role.SUPPORTS,
        seen,
        is_slow=False,
        sentence="The fact was seen.",
    )


def test_refutes_makes_a_check() -> None:
    """A refuting check says so."""
    check = refutes("a", method=Method.Z3, is_slow=True)(seen)
    assert (check.role, check.method, check.is_slow) == (Role.REFUTES, Method.Z3, True)


def test_a_check_returns_its_evidence() -> None:
    """A check is called like its function."""
    assert supports("a", method=Method.EXACT)(seen)() == "seen"


def test_a_check_without_evidence_fails() -> None:
    """A check that returns no evidence fails."""

    def silent() -> str:
        """It is so."""
        return " "

    with pytest.raises(CheckFailed, match=r"^the check returned no evidence$"):
        supports("a", method=Method.EXACT)(silent)()


def test_a_check_needs_a_claim() -> None:
    """A check that names no claim is refused."""
    with pytest.raises(RegistryError, match=r"^the check test_registry.seen names no claim$"):
        supports(method=Method.EXACT)(seen)


def test_a_check_needs_a_docstring() -> None:
    """A check that does not say what it checks is refused."""

    def silent() -> str:
        return "seen"

    with pytest.raises(RegistryError, match=r"^the check test_registry.silent has no docstring$"):
        supports("a", method=Method.EXACT)(silent)


def test_expect_raises_what_was_found() -> None:
    """A condition that does not hold raises its message."""
    with pytest.raises(CheckFailed, match=r"^got 3$"):
        expect(False, "got 3")


def test_expect_passes() -> None:
    """A condition that holds raises nothing."""
    expect(True, "got 3")


def test_all_checks_are_found_once_by_name(write_module: Writer) -> None:
    """Checks come sorted by name, and one that another module imports is found once."""
    package = write_module(beta=ONE_CHECK, alpha="").__name__
    again = write_module(beta=ONE_CHECK, alpha=IMPORTED_CHECK.replace("PACKAGE", package)).__name__
    names = [check.name for check in all_checks(["thm:one", "thm:two"], again)]
    assert names == ["alpha.is_not_so", "beta.is_so"]


def test_the_sentence_is_the_first_paragraph(write_module: Writer) -> None:
    """The sentence of a check is the first paragraph of its docstring on one line."""
    source = IMPORTED_CHECK.replace("from PACKAGE.beta import is_so", "")
    (check,) = all_checks(["thm:two"], write_module(alpha=source).__name__)
    assert check.sentence == "It is not so."


def test_an_unknown_claim_is_refused(write_module: Writer) -> None:
    """A check that names a key that no claim has is refused."""
    package = write_module(beta=ONE_CHECK).__name__
    with pytest.raises(RegistryError, match=r"^beta.is_so names unknown claims: thm:one$"):
        all_checks(["thm:two"], package)
