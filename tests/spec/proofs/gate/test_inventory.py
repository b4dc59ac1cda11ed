"""Tests of the inventory of checks, theorems and bugs."""

from dataclasses import replace
from pathlib import Path

import pytest

from privtopk.spec.claims.table import Claim, Origin, Status
from privtopk.spec.proofs.gate import inventory
from privtopk.spec.proofs.gate.coq import CoqTheorem
from privtopk.spec.proofs.gate.inventory import Inventory, take_inventory
from privtopk.spec.proofs.gate.registry import Check, Method, RegistryError, Role, supports
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug
from privtopk.spec.proofs.gate.theorem import Theorem, theorem_of


def seen() -> str:
    """It is so."""
    return "seen"


def thm_it(x: int) -> bool:
    """It is so.

    Claim: thm:two
    post: _
    """
    return x == x


FAST: Check = supports("thm:one", method=Method.EXACT)(seen)
SLOW = replace(FAST, name="topic.slow", is_slow=True)
THEOREM: Theorem = theorem_of(thm_it)
SEARCH = replace(THEOREM, name="topic.search_it", is_slow=True)
PROOF = CoqTheorem(Path("box.v"), "box_is_full", ("thm:two",), "The box is full.")
OTHER_PROOF = replace(PROOF, theorem="box_is_closed")
BUG = SeededBug("off-by-one", "a", "b", (THEOREM.name,), "access")
CLAIM = Claim("thm:one", "Theorem 1", Origin.PAPER, Status.HOLDS, "It is so.")
WHOLE = Inventory(
    (CLAIM, replace(CLAIM, key="thm:two")),
    (FAST, SLOW),
    (THEOREM, SEARCH),
    (BUG,),
    coq_theorems=(PROOF,),
)


def test_evidence_comes_by_name() -> None:
    """Checks, theorems and Coq theorems are listed together, by name."""
    names = [evidence.name for evidence in WHOLE.evidence]
    assert names == [
        "coq.box.box_is_full",
        "test_inventory.seen",
        "test_inventory.thm_it",
        "topic.search_it",
        "topic.slow",
    ]


def test_everything_is_a_task() -> None:
    """Every check, theorem, Coq file and bug is one task."""
    tasks = replace(WHOLE, coq_theorems=(PROOF, OTHER_PROOF)).tasks
    assert [task.name for task in tasks] == [
        "test_inventory.seen",
        "topic.slow",
        "test_inventory.thm_it",
        "topic.search_it",
        "coq.box",
        "off-by-one",
    ]


def test_quick_leaves_out_what_is_slow() -> None:
    """The quick part has no slow check, no search, no Coq and no bug."""
    assert WHOLE.quick() == Inventory(WHOLE.claims, (FAST,), (THEOREM,), ())


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("test_inventory.seen", ((FAST,), (), (), ())),
        ("thm:two", ((), (THEOREM, SEARCH), (PROOF,), ())),
        ("topic.*", ((SLOW,), (SEARCH,), (), ())),
        ("coq.*", ((), (), (PROOF,), ())),
        ("off-*", ((), (), (), (BUG,))),
    ],
)
def test_a_selection_matches_names_and_claims(
    pattern: str, expected: tuple[object, object, object, object]
) -> None:
    """A pattern selects by name or by the key of a claim."""
    chosen = WHOLE.only([pattern])
    assert (chosen.checks, chosen.theorems, chosen.coq_theorems, chosen.bugs) == expected


def test_a_selection_of_nothing_is_refused() -> None:
    """A pattern that matches nothing is an error, not an empty success."""
    with pytest.raises(
        RegistryError, match=r"^nothing matches thm:three; --list prints all names$"
    ):
        WHOLE.only(["thm:one", "thm:three"])


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let the inventory consist of our own few parts."""
    monkeypatch.setattr(inventory, "all_checks", lambda keys: (FAST, SLOW))
    monkeypatch.setattr(inventory, "all_theorems", lambda keys: (THEOREM, SEARCH))
    monkeypatch.setattr(inventory, "all_coq_theorems", lambda keys: (PROOF,))
    monkeypatch.setattr(inventory, "all_bugs", lambda names: (BUG,))
    monkeypatch.setattr(inventory, "unsound_constructs", lambda root: iter(()))
    monkeypatch.setattr(inventory, "citations_below", lambda root: ())
    return monkeypatch


def test_the_inventory_is_taken(parts: pytest.MonkeyPatch) -> None:
    """All parts are gathered with the claims."""
    assert take_inventory(WHOLE.claims) == WHOLE


def test_names_are_unique(parts: pytest.MonkeyPatch) -> None:
    """A check and a bug of the same name are refused."""
    parts.setattr(inventory, "all_bugs", lambda names: (replace(BUG, name="topic.slow"),))
    with pytest.raises(RegistryError, match=r"^the name is used twice: topic.slow$"):
        take_inventory(WHOLE.claims)


def test_keys_are_unique(parts: pytest.MonkeyPatch) -> None:
    """Two claims with the same key are refused."""
    with pytest.raises(RegistryError, match=r"^the claim is used twice: thm:one$"):
        take_inventory((CLAIM, CLAIM))


def test_unsound_constructs_are_refused(parts: pytest.MonkeyPatch) -> None:
    """A contract outside the theorems stops the gate."""
    parts.setattr(inventory, "unsound_constructs", lambda root: iter(("a.py: f has a contract",)))
    with pytest.raises(RegistryError, match=r"^a.py: f has a contract$"):
        take_inventory(WHOLE.claims)


def test_the_real_inventory_is_well_formed() -> None:
    """Every check, theorem and bug of the specification is well formed."""
    assert {evidence.role for evidence in take_inventory().evidence} == set(Role)


def test_a_control_is_a_bug_that_evidence_must_refute() -> None:
    """The controls of a claim are the bugs that its evidence kills, and those of no other claim."""
    assert [WHOLE.controls_of(claim) for claim in WHOLE.claims] == [(), (BUG,)]


def test_a_bug_that_only_a_search_kills_is_no_control() -> None:
    """A search alone never makes a claim hold, so a bug that it finds controls nothing."""
    search = replace(FAST, role=Role.SEARCHES)
    searched = Inventory((CLAIM,), (search,), (), (replace(BUG, killers=(search.name,)),))
    assert searched.controls_of(CLAIM) == ()
