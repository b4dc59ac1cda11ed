"""Tests of the report as text."""

from dataclasses import replace

from privtopk.spec.claims.table import Claim, Origin, Status
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import Check, Method, refutes, supports
from privtopk.spec.proofs.gate.report import make_report
from privtopk.spec.proofs.gate.table import WIDTH, render
from privtopk.spec.proofs.gate.task import Outcome, TaskKind


def seen() -> str:
    """It is so."""
    return "seen"


CLAIM = Claim("thm:one", "Theorem 1", Origin.PAPER, Status.REFUTED, "It is so.", "So.")
CHECKS: tuple[Check, ...] = (
    replace(supports("thm:one", method=Method.EXACT)(seen), name="a.a"),
    replace(supports("thm:one", method=Method.EXACT)(seen), name="a.b"),
    replace(refutes("thm:one", method=Method.Z3)(seen), name="a.c"),
    replace(supports("thm:two", method=Method.ARB)(seen), name="a.d"),
)
CLAIMS = (
    CLAIM,
    replace(CLAIM, key="thm:two", status=Status.HOLDS),
    replace(CLAIM, key="thm:three", status=Status.OPEN),
)


def test_the_table_is_rendered() -> None:
    """One line per claim and method, a refuted claim's witness first, then counts and failures."""
    outcomes = (
        Outcome("a.a", TaskKind.CHECK, True, "passed", "m <= 6: 1,312 cases"),
        Outcome("a.b", TaskKind.CHECK, True, "passed", "again"),
        Outcome("a.c", TaskKind.CHECK, True, "passed", "m = 2 " * 20),
        Outcome("a.d", TaskKind.CHECK, False, "failed", "got 3"),
        Outcome("coq.box", TaskKind.COQ, True, "not run", "not run: coqc not found"),
        Outcome("bug", TaskKind.BUG, True, "killed", "noticed"),
    )
    text = render(make_report(Inventory(CLAIMS, CHECKS, (), ()), outcomes, 2.0))
    assert text.splitlines() == [
        "claim     number    status  method evidence",
        "thm:one   Theorem 1 refuted z3     " + "m = 2 " * 10 + "m = 2",
        "                                   " + "m = 2 " * 8 + "m = 2",
        "                            exact  m <= 6: 1,312 cases (+1)",
        "thm:two   Theorem 1 FAILED  arb    got 3",
        "thm:three Theorem 1 open",
        "",
        "3 claims: 0 hold, 0 hold with correction, 1 refuted as printed, 1 open",
        "CrossHair: 0 confirmed, 0 searched only, 0 refuted as expected",
        "Coq: not run: coqc not found",
        "Seeded bugs: 1 of 1 killed",
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
    found = make_report(Inventory((CLAIM,), CHECKS, (), ()), [outcome], 2.0)
    assert render(found).splitlines()[1] == "thm:one Theorem 1 not run exact  seen"
