"""Tests of seeding bugs: what counts as killed, and what does not."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from privtopk.spec.proofs.gate import mutation
from privtopk.spec.proofs.gate.coq import missing_compiler
from privtopk.spec.proofs.gate.mutation import Kill, seed
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug, specification_root

LEDGER = "model.access.thm_ledger_counts_every_access"

CHECKS = '''
from privtopk.spec.model.access import StoredList
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.model.values import Item

@supports("model:random-access", method=Method.EXACT)
def reads_the_right_item() -> str:
    """Random access to item 2 of (5, 6) gives 6."""
    value = StoredList((5, 6)).random_access(Item(2))
    expect(value == 6, f"got {value}")
    return "one list"

@supports("model:random-access", method=Method.EXACT)
def breaks_by_itself() -> str:
    """It breaks whatever the specification does."""
    raise KeyError("mine")
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what the bugs need, with a module of checks beside it."""
    folder = tmp_path_factory.mktemp("root")
    source, target = specification_root() / "privtopk/spec", folder / "privtopk/spec"
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("checks", "bugs", "*.pyc"))
    (target / "proofs/checks").mkdir()
    (target / "proofs/checks/written.py").write_text(CHECKS)
    return folder


needs_coq = pytest.mark.skipif(bool(missing_compiler()), reason=missing_compiler())
STOP = "coq.threshold.run_ends_within_m_rounds"


def coq_bug(original: str, mutated: str) -> SeededBug:
    """Return a bug of the Coq file about the threshold algorithm."""
    return SeededBug("it", original, mutated, (STOP,), "proofs.coq.threshold")


def bug(original: str, mutated: str, *killers: str) -> SeededBug:
    """Return a bug of the module access."""
    return SeededBug("it", original, mutated, killers, "model.access")


RANDOM = "return self._values[known - 1]"


def test_a_theorem_kills(root: Path) -> None:
    """A theorem that is refuted by the changed module, and replays there, kills."""
    change = bug("        self._accesses.append((Door.RANDOM, known))\n", "", LEDGER)
    kill = seed(change, root)
    assert (kill.is_killed, kill.account.endswith("returns False")) == (True, True)


def test_a_check_kills(root: Path) -> None:
    """A check that fails on the changed module kills."""
    change = bug(RANDOM, "return self._values[0]", "written.reads_the_right_item")
    assert seed(change, root) == Kill(True, "got 5")


def test_an_error_inside_the_changed_module_kills(root: Path) -> None:
    """An exception that comes through the changed module kills."""
    change = bug(RANDOM, "return self._values[known]", "written.reads_the_right_item")
    assert seed(change, root) == Kill(True, "raised IndexError: tuple index out of range")


def test_an_error_elsewhere_kills_nothing(root: Path) -> None:
    """A check that breaks by itself has not noticed the bug."""
    change = bug(RANDOM, "return self._values[0]", "written.breaks_by_itself")
    account = "written.breaks_by_itself: raised KeyError: 'mine'"
    assert seed(change, root) == Kill(False, account)


def test_a_changed_check_is_killed_by_its_own_verdict(root: Path) -> None:
    """A wrong constant in a check is noticed if the check then fails."""
    change = replace(
        bug("value == 6", "value == 7", "written.reads_the_right_item"),
        module="proofs.checks.written",
    )
    assert seed(change, root) == Kill(True, "got 6")


def test_an_error_of_a_changed_check_kills_nothing(root: Path) -> None:
    """An error in a changed check says nothing about its claim, though it passes through it."""
    change = replace(
        bug("StoredList((5, 6))", "StoredList(56)", "written.reads_the_right_item"),
        module="proofs.checks.written",
    )
    kill = seed(change, root)
    assert (kill.is_killed, "raised TypeError" in kill.account) == (False, True)


def test_a_change_that_a_check_accepts_survives(root: Path) -> None:
    """A change that no killer notices survives."""
    killer = "written.reads_the_right_item"
    change = bug("self._delivered = 0", "self._delivered = 1", killer)
    assert seed(change, root) == Kill(False, "written.reads_the_right_item: survived: one list")


@pytest.mark.slow
@pytest.mark.heavy
def test_a_change_that_a_theorem_confirms_survives(root: Path) -> None:
    """A theorem that is still confirmed kills nothing."""
    change = bug("self._delivered += 1", "self._delivered = self._delivered + 1", LEDGER)
    assert seed(change, root) == Kill(False, f"{LEDGER}: confirmed: all 41 paths")


def test_every_killer_must_kill(root: Path) -> None:
    """A bug that one of its killers accepts survives."""
    change = bug(
        "self._sorted[self._delivered]",
        "self._sorted[self.size - 1 - self._delivered]",
        "model.access.thm_sorted_access_is_a_non_increasing_permutation",
        "written.reads_the_right_item",
    )
    assert seed(change, root) == Kill(False, "written.reads_the_right_item: survived: one list")


def test_an_import_error_kills_nothing(root: Path) -> None:
    """A change that cannot be imported shows nothing about the killers."""
    kill = seed(bug(RANDOM, "return (", "written.reads_the_right_item"), root)
    assert (kill.is_killed, "the harness failed" in kill.account) == (False, True)


def test_a_hang_kills_nothing(root: Path) -> None:
    """A change that makes a killer hang is not refuted by it."""
    change = bug(RANDOM, "while True: pass", "written.reads_the_right_item")
    account = "written.reads_the_right_item: no verdict within 1 s"
    assert seed(change, root, timeout=1.0) == Kill(False, account)


def test_a_text_that_is_not_found_kills_nothing(root: Path) -> None:
    """A change that was not made is a failure."""
    account = "it: the text to change must occur once in model.access, got 0"
    assert seed(bug("no such text", "", LEDGER), root) == Kill(False, account)


def test_a_module_that_is_not_found_kills_nothing(root: Path) -> None:
    """A bug of a module that does not exist is a failure."""
    change = SeededBug("it", "a", "b", (LEDGER,), "no_such_module")
    assert seed(change, root) == Kill(False, "it: there is no module no_such_module")


@pytest.mark.slow
def test_the_changed_copy_is_the_one_imported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killer that imports another copy of the specification kills nothing."""
    unchanged = mutation.environment_for(specification_root())
    monkeypatch.setattr(mutation, "environment_for", lambda folder: unchanged)
    change = bug(RANDOM, "return self._values[0]", LEDGER)
    account = f"{LEDGER}: the unchanged specification was imported"
    assert seed(change, root) == Kill(False, account)


@needs_coq
@pytest.mark.slow
def test_a_proof_that_coq_rejects_kills(root: Path) -> None:
    """A changed constant in the statement of a Coq theorem is killed by that theorem."""
    kill = seed(coq_bug("rounds k <= m.", "rounds k <= m.-1."), root)
    assert (kill.is_killed, kill.account.startswith('File "./threshold.v", line ')) == (True, True)


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("mutated", "account"),
    [
        ("rounds k < m.+1.", f"{STOP}: for all parameters, from no axiom"),
        ("rounds k <= m m.", None),
        ("rounds k <= n.", None),
    ],
)
def test_a_change_without_a_rejected_proof_survives(
    root: Path, mutated: str, account: str | None
) -> None:
    """The same statement in other words, a type error or an unknown name kills nothing."""
    kill = seed(coq_bug("rounds k <= m.", mutated), root)
    assert not kill.is_killed
    assert account is None or kill.account == account
