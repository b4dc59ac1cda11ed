"""Tests of the theorems as plain functions: Python agrees with what CrossHair confirms."""

import ast
import inspect
import random
import typing
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from privtopk.spec.claims.table import CLAIMS
from privtopk.spec.proofs import theorems
from privtopk.spec.proofs.gate.replay import replay_here
from privtopk.spec.proofs.gate.theorem import Policy, Theorem, all_theorems

FOLDER = Path(theorems.__file__).parent
MODULES = sorted(path for path in FOLDER.rglob("*.py") if path.name != "__init__.py")
THEOREMS = all_theorems({claim.key for claim in CLAIMS})

ATTEMPTS = 20_000
AGREEMENTS = 12
"""Random arguments are drawn until this many meet the preconditions, or until ATTEMPTS."""


def _argument(kind: object, generator: random.Random) -> object:
    """Return a small random value of a type that theorems take."""
    if kind is bool:
        return generator.random() < 0.5
    if kind is int:
        return generator.randint(-1, 4)
    return tuple(_argument(part, generator) for part in typing.get_args(kind))


def _calls(theorem: Theorem) -> Iterator[str]:
    """Yield calls of the theorem as text, the same ones in every run."""
    generator = random.Random(theorem.name)
    kinds = typing.get_type_hints(theorem.function)
    names = list(inspect.signature(theorem.function).parameters)
    for _ in range(ATTEMPTS):
        arguments = ", ".join(repr(_argument(kinds[name], generator)) for name in names)
        yield f"{theorem.function.__name__}({arguments})"


def _accounts(theorem: Theorem) -> Iterator[str]:
    """Yield what each call that meets the preconditions returns or raises."""
    for call in _calls(theorem):
        account = replay_here(theorem, call).account
        if not account.startswith("does not meet"):
            yield f"{call} {account}" if account != "returns True" else account


@pytest.mark.parametrize(
    "theorem",
    [theorem for theorem in THEOREMS if theorem.policy is not Policy.REFUTE],
    ids=lambda theorem: theorem.name,
)
def test_a_theorem_holds_in_plain_python(theorem: Theorem) -> None:
    """On small random arguments that meet its preconditions a theorem returns true."""
    assert set(islice(_accounts(theorem), AGREEMENTS)) == {"returns True"}


def test_every_policy_has_its_theorems() -> None:
    """There are theorems to confirm, to search beyond them, and wrong statements to refute."""
    count = {policy: sum(one.policy is policy for one in THEOREMS) for policy in Policy}
    assert count[Policy.CONFIRM] >= 42
    assert count[Policy.SEARCH] >= 8
    assert count[Policy.REFUTE] >= 8


def test_only_a_refuted_erratum_or_statement_is_refuted() -> None:
    """What a theorem refutes is marked as refuted in the table of claims."""
    status = {claim.key: claim.status.name for claim in CLAIMS}
    refuted = {key for one in THEOREMS if one.policy is Policy.REFUTE for key in one.keys}
    assert {status[key] for key in refuted} == {"REFUTED"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_uses_what_it_imports(path: Path) -> None:
    """Every imported name occurs in the code or in a contract, where ruff does not look."""
    tree = ast.parse(path.read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        for line in (ast.get_docstring(function) or "").splitlines():
            if line.startswith("pre: "):
                contract = ast.walk(ast.parse(line.removeprefix("pre: ")))
                used |= {node.id for node in contract if isinstance(node, ast.Name)}
    assert imported <= used
