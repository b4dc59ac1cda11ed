"""Checks: functions that support or refute claims.

A check returns its evidence in a few words, or raises `CheckFailed`. The decorators make it a
`Check`, which is an ordinary value of its module: `all_checks` reads the modules, so there is no
global list that depends on the order of imports.
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
"""The package of the checks."""


class Method(StrEnum):
    """How a check reaches its verdict."""

    CROSSHAIR = "crosshair"
    ENUMERATION = "enumeration"
    EXACT = "exact"
    Z3 = "z3"
    SYMBOLIC = "symbolic"
    ARB = "arb"
    STATISTICAL = "statistical"
    COQ = "coq"


FOR_ALL = frozenset({Method.COQ, Method.SYMBOLIC, Method.Z3})
"""The methods that can decide for all values of a parameter."""


class Role(StrEnum):
    """What a successful check says about the claims that it names."""

    SUPPORTS = "supports"
    """The claim, or its correction, holds."""

    REFUTES = "refutes"
    """The claim is false as printed: its witness was evaluated."""

    SEARCHES = "searches"
    """No counterexample was found; that alone never makes a claim hold."""


class CheckFailed(Exception):  # noqa: N818 (a verdict, not an error)
    """A check found that its claim is not as stated."""


class RegistryError(Exception):
    """The checks, theorems or bugs are not well formed."""


def expect(condition: bool, message: str) -> None:
    """Raise `CheckFailed` unless the condition holds; the message says what was found."""
    if not condition:
        raise CheckFailed(message)


class Evidence(Protocol):
    """What checks, theorems and Coq theorems have in common."""

    @property
    def name(self) -> str:
        """Topic and function, for example `access.ledger_counts`."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the claims that it is about."""

    @property
    def method(self) -> Method:
        """How it reaches its verdict."""

    @property
    def role(self) -> Role:
        """What its success says about the claims."""

    @property
    def sentence(self) -> str:
        """The fact that it checks."""


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
    *keys: str, method: Method, is_slow: bool = False
) -> Callable[[Callable[[], str]], Check]:
    """Make a function a check whose success supports the claims with these keys."""
    return lambda function: _check(function, keys, method, Role.SUPPORTS, is_slow)


def refutes(
    *keys: str, method: Method, is_slow: bool = False
) -> Callable[[Callable[[], str]], Check]:
    """Make a function a check whose success, by a witness, refutes the claims with these keys."""
    return lambda function: _check(function, keys, method, Role.REFUTES, is_slow)


def searches(
    *keys: str, method: Method, is_slow: bool = False
) -> Callable[[Callable[[], str]], Check]:
    """Make a function a check that succeeds if it finds no counterexample to these claims."""
    return lambda function: _check(function, keys, method, Role.SEARCHES, is_slow)


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
    """Return the topic and name of a check or theorem, for example `model.access.ledger_counts`."""
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
    """Import and yield every module of a package and its folders, in the order of their names."""
    parent = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(parent.__path__), key=lambda info: info.name):
        name = f"{package}.{info.name}"
        if info.ispkg:
            yield from modules_of(name)
        else:
            yield importlib.import_module(name)


def all_checks(claims: Collection[str], package: str = CHECKS) -> tuple[Check, ...]:
    """Return every check of the package, by name; a check may name known claims only."""
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
    """Raise a `RegistryError` if a check or theorem names a key that no claim has."""
    unknown = [key for key in evidence.keys if key not in claims]
    if unknown:
        raise RegistryError(f"{evidence.name} names unknown claims: {', '.join(unknown)}")
