"""Theorems: small functions with a contract in the docstring, found by the prefix of their names.

The docstring has one sentence, a blank line, `Claim:` with the keys, optionally `Seconds:` with
the budget, then `pre:` lines and exactly one `post: _`. This module reads them without CrossHair,
so that a counterexample can be replayed in plain Python.
"""

import ast
import inspect
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import FunctionType

from privtopk.spec.proofs.gate.registry import (
    Method,
    RegistryError,
    Role,
    first_paragraph,
    modules_of,
    qualified_name,
    require_known,
)

THEOREMS = "privtopk.spec.proofs.theorems"
"""The package of the theorems."""

_HEADER = re.compile(r"^\s*:?(pre|post|inv|raises)\s*(\[[^]]*\]|[\w.]+)?\s*:")
"""All that CrossHair may read as the start of a contract; `raises` would excuse errors."""

_TAG = re.compile(r"^(Claim|Seconds):\s*(.*)$")


class Policy(StrEnum):
    """What the gate demands of a theorem; the value is the prefix of its name."""

    CONFIRM = "thm_"
    SEARCH = "search_"
    REFUTE = "refuted_"


_ROLES = {
    Policy.CONFIRM: Role.SUPPORTS,
    Policy.SEARCH: Role.SEARCHES,
    Policy.REFUTE: Role.REFUTES,
}

DEFAULT_SECONDS = {Policy.CONFIRM: 40.0, Policy.SEARCH: 3.0, Policy.REFUTE: 40.0}
"""Budget in seconds of processor time; a search always spends all of it."""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A function that returns true for all arguments that meet its preconditions."""

    name: str
    """Topic and function, for example `access.thm_ledger_counts`."""

    function: Callable[..., bool]
    policy: Policy
    sentence: str
    keys: tuple[str, ...]
    preconditions: tuple[str, ...]

    seconds: float
    """Budget in seconds of processor time."""

    is_slow: bool
    """Whether a quick run leaves it out: a search, or a theorem that states its own budget."""

    problem: str
    """What is wrong with the docstring; empty if nothing is."""

    @property
    def method(self) -> Method:
        """CrossHair, for every theorem."""
        return Method.CROSSHAIR

    @property
    def role(self) -> Role:
        """What its success says about the claims: the policy decides."""
        return _ROLES[self.policy]


def policy_of(name: str) -> Policy | None:
    """Return the policy that the prefix of a name stands for, or None."""
    return next((policy for policy in Policy if name.startswith(policy.value)), None)


def theorem_of(function: Callable[..., bool]) -> Theorem:
    """Return the theorem that a function states."""
    policy = policy_of(function.__name__)
    if policy is None:
        raise RegistryError(f"{function.__name__} has none of the prefixes of a theorem")
    lines = (inspect.getdoc(function) or "").splitlines()
    tags = [match.groups() for match in map(_TAG.match, lines) if match]
    headers = [line for line in lines if _HEADER.match(line)]
    seconds = [float(value) for tag, value in tags if tag == "Seconds" and value.isdigit()]
    return Theorem(
        name=qualified_name(function),
        function=function,
        policy=policy,
        sentence=first_paragraph(function),
        keys=tuple(key for tag, keys in tags if tag == "Claim" for key in re.split(r",\s*", keys)),
        preconditions=tuple(line[5:] for line in headers if line.startswith("pre: ")),
        seconds=seconds[0] if seconds else DEFAULT_SECONDS[policy],
        is_slow=bool(seconds) or policy is Policy.SEARCH,
        problem=_problem(tags, headers),
    )


def _problem(tags: list[tuple[str, ...]], headers: list[str]) -> str:
    """Return what is wrong with the tags and contract lines of a docstring."""
    odd = [line for line in headers if line != "post: _" and not line.startswith("pre: ")]
    if odd:
        return f"only `pre: ...` and `post: _` are allowed, got `{odd[0].strip()}`"
    if (posts := headers.count("post: _")) != 1:
        return f"a theorem needs exactly one `post: _`, got {posts}"
    if [tag for tag, _ in tags] not in (["Claim"], ["Claim", "Seconds"]):
        return "a theorem needs one `Claim:` line, then at most one `Seconds:` line"
    if not all(value.isdigit() for tag, value in tags if tag == "Seconds"):
        return "`Seconds:` must be a whole number"
    return ""


def all_theorems(claims: Collection[str], package: str = THEOREMS) -> tuple[Theorem, ...]:
    """Return every theorem of the package, by name; each module must have at least one."""
    theorems: list[Theorem] = []
    for module in modules_of(package):
        found = [
            theorem_of(value)
            for name, value in vars(module).items()
            if policy_of(name)
            and isinstance(value, FunctionType)
            and value.__module__ == module.__name__
        ]
        if not found:
            raise RegistryError(f"no theorem found in {module.__name__}")
        theorems.extend(found)
    if not theorems:
        raise RegistryError(f"no theorem found in {package}")
    for theorem in theorems:
        require_known(theorem, claims)
    return tuple(sorted(theorems, key=lambda theorem: theorem.name))


def unsound_constructs(root: Path) -> Iterator[str]:
    """Yield what would make CrossHair confirm too much, in any module below a folder.

    If a function with a contract breaks it, CrossHair confirms its caller. So only theorems have
    contracts, and nothing calls them. A handler of `BaseException` would catch the exceptions by
    which CrossHair abandons a path.
    """
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(root.rglob("*.py"))}
    theorems = [
        node
        for path, tree in trees.items()
        for node in tree.body
        if "theorems" in path.relative_to(root).parts and isinstance(node, ast.FunctionDef)
        if policy_of(node.name)
    ]
    names = {theorem.name for theorem in theorems}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if node not in theorems and (fault := _fault(node, names)):
                yield f"{path.relative_to(root)}: {fault}"


def _fault(node: ast.AST, theorems: Collection[str]) -> str:
    """Return what is unsound about a node of a syntax tree that is not a theorem."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            lines = (ast.get_docstring(node) or "").splitlines()
            if any(map(_HEADER.match, lines)):
                return f"{node.name} has a contract and is not a theorem"
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in theorems:
            return f"{name} is used; nothing may call a theorem"
        case ast.ExceptHandler(type=None) | ast.ExceptHandler(type=ast.Name(id="BaseException")):
            return f"line {node.lineno} handles BaseException"
    return ""
