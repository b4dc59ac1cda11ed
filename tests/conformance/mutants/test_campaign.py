"""Every mutant is killed by its requirement, and every right subject is accepted."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.campaign import kill_all, mutants_named
from privtopk.conformance.mutants.catalogue import MUTANTS
from privtopk.conformance.mutants.mutant import Mutant
from privtopk.conformance.mutants.right.bases import RIGHT, address_of
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.loading import AddressError

PLAN = RunPlan(call_seconds=1.0, piece_seconds=120.0, mebibytes=1024)
FAINT = {"tail-chance-of-gumbel", "beta-by-normals", "laplace-with-zeros-values", "always-gumbel"}
"""Mutants that take seconds to kill; others name the same requirement."""

FIRST = {mutant.killer: mutant for mutant in reversed(MUTANTS) if mutant.name not in FAINT}
"""Per requirement, the first of the other mutants."""


@pytest.fixture(scope="module")
def workers() -> Iterator[GuardedExecutor]:
    """One worker process for all mutants."""
    with GuardedExecutor(1, PLAN.piece_seconds, PLAN.mebibytes) as executor:
        yield executor


def is_killed(mutant: Mutant, workers: GuardedExecutor) -> bool:
    """Return whether the requirement that a mutant names rejects it.

    It gets four times the usual trials, so that even a small bug survives with negligible
    probability; most mutants fail in the first trials.
    """
    only = (mutant.killer,)
    plan = replace(PLAN, budget=4.0, only=only, is_in_process=mutant.is_in_process)
    finished = run(mutant.address, plan, kind=mutant.kind, executor=workers)
    (verdict,) = (c.verdict for c in finished.cases if c.requirement.id == mutant.killer)
    return verdict is CaseVerdict.FAIL


@pytest.mark.slow
@pytest.mark.parametrize("mutant", FIRST.values(), ids=lambda mutant: mutant.name)
def test_every_requirement_kills(mutant: Mutant, workers: GuardedExecutor) -> None:
    """Each requirement that mutants name rejects at least one of them."""
    assert is_killed(mutant, workers)


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_every_mutant_is_killed(mutant: Mutant, workers: GuardedExecutor) -> None:
    """Every mutant is rejected by the requirement that it names."""
    assert is_killed(mutant, workers)


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("name", RIGHT)
def test_what_mutants_deviate_from_is_right(name: str, workers: GuardedExecutor) -> None:
    """The oracle accepts every right subject with a tenth of the trials."""
    plan = RunPlan(budget=0.1)
    assert run(address_of(name), plan, executor=workers).is_conforming


def test_a_campaign_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Each mutant has a line with its killer, and the last line counts them."""
    assert kill_all(RunPlan(), ("ranking-worst-first", "keys-of-32-bits")) == 0
    printed = capsys.readouterr().out
    assert "selector.ranked-law" in printed
    assert printed.endswith("2 of 2 killed by their own requirement\n")


def test_an_unknown_name_is_refused() -> None:
    """The error about an unknown mutant names it."""
    with pytest.raises(AddressError) as caught:
        mutants_named(("no-such",))
    assert str(caught.value) == "there is no mutant no-such"
