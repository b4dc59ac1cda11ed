"""Seeded bugs: one-line changes of the specification that the gate must reject.

A check that accepts a wrong program shows nothing. A bug has the text to change in one module, the
changed text, and the names of the theorems and checks that must refute the changed specification.
"""

import importlib.util
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from privtopk.spec.proofs.gate.coq import PLACE
from privtopk.spec.proofs.gate.registry import CHECKS, RegistryError, modules_of
from privtopk.spec.proofs.gate.theorem import THEOREMS, policy_of

BUGS = "privtopk.spec.proofs.bugs"
"""The package of the bugs; `bugs/model/access.py` has those of `model.access` in a tuple `BUGS`."""

SPECIFICATION = "privtopk.spec"


@dataclass(frozen=True, slots=True)
class SeededBug:
    """One wrong line, and the theorems and checks that must refute it."""

    name: str
    """What goes wrong, for example `ledger-forgets-random-access`."""

    original: str
    """Text that occurs exactly once in the module's source."""

    mutated: str

    killers: tuple[str, ...]
    """Names of theorems and checks, for example `model.access.thm_ledger_counts_every_access`."""

    module: str = ""
    """The module of the specification, for example `model.access`; `all_bugs` derives it."""

    @property
    def is_coq(self) -> bool:
        """Whether it changes a Coq file, for example `proofs.coq.threshold`."""
        return self.module.startswith(f"{PLACE}.")

    @property
    def source(self) -> Path:
        """The file that it changes, below the folder of the specification."""
        suffix = ".v" if self.is_coq else ".py"
        return Path(*self.module.split(".")).with_suffix(suffix)


def apply_bug(bug: SeededBug, source: str) -> str:
    """Return the source with the one change made."""
    if (count := source.count(bug.original)) != 1:
        raise RegistryError(
            f"{bug.name}: the text to change must occur once in {bug.module}, got {count}"
        )
    if bug.original == bug.mutated:
        raise RegistryError(f"{bug.name}: the change changes nothing")
    return source.replace(bug.original, bug.mutated)


def specification_root() -> Path:
    """Return the folder that holds the package `privtopk` of this specification."""
    found = importlib.util.find_spec(SPECIFICATION)
    if found is None or not found.submodule_search_locations:
        raise RegistryError(f"{SPECIFICATION} is not a package")
    return Path(found.submodule_search_locations[0]).parents[1]


def evidence_reference(name: str) -> tuple[str, str]:
    """Return the module and the function of a check or theorem, given its qualified name."""
    topic, _, function = name.rpartition(".")
    package = THEOREMS if policy_of(function) else CHECKS
    return f"{package}.{topic}", function


def all_bugs(known: Collection[str], package: str = BUGS) -> tuple[SeededBug, ...]:
    """Return every bug of the package, by name; each must have killers, and all must be known."""
    bugs: list[SeededBug] = []
    for module in modules_of(package):
        declared = getattr(module, "BUGS", ())
        if not declared or not all(isinstance(bug, SeededBug) for bug in declared):
            raise RegistryError(f"{module.__name__} has no tuple BUGS of seeded bugs")
        place = module.__name__.removeprefix(f"{package}.")
        bugs.extend(replace(bug, module=place) for bug in declared)
    for bug in bugs:
        unknown = [killer for killer in bug.killers if killer not in known]
        if unknown or not bug.killers:
            raise RegistryError(f"{bug.name} needs known killers, got {', '.join(unknown) or '()'}")
    return tuple(sorted(bugs, key=lambda bug: bug.name))
