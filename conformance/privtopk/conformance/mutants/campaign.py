"""Runs every mutant several times against the requirement that must reject it.

The table that it prints has the median number of trials and seconds until the verdict.
"""

import statistics
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Final

from rich.console import Console
from rich.table import Table

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.mutants.catalogue import MUTANTS
from privtopk.conformance.mutants.mutant import Mutant
from privtopk.conformance.running.console import show_progress
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.loading import AddressError

CALL_SECONDS: Final = 5.0
"""Some mutants hang on purpose; no call of the others takes this long."""

PIECE_SECONDS: Final = 120.0

WIDTH: Final = 140
"""Columns of the table when it is not printed on a terminal."""

REPETITIONS: Final = 3
"""Runs per mutant, each with another seed."""


@dataclass(frozen=True, slots=True)
class Death:
    """The runs of one mutant against its requirement."""

    mutant: Mutant
    cases: tuple[Case, ...]

    @property
    def is_certain(self) -> bool:
        """Whether its requirement rejected it in every run."""
        return all(case.verdict is CaseVerdict.FAIL for case in self.cases)

    @property
    def trials(self) -> float:
        """The median number of trials until the verdict."""
        return statistics.median(case.trials for case in self.cases)

    @property
    def seconds(self) -> float:
        """The median time until the verdict."""
        return statistics.median(case.seconds for case in self.cases)


def kill_all(plan: RunPlan, names: Sequence[str] = ()) -> int:
    """Run the mutants, print the table, and return 0 if every mutant was killed."""
    chosen = mutants_named(names)
    deaths: list[Death] = []
    with (
        GuardedExecutor(plan.jobs, PIECE_SECONDS, plan.mebibytes) as workers,
        show_progress("mutants") as progress,
    ):
        for number, mutant in enumerate(chosen):
            progress(number, len(chosen), mutant.name)
            deaths.append(death_of(mutant, plan, workers))
    console = Console()
    (console if console.is_terminal else Console(width=WIDTH)).print(table_of(deaths))
    survivors = [death.mutant.name for death in deaths if not death.is_certain]
    print(f"{len(deaths) - len(survivors)} of {len(deaths)} killed by their own requirement")
    if survivors:
        print("survived: " + ", ".join(survivors))
    return 1 if survivors else 0


def mutants_named(names: Sequence[str]) -> tuple[Mutant, ...]:
    """Return the mutants of these names, or all if there are none."""
    unknown = set(names) - {mutant.name for mutant in MUTANTS}
    if unknown:
        raise AddressError(f"there is no mutant {', '.join(sorted(unknown))}")
    return tuple(mutant for mutant in MUTANTS if not names or mutant.name in names)


def death_of(mutant: Mutant, plan: RunPlan, workers: Executor) -> Death:
    """Run a mutant against the requirement that must kill it."""
    cases: list[Case] = []
    for turn in range(REPETITIONS):
        wanted = replace(
            plan,
            seed=plan.seed + turn,
            only=(mutant.killer,),
            call_seconds=min(plan.call_seconds, CALL_SECONDS),
            is_in_process=plan.is_in_process or mutant.is_in_process,
        )
        found = run(mutant.address, wanted, kind=mutant.kind, executor=workers).cases
        cases += [case for case in found if case.requirement.id == mutant.killer]
    return Death(mutant, tuple(cases))


def table_of(deaths: Sequence[Death]) -> Table:
    """Return the table of all mutants."""
    table = Table("mutant", "kind", "killed by", "trials", "seconds", "verdict")
    for death in deaths:
        mutant = death.mutant
        table.add_row(
            mutant.name,
            mutant.kind,
            mutant.killer,
            f"{death.trials:,.0f}",
            f"{death.seconds:.2f}",
            "killed" if death.is_certain else "SURVIVED",
        )
    return table
