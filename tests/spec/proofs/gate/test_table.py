"""Tests of the report as text."""

from dataclasses import replace

from privtopk.spec.claims.table import Basis, Claim, EvidenceClass, Origin, Status
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import Check, Method, refutes, supports
from privtopk.spec.proofs.gate.report import make_report
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.table import WIDTH, render
from privtopk.spec.proofs.gate.task import Outcome, TaskKind


def seen() -> str:
    """It is so."""
    return "seen"


CLAIM = Claim(
    "thm:one",
    "Theorem 1",
    Origin.PAPER,
    Status.REFUTED,
    "It is so.",
    "So.",
    basis=Basis(EvidenceClass.WRITTEN, "m <= 6", "proofs.md#one"),
)
BUGS = (SeededBug("bug", "x", "y", ("a.a", "a.c", "a.d"), "model.access"),)
CHECKS: tuple[Check, ...] = (
    replace(supports("thm:one", method=Method.EXACT)(seen), name="a.a"),
    replace(supports("thm:one", method=Method.EXACT)(seen), name="a.b"),
    replace(refutes("thm:one", method=Method.Z3)(seen), name="a.c"),
    replace(supports("thm:two", method=Method.ARB)(seen), name="a.d"),
)
CLAIMS = (
    CLAIM,
    replace(
        CLAIM,
        key="thm:two",
        status=Status.HOLDS,
        basis=Basis(EvidenceClass.DEFINITION, "got 3"),
    ),
    replace(
        CLAIM,
        key="thm:three",
        status=Status.OPEN,
        basis=Basis(EvidenceClass.FOR_ALL, "for all parameters"),
    ),
)


def test_the_table_is_rendered() -> None:
    """A claim has its class, its methods, a witness first, and controls; then come counts."""
    outcomes = (
        Outcome("a.a", TaskKind.CHECK, True, "passed", "m <= 6: 1,312 cases"),
        Outcome("a.b", TaskKind.CHECK, True, "passed", "again"),
        Outcome("a.c", TaskKind.CHECK, True, "passed", "m = 2 " * 20),
        Outcome("a.d", TaskKind.CHECK, False, "failed", "got 3"),
        Outcome("coq.box", TaskKind.COQ, True, "not run", "not run: coqc not found"),
        Outcome("bug", TaskKind.BUG, True, "killed", "noticed"),
    )
    text = render(make_report(Inventory(CLAIMS, CHECKS, (), BUGS), outcomes, 2.0))
    assert text.splitlines() == [
        "claim     number    status  method  evidence",
        "thm:one   Theorem 1 refuted class   proved in writing, checked for m <= 6",
        "                            z3      " + "m = 2 " * 10 + "m =",
        "                                    2 " + "m = 2 " * 8 + "m = 2",
        "                            exact   m <= 6: 1,312 cases (+1)",
        "                            control bug",
        "thm:two   Theorem 1 FAILED  class   definition, checked for got 3",
        "                            arb     got 3",
        "                            control bug",
        "thm:three Theorem 1 open    class   for all parameters",
        "                            control none",
        "",
        "3 claims: 0 hold, 0 hold with correction, 1 refuted as printed, 1 open",
        "Classes: 1 for all parameters, 1 proved in writing, 1 definition, 0 examples only",
        "CrossHair: 0 confirmed, 0 searched only, 0 refuted as expected",
        "Coq: not run: coqc not found",
        "Seeded bugs: 1 of 1 killed; 0 claims lack one",
        "2.0 s",
        "",
        "FAILED (1)",
        "  a.d: got 3",
    ]


def test_the_table_fits_its_width() -> None:
    """However long the texts are, no line of the table is wider than the terminal."""
    claim = replace(CLAIM, key="thm:" + "x" * 60, number="Theorem " * 9)
    check = replace(CHECKS[2], keys=(claim.key,))
    outcome = Outcome("a.c", TaskKind.CHECK, True, "passed", "a long tale " * 50)
    found = make_report(Inventory((claim,), (check,), (), ()), [outcome], 2.0, is_selection=True)
    assert max(map(len, render(found).splitlines()[:3])) <= WIDTH


def test_a_claim_whose_checks_were_left_out_says_so() -> None:
    """A claim of which some checks were not run is shown as such."""
    outcome = Outcome("a.a", TaskKind.CHECK, True, "passed", "seen")
    found = make_report(Inventory((CLAIM,), CHECKS, (), BUGS), [outcome], 2.0)
    assert render(found).splitlines()[1:3] == [
        "thm:one Theorem 1 not run class   proved in writing, checked for m <= 6",
        "                          exact   seen",
    ]
