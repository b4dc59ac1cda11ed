"""Tests of the report: when a claim counts, and when the gate fails."""

from dataclasses import replace
from pathlib import Path

import pytest

from privtopk.spec.claims.table import Basis, Claim, EvidenceClass, Origin, Status
from privtopk.spec.proofs.gate.coq import CoqTheorem
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import Check, Method, refutes, searches, supports
from privtopk.spec.proofs.gate.report import Report, make_report
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.task import Outcome, TaskKind


def seen() -> str:
    """It is so."""
    return "seen"


SUPPORT = replace(supports("thm:one", method=Method.EXACT)(seen), name="a.support")
REFUTATION = replace(refutes("thm:one", method=Method.Z3)(seen), name="a.refutation")
SEARCH = replace(searches("thm:one", method=Method.ARB)(seen), name="a.search")
SEEN = Basis(EvidenceClass.WRITTEN, "seen", "proofs.md#one")
CLAIM = Claim("thm:one", "Theorem 1", Origin.PAPER, Status.HOLDS, "It is so.", basis=SEEN)
KILLERS = ("a.support", "a.refutation", "coq.box.one")
BUG = SeededBug("bug", "x", "y", KILLERS, "model.access")


def passed(name: str) -> Outcome:
    """Return the outcome of a check that passed."""
    return Outcome(name, TaskKind.CHECK, True, "passed", "seen", 0.25)


def compiled(finding: str, *axioms: str) -> Outcome:
    """Return the outcome of a Coq file with two theorems."""
    is_success = finding in ("proved", "not run")
    names = ("coq.box.one", "coq.box.two")
    return Outcome("coq.box", TaskKind.COQ, is_success, finding, finding, 0.0, names, axioms)


def coq_theorem(name: str) -> CoqTheorem:
    """Return a Coq theorem about the claim."""
    return CoqTheorem(Path("box.v"), name, ("thm:one",), "It is so.")


def report_on_coq(*outcomes: Outcome, checks: tuple[Check, ...] = ()) -> Report:
    """Return a report on a claim with two Coq theorems and perhaps checks."""
    theorems = (coq_theorem("one"), coq_theorem("two"))
    claim = replace(CLAIM, basis=Basis(EvidenceClass.FOR_ALL, "proved"))
    return make_report(Inventory((claim,), checks, (), (BUG,), (), theorems), outcomes, 1.0)


def report(claim: Claim, *checks: Check, outcomes: tuple[Outcome, ...] | None = None) -> Report:
    """Return a report on one claim; by default every check passed."""
    found = tuple(passed(check.name) for check in checks) if outcomes is None else outcomes
    return make_report(Inventory((claim,), checks, (), (BUG,)), found, 1.0)


HOLDS, CORRECTED = Status.HOLDS, Status.CORRECTED
REFUTED, OPEN = Status.REFUTED, Status.OPEN


@pytest.mark.parametrize(
    ("status", "correction", "checks"),
    [
        (HOLDS, "", (SUPPORT,)),
        (CORRECTED, "So.", (SUPPORT,)),
        (CORRECTED, "So.", (SUPPORT, REFUTATION)),
        (REFUTED, "", (REFUTATION,)),
        (REFUTED, "So.", (SUPPORT, REFUTATION)),
    ],
)
def test_a_claim_is_established(status: Status, correction: str, checks: tuple[Check, ...]) -> None:
    """A claim with the evidence that its status needs is counted, and nothing fails."""
    found = report(replace(CLAIM, status=status, correction=correction), *checks)
    assert (found.count_established(status), found.failures) == (1, ())


@pytest.mark.parametrize(
    ("status", "correction", "checks", "failure"),
    [
        (HOLDS, "", (), "thm:one has no check"),
        (CORRECTED, "So.", (), "thm:one has no check"),
        (REFUTED, "", (), "thm:one has no check"),
        (HOLDS, "", (REFUTATION,), "thm:one holds, but no check supports it"),
        (HOLDS, "", (SUPPORT, REFUTATION), "thm:one holds, but has a refuting check"),
        (CORRECTED, "So.", (REFUTATION,), "thm:one holds, but no check supports it"),
        (REFUTED, "", (SUPPORT,), "thm:one is refuted, but no check refutes it"),
        (
            REFUTED,
            "So.",
            (REFUTATION,),
            "thm:one is corrected, but no check supports the correction",
        ),
        (HOLDS, "", (SEARCH,), "thm:one holds, but no check supports it"),
        (OPEN, "", (REFUTATION,), "thm:one is open, but has more than searches"),
        (OPEN, "", (SUPPORT, SEARCH), "thm:one is open, but has more than searches"),
    ],
)
def test_a_claim_lacks_evidence(
    status: Status, correction: str, checks: tuple[Check, ...], failure: str
) -> None:
    """A claim without the evidence that its status needs fails the gate."""
    found = report(replace(CLAIM, status=status, correction=correction), *checks)
    assert (found.count_established(status), found.failures) == (0, (failure,))


@pytest.mark.parametrize("checks", [(), (SEARCH,)])
def test_an_open_claim_never_holds(checks: tuple[Check, ...]) -> None:
    """An open claim may have searches, fails nothing, and is not counted as holding."""
    numbers = report(replace(CLAIM, status=OPEN), *checks).as_json()
    assert (numbers["open"], numbers["holds"], numbers["failures"]) == (1, 0, [])


def test_a_failed_check_fails_the_gate() -> None:
    """One failed check keeps its claim from holding and fails the gate."""
    failed = Outcome("a.support", TaskKind.CHECK, False, "failed", "got 3")
    found = report(CLAIM, SUPPORT, outcomes=(failed,))
    assert (found.count_established(HOLDS), found.failures) == (0, ("a.support: got 3",))


def test_a_check_that_was_not_run_establishes_nothing() -> None:
    """A claim holds only if all of its checks were run."""
    other = replace(SUPPORT, name="a.other")
    found = report(CLAIM, SUPPORT, other, outcomes=(passed("a.support"),))
    assert (found.count_established(HOLDS), found.failures) == (0, ())


def test_a_surviving_bug_fails_the_gate() -> None:
    """A seeded bug that survives fails the gate."""
    survivor = Outcome("off-by-one", TaskKind.BUG, False, "survived", "nobody noticed")
    found = report(CLAIM, SUPPORT, outcomes=(passed("a.support"), survivor))
    assert found.failures == ("off-by-one: nobody noticed",)


def test_a_selection_shows_what_it_touched() -> None:
    """A selection reports only the claims whose checks were run."""
    inventory = Inventory((CLAIM, replace(CLAIM, key="thm:two")), (SUPPORT,), (), (BUG,))
    found = make_report(inventory, [passed("a.support")], 1.0, is_selection=True)
    assert ([row.claim for row in found.rows], found.failures) == ([CLAIM], ())


def test_coq_theorems_establish_a_claim() -> None:
    """A claim holds if the file of its Coq theorems compiles."""
    found = report_on_coq(compiled("proved"))
    assert (found.count_established(HOLDS), found.failures) == (1, ())


@pytest.mark.parametrize("finding", ["rejected", "failed"])
def test_a_coq_file_that_does_not_compile_fails_the_gate(finding: str) -> None:
    """A rejected or admitted proof fails the gate, whatever other checks find."""
    found = report_on_coq(compiled(finding), passed("a.support"), checks=(SUPPORT,))
    assert (found.count_established(HOLDS), found.failures) == (0, (f"coq.box: {finding}",))
    assert found.coq == "0 of 2 theorems proved for all parameters, 0 axioms"


def test_axioms_fail_the_gate_and_are_counted_once() -> None:
    """A proof from axioms fails the gate; an axiom of two files is one axiom."""
    other = replace(compiled("assuming", "a", "b"), name="coq.lid", theorems=("coq.lid.three",))
    found = report_on_coq(compiled("assuming", "a"), other)
    assert (found.as_json()["coq_axioms"], len(found.failures)) == (2, 2)


def test_without_coqc_the_other_checks_decide() -> None:
    """Coq theorems that cannot be compiled here are left aside, and the report says so."""
    found = report_on_coq(compiled("not run"), passed("a.support"), checks=(SUPPORT,))
    numbers = found.as_json()
    assert (numbers["holds"], numbers["failures"], numbers["coq"]) == (1, [], "not run")
    assert (numbers["coq_theorems"], numbers["coq_axioms"]) == (None, None)


def test_without_coqc_a_claim_of_coq_alone_is_not_established() -> None:
    """A claim whose only evidence could not be run neither holds nor fails."""
    found = report_on_coq(compiled("not run"))
    assert (found.count_established(HOLDS), found.failures) == (0, ())


def test_a_run_without_coq_says_so() -> None:
    """A run that leaves Coq out reports that, and no numbers."""
    numbers = report(CLAIM, SUPPORT).as_json()
    assert (numbers["coq"], numbers["coq_theorems"]) == ("not run: left out of this run", None)


def test_a_bug_that_could_not_be_seeded_is_not_counted() -> None:
    """A bug in a Coq file counts neither as seeded nor as killed without `coqc`."""
    bug = Outcome("bug", TaskKind.BUG, True, "not run", "not run: coqc not found")
    numbers = report(CLAIM, SUPPORT, outcomes=(passed("a.support"), bug)).as_json()
    assert (numbers["seeded_bugs"], numbers["seeded_bugs_killed"]) == (0, 0)


def test_a_claim_without_a_control_fails_the_gate() -> None:
    """A claim none of whose checks must refute a seeded bug fails the gate, and is counted."""
    found = make_report(Inventory((CLAIM,), (SUPPORT,), (), ()), [passed("a.support")], 1.0)
    assert found.failures == ("thm:one has no seeded bug for what supports it",)
    assert found.as_json()["claims_without_control"] == 1


@pytest.mark.parametrize(
    ("killer", "word"), [("a.support", "refutes"), ("a.refutation", "supports")]
)
def test_a_refuted_claim_needs_a_control_of_both_halves(killer: str, word: str) -> None:
    """The witness of a refuted claim needs a seeded bug, and so does its correction."""
    claim = replace(CLAIM, status=REFUTED, correction="So.")
    inventory = Inventory((claim,), (SUPPORT, REFUTATION), (), (replace(BUG, killers=(killer,)),))
    found = make_report(inventory, [passed("a.support"), passed("a.refutation")], 1.0)
    assert found.failures == (f"thm:one has no seeded bug for what {word} it",)


def test_a_claim_for_all_parameters_needs_such_a_check() -> None:
    """A claim that only exact cases support is not for all parameters."""
    claim = replace(CLAIM, basis=Basis(EvidenceClass.FOR_ALL, "seen"))
    assert report(claim, SUPPORT).failures == (
        "thm:one is for all parameters, but neither Coq nor z3 nor algebra supports it",
    )
    assert report(claim, replace(SUPPORT, method=Method.Z3)).failures == ()


@pytest.mark.parametrize("checked", ["m <= 4", "see"])
def test_a_range_that_no_check_reports_fails_the_gate(checked: str) -> None:
    """The range of a claim stands, in whole words, in what one of its checks reports."""
    claim = replace(CLAIM, basis=replace(SEEN, checked=checked))
    failure = f"thm:one is proved in writing, checked for {checked}, but no such check reports that"
    assert report(claim, SUPPORT).failures == (failure,)


def test_all_parameters_are_reported_by_a_check_for_all_of_them() -> None:
    """What another method reports says nothing about all parameters."""
    claim = replace(CLAIM, basis=Basis(EvidenceClass.FOR_ALL, "seen"))
    z3 = replace(SUPPORT, name="a.z3", method=Method.Z3)
    outcomes = (passed("a.support"), replace(passed("a.z3"), evidence="m <= 4"))
    assert report(claim, SUPPORT, z3, outcomes=outcomes).failures == (
        "thm:one is for all parameters: seen, but no such check reports that",
    )


def test_a_range_is_compared_only_if_all_checks_were_run() -> None:
    """A quick run may leave out the check that reports the range."""
    claim = replace(CLAIM, basis=replace(SEEN, checked="m <= 4"))
    other = replace(SUPPORT, name="a.other")
    assert report(claim, SUPPORT, other, outcomes=(passed("a.support"),)).failures == ()


def test_the_report_for_machines() -> None:
    """The JSON has exactly the promised fields."""
    found = report(
        CLAIM,
        SUPPORT,
        outcomes=(
            passed("a.support"),
            Outcome("a.thm_a", TaskKind.THEOREM, True, "confirmed", "all 2 paths"),
            Outcome("a.search_a", TaskKind.THEOREM, True, "searched", "none"),
            Outcome("a.refuted_a", TaskKind.THEOREM, True, "refuted", "a(1)"),
            Outcome("a.thm_b", TaskKind.THEOREM, False, "refuted", "thm_b(1) returns False"),
            compiled("proved"),
            Outcome("bug", TaskKind.BUG, True, "killed", "noticed"),
        ),
    )
    assert found.as_json() == {
        "claims": 1,
        "holds": 1,
        "holds_with_correction": 0,
        "refuted": 0,
        "open": 0,
        "claims_without_control": 0,
        "classes": {
            "for all parameters": 0,
            "proved in writing": 1,
            "definition": 0,
            "examples only": 0,
        },
        "crosshair_confirmed": 1,
        "crosshair_searched": 1,
        "crosshair_refuted_as_expected": 1,
        "coq": "2 of 2 theorems proved for all parameters, 0 axioms",
        "coq_theorems": 2,
        "coq_axioms": 0,
        "seeded_bugs": 1,
        "seeded_bugs_killed": 1,
        "failures": ["a.thm_b: thm_b(1) returns False"],
        "rows": [
            {
                "key": "thm:one",
                "number": "Theorem 1",
                "origin": "paper",
                "status": "holds",
                "class": "proved in writing",
                "checked": "seen",
                "proof": "proofs.md#one",
                "controls": ["bug"],
                "is_established": True,
                "evidence": [
                    {
                        "name": "a.support",
                        "method": "exact",
                        "role": "supports",
                        "finding": "passed",
                        "evidence": "seen",
                        "seconds": 0.25,
                    }
                ],
            }
        ],
        "seconds": 1.0,
    }
