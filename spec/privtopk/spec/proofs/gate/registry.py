"""Checks: functions that establish or refute claims and say how.

A check returns its evidence in a few words and raises `CheckFailed` otherwise. The
decorators wrap it in a `Check` that stands in its module like any other value, so there
is no list to be filled in some order of imports: `all_checks` reads the modules.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Protocol

PROOFS = "privtopk.spec.proofs."
CHECKS = f"{PROOFS}checks"
"""The package whose modules hold the checks."""


class Method(StrEnum):
    """How a check reaches its verdict."""

    CROSSHAIR = "crosshair"
    ENUMERATION = "enumeration"
    EXACT = "exact"
    Z3 = "z3"
    SYMBOLIC = "symbolic"
    ARB = "arb"
    STATISTICAL = "statistical"


class Role(StrEnum):
    """What a successful check says about the claims it names."""

    SUPPORTS = "supports"
    """The claim, or its correction, holds."""

    REFUTES = "refutes"
    """The claim is false as printed: a witness was replayed."""

    SEARCHES = "searches"
    """Nothing was found against the claim; that alone never makes it hold."""


class CheckFailed(Exception):  # noqa: N818 (a verdict, not an error)
    """A check found its claim to be otherwise than stated."""


class RegistryError(Exception):
    """The checks, theorems or bugs are not well formed, whatever their verdicts."""


def expect(condition: bool, message: str) -> None:
    """Refuse unless the condition holds; the message says what was found."""
    if not condition:
        raise CheckFailed(message)


class Evidence(Protocol):
    """What a check and a theorem have in common: a role for some claims."""

    @property
    def name(self) -> str:
        """Topic and function, for example `access.ledger_counts`."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The claims that it speaks about."""

    @property
    def method(self) -> Method:
        """How it reaches its verdict."""

    @property
    def role(self) -> Role:
        """What its success says about the claims."""

    @property
    def sentence(self) -> str:
        """The fact that it establishes."""


@dataclass(frozen=True, slots=True)
class Check:
    """A function behind one or more claims."""

    name: str
    """Topic and function, for example `access.ledger_counts`."""

    keys: tuple[str, ...]
    method: Method
    role: Role
    function: Callable[[], str]
    is_slow: bool

    sentence: str
    """The first paragraph of the docstring: the fact that is checked."""

    def __call__(self) -> str:
        """Run the check; return its evidence or raise `CheckFailed`."""
        evidence = self.function()
        expect(bool(evidence.strip()), "the check returned no evidence")
        return evidence


def supports(
    *keys: str, method: Method, slow: bool = False
) -> Callable[[Callable[[], str]], Check]:
    """Make a function a check whose success supports the claims with these keys."""
    return lambda function: _check(function, keys, method, Role.SUPPORTS, slow)


def refutes(*keys: str, method: Method, slow: bool = False) -> Callable[[Callable[[], str]], Check]:
    """Make a function a check whose success, a replayed witness, refutes these claims."""
    return lambda function: _check(function, keys, method, Role.REFUTES, slow)


def searches(
    *keys: str, method: Method, slow: bool = False
) -> Callable[[Callable[[], str]], Check]:
    """Make a function a check that looks for a counterexample and finds none."""
    return lambda function: _check(function, keys, method, Role.SEARCHES, slow)


def _check(
    function: Callable[[], str], keys: tuple[str, ...], method: Method, role: Role, is_slow: bool
) -> Check:
    name = qualified_name(function)
    sentence = first_paragraph(function)
    if not keys:
        raise RegistryError(f"the check {name} names no claim")
    if not sentence:
        raise RegistryError(f"the check {name} has no docstring")
    return Check(name, keys, method, role, function, is_slow, sentence)


def qualified_name(function: Callable[..., object]) -> str:
    """Return topic and name of a check or theorem, for example `model.access.ledger_counts`."""
    module = function.__module__
    if module.startswith(PROOFS):
        topic = module.removeprefix(PROOFS).partition(".")[2]
    else:
        topic = module.rpartition(".")[2]
    return f"{topic}.{function.__name__}"


def first_paragraph(function: Callable[..., object]) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())


def modules_of(package: str) -> Iterator[ModuleType]:
    """Import every module of a package and of its folders, in the order of their names."""
    parent = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(parent.__path__), key=lambda info: info.name):
        name = f"{package}.{info.name}"
        if info.ispkg:
            yield from modules_of(name)
        else:
            yield importlib.import_module(name)


def all_checks(claims: Collection[str], package: str = CHECKS) -> tuple[Check, ...]:
    """Return every check of the package by name; each may cite known claims only."""
    checks = tuple(
        value
        for module in modules_of(package)
        for value in vars(module).values()
        if isinstance(value, Check) and value.function.__module__ == module.__name__
    )
    for check in checks:
        require_known(check, claims)
    return tuple(sorted(checks, key=lambda check: check.name))


def require_known(evidence: Evidence, claims: Collection[str]) -> None:
    """Refuse evidence that cites a key which is not in the table of claims."""
    unknown = [key for key in evidence.keys if key not in claims]
    if unknown:
        raise RegistryError(f"{evidence.name} cites unknown claims: {', '.join(unknown)}")
