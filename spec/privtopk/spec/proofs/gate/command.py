"""What the command `python -m privtopk.spec` does once the solvers are known to be installed."""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from privtopk.spec.proofs.gate import documents, runner, table
from privtopk.spec.proofs.gate.inventory import Inventory, take_inventory
from privtopk.spec.proofs.gate.registry import RegistryError
from privtopk.spec.proofs.gate.report import make_report


@dataclass(frozen=True, slots=True)
class GateOptions:
    """The options of the command line."""

    only: Sequence[str] = ()
    is_quick: bool = False
    is_json: bool = False
    is_list: bool = False
    write_docs: Path | None = None
    check_docs: Path | None = None
    jobs: int | None = None


def carry_out(options: GateOptions) -> int:
    """Do what the options ask for; return the exit code."""
    try:
        return _carry_out(options, take_inventory())
    except RegistryError as error:
        print(f"nothing was checked: {error}", file=sys.stderr)
        return 1


def _carry_out(options: GateOptions, inventory: Inventory) -> int:
    """Write the pages, compare them, list the names, or run the checks."""
    if options.write_docs:
        documents.write_pages(inventory, options.write_docs)
        return 0
    if options.check_docs:
        stale = documents.stale_pages(inventory, options.check_docs)
        for name in stale:
            print(f"{options.check_docs / name} is out of date: run make pages", file=sys.stderr)
        return 1 if stale else 0
    chosen = inventory.only(options.only) if options.only else inventory
    planned = chosen.quick() if options.is_quick else chosen
    if options.is_list:
        print("\n".join(_listing(planned)))
        return 0
    if not planned.tasks:
        raise RegistryError("there is nothing to run")
    return _prove(options, inventory, planned)


def _listing(inventory: Inventory) -> Iterator[str]:
    """Yield one line per check, theorem and bug."""
    for each in inventory.evidence:
        yield f"{each.method.value:11} {each.name}: {each.role.value} {', '.join(each.keys)}"
    for bug in inventory.bugs:
        yield f"{'bug':11} {bug.name}: killed by {', '.join(bug.killers)}"


def _prove(options: GateOptions, inventory: Inventory, planned: Inventory) -> int:
    """Run the planned tasks and print the report on the claims."""
    # CrossHair visits paths in an order that depends on the hash seed.
    os.environ.setdefault("PYTHONHASHSEED", "0")
    progress = runner.terminal_progress if sys.stderr.isatty() else None
    start = time.monotonic()
    outcomes = runner.run(planned.tasks, options.jobs, progress)
    seconds = time.monotonic() - start
    report = make_report(inventory, outcomes.values(), seconds, is_selection=bool(options.only))
    print(json.dumps(report.as_json(), indent=2) if options.is_json else table.render(report))
    return 1 if report.failures else 0
