"""The inventory: all evidence and seeded bugs, well formed and with unique names."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from privtopk.spec.claims.table import CLAIMS, Claim, Status
from privtopk.spec.proofs.gate.citations import Citation, citations_below
from privtopk.spec.proofs.gate.coq import CoqTheorem, all_coq_theorems
from privtopk.spec.proofs.gate.registry import (
    Check,
    Evidence,
    Method,
    RegistryError,
    Role,
    all_checks,
)
from privtopk.spec.proofs.gate.seeded_bugs import (
    SPECIFICATION,
    SeededBug,
    all_bugs,
    specification_root,
)
from privtopk.spec.proofs.gate.task import Task, bug_task, check_task, coq_tasks, theorem_task
from privtopk.spec.proofs.gate.theorem import Theorem, all_theorems, unsound_constructs


@dataclass(frozen=True, slots=True)
class Inventory:
    """The claims, and all that can be run for them."""

    claims: tuple[Claim, ...]
    checks: tuple[Check, ...]
    theorems: tuple[Theorem, ...]
    bugs: tuple[SeededBug, ...]
    citations: tuple[Citation, ...] = ()
    coq_theorems: tuple[CoqTheorem, ...] = ()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Checks, theorems and Coq theorems together, by name."""
        every: list[Evidence] = [*self.checks, *self.theorems, *self.coq_theorems]
        return tuple(sorted(every, key=lambda evidence: evidence.name))

    def evidence_of(self, claim: Claim) -> tuple[Evidence, ...]:
        """Return all that is about a claim, by name."""
        return tuple(each for each in self.evidence if claim.key in each.keys)

    def controls_of(self, claim: Claim) -> tuple[SeededBug, ...]:
        """Return the bugs that a check for or against a claim must refute; a search is none."""
        judges = {each.name for each in self.evidence_of(claim) if each.role is not Role.SEARCHES}
        return tuple(bug for bug in self.bugs if judges.intersection(bug.killers))

    def uncontrolled_roles(self, claim: Claim) -> tuple[Role, ...]:
        """Return the roles that a claim needs and in which no seeded bug tests a check of it."""
        killers = {killer for bug in self.bugs for killer in bug.killers}
        tested = {each.role for each in self.evidence_of(claim) if each.name in killers}
        return tuple(role for role in needed_roles(claim) if role not in tested)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """One task per check, theorem, Coq file and bug."""
        return (
            *map(check_task, self.checks),
            *map(theorem_task, self.theorems),
            *coq_tasks(self.coq_theorems),
            *map(bug_task, self.bugs),
        )

    def quick(self) -> "Inventory":
        """Return the part for the inner loop: no slow checks, searches, Coq or seeded bugs.

        Symbolic algebra is left out too, because each process takes a second to load it.
        """
        return replace(
            self,
            checks=tuple(
                check
                for check in self.checks
                if not check.is_slow and check.method is not Method.SYMBOLIC
            ),
            theorems=tuple(theorem for theorem in self.theorems if not theorem.is_slow),
            coq_theorems=(),
            bugs=(),
        )

    def only(self, patterns: Sequence[str]) -> "Inventory":
        """Return the members whose name, or whose claim, matches a pattern."""
        for pattern in patterns:
            if not any(_matches(names, [pattern]) for names in self._names()):
                raise RegistryError(f"nothing matches {pattern}; --list prints all names")
        return replace(
            self,
            checks=tuple(c for c in self.checks if _matches((c.name, *c.keys), patterns)),
            theorems=tuple(t for t in self.theorems if _matches((t.name, *t.keys), patterns)),
            coq_theorems=tuple(
                t for t in self.coq_theorems if _matches((t.name, *t.keys), patterns)
            ),
            bugs=tuple(bug for bug in self.bugs if _matches((bug.name,), patterns)),
        )

    def _names(self) -> list[tuple[str, ...]]:
        """Return the names and keys by which each member can be selected."""
        return [
            *((evidence.name, *evidence.keys) for evidence in self.evidence),
            *((bug.name,) for bug in self.bugs),
        ]


def needed_roles(claim: Claim) -> tuple[Role, ...]:
    """Return the roles that the checks of a claim must have for its status."""
    match claim.status:
        case Status.OPEN:
            return ()
        case Status.REFUTED:
            return (Role.REFUTES, Role.SUPPORTS) if claim.correction else (Role.REFUTES,)
        case Status.HOLDS | Status.CORRECTED:
            return (Role.SUPPORTS,)


def _matches(names: Collection[str], patterns: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def take_inventory(claims: tuple[Claim, ...] = CLAIMS) -> Inventory:
    """Return all that can be run; raise a `RegistryError` if something is not well formed."""
    keys = [claim.key for claim in claims]
    checks = all_checks(keys)
    theorems = all_theorems(keys)
    coq_theorems = all_coq_theorems(keys)
    names = [each.name for group in (checks, theorems, coq_theorems) for each in group]
    bugs = all_bugs(names)
    _require_unique("claim", keys)
    _require_unique("name", [*names, *(bug.name for bug in bugs)])
    folder = specification_root() / Path(*SPECIFICATION.split("."))
    faults = list(unsound_constructs(folder))
    if faults:
        raise RegistryError("\n".join(faults))
    return Inventory(claims, checks, theorems, bugs, citations_below(folder), coq_theorems)


def _require_unique(what: str, values: Sequence[str]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise RegistryError(f"the {what} is used twice: {', '.join(twice)}")
