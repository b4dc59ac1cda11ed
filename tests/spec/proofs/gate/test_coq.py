"""Tests of reading and compiling Coq files."""

import re
from pathlib import Path

import pytest

from privtopk.spec.claims.table import CLAIMS
from privtopk.spec.proofs.gate.coq import (
    FOLDER,
    NEEDED,
    CoqFinding,
    CoqTheorem,
    CoqVerdict,
    all_coq_theorems,
    judge_coq,
    missing_compiler,
    required_files,
)
from privtopk.spec.proofs.gate.registry import Method, RegistryError, Role

needs_coq = pytest.mark.skipif(bool(missing_compiler()), reason=missing_compiler())

SHIPPED = all_coq_theorems([claim.key for claim in CLAIMS])

COMMENT = """(** Zero is neutral.
    Claim: thm:one, thm:two. *)
"""
STATEMENT = "Theorem zero_is_neutral n : n + 0 = n.\n"
PROOF = "Proof. induction n; simpl; congruence. Qed.\n"
SOUND = COMMENT + STATEMENT + PROOF


def write(folder: Path, text: str, name: str = "sums") -> list[CoqTheorem]:
    """Write a Coq file and return its theorems."""
    (folder / f"{name}.v").write_text(text)
    return list(all_coq_theorems(["thm:one", "thm:two"], folder))


def test_a_theorem_is_read_with_its_comment(tmp_path: Path) -> None:
    """The comment before a theorem has its sentence and the keys of its claims."""
    (theorem,) = write(tmp_path, f"Lemma step : True.\nProof. easy. Qed.\n{SOUND}")
    assert theorem == CoqTheorem(
        tmp_path / "sums.v", "zero_is_neutral", ("thm:one", "thm:two"), "Zero is neutral."
    )
    assert (theorem.name, theorem.method, theorem.role) == (
        "coq.sums.zero_is_neutral",
        Method.COQ,
        Role.SUPPORTS,
    )


@pytest.mark.parametrize(
    "comment", ["", "(** Zero is neutral. *)\n", "(** Claim: thm:one. *)\n", f"{COMMENT}\n"]
)
def test_a_theorem_without_sentence_or_claim_is_refused(tmp_path: Path, comment: str) -> None:
    """Every theorem must say which claim it is about, directly before its statement."""
    message = r"^sums\.v: the comment before zero_is_neutral needs a sentence, then `Claim:`$"
    with pytest.raises(RegistryError, match=message):
        write(tmp_path, comment + STATEMENT + PROOF)


def test_claims_must_be_known(tmp_path: Path) -> None:
    """A theorem about an unknown claim is an error."""
    message = r"^coq\.sums\.zero_is_neutral names unknown claims: thm:three$"
    with pytest.raises(RegistryError, match=message):
        write(tmp_path, SOUND.replace("thm:two", "thm:three"))


def test_a_folder_without_theorems_is_refused(tmp_path: Path) -> None:
    """A folder in which nothing is found is an error, not an empty success."""
    with pytest.raises(RegistryError, match=r"^no Coq theorem found in "):
        write(tmp_path, "Lemma step : True.\nProof. easy. Qed.\n")


def test_required_files_come_first(tmp_path: Path) -> None:
    """A file comes after the files that it requires, and each file once."""
    (tmp_path / "first.v").write_text("")
    (tmp_path / "second.v").write_text("From privtopk Require Import first.\n")
    (tmp_path / "third.v").write_text("From privtopk Require Import first second.\n")
    names = [path.stem for path in required_files(tmp_path / "third.v")]
    assert names == ["first", "second", "third"]


def test_without_coqc_nothing_is_run(tmp_path: Path) -> None:
    """A missing compiler is reported, not passed over."""
    verdict = judge_coq(write(tmp_path, SOUND), compiler="no-such-coqc")
    assert verdict == CoqVerdict(CoqFinding.NOT_RUN, "not run: no-such-coqc not found")


def test_without_libraries_nothing_is_run(tmp_path: Path) -> None:
    """A compiler without the libraries that the files need is reported, too."""
    compiler = tmp_path / "coqc"
    compiler.write_text(f"#!/bin/sh\necho {tmp_path}\n")
    compiler.chmod(0o755)
    for library in NEEDED[1:]:
        (tmp_path / "user-contrib" / library).mkdir(parents=True)
    verdict = judge_coq(write(tmp_path, SOUND), str(compiler))
    expected = f"not run: {compiler} finds no mathcomp/algebra"
    assert verdict == CoqVerdict(CoqFinding.NOT_RUN, expected)


@needs_coq
def test_a_sound_proof_is_proved(tmp_path: Path) -> None:
    """A complete proof from no axiom is accepted."""
    verdict = judge_coq(write(tmp_path, SOUND))
    assert verdict == CoqVerdict(CoqFinding.PROVED, "for all parameters, from no axiom")


@needs_coq
def test_a_wrong_statement_is_rejected(tmp_path: Path) -> None:
    """Coq rejects a changed constant."""
    verdict = judge_coq(write(tmp_path, SOUND.replace("n + 0 = n", "n + 1 = n")))
    assert verdict.finding is CoqFinding.REJECTED
    assert verdict.evidence.startswith('File "./sums.v", line 4, characters 27-37: Error: ')


@needs_coq
@pytest.mark.parametrize("fault", ["n + = n", "n + one = n", "n 0 = n"])
def test_a_file_that_states_nothing_is_not_rejected_but_broken(tmp_path: Path, fault: str) -> None:
    """A syntax error, an unknown name or a type error says nothing about the theorem, and fails."""
    verdict = judge_coq(write(tmp_path, SOUND.replace("n + 0 = n", fault)))
    assert verdict.finding is CoqFinding.FAILED


@needs_coq
@pytest.mark.parametrize(
    ("text", "word"),
    [
        (SOUND.replace("congruence. Qed", "admit. Admitted"), "admit"),
        (SOUND.replace("Qed", "Admitted"), "Admitted"),
        (f"Axiom more : 1 = 2.\n{SOUND}", "Axiom"),
        (f"Parameter number : nat.\n{SOUND}", "Parameter"),
        (f"Unset Guard Checking.\n{SOUND}", "Guard Checking"),
    ],
)
def test_what_is_admitted_or_assumed_fails(tmp_path: Path, text: str, word: str) -> None:
    """A file that leaves something unproved fails, also if no theorem uses it."""
    verdict = judge_coq(write(tmp_path, text))
    assert verdict == CoqVerdict(CoqFinding.FAILED, f"sums.v has `{word}`")


@needs_coq
def test_a_comment_may_speak_of_axioms(tmp_path: Path) -> None:
    """Words in comments admit nothing."""
    verdict = judge_coq(write(tmp_path, f"(* No Axiom, nothing Admitted. *)\n{SOUND}"))
    assert verdict.finding is CoqFinding.PROVED


@needs_coq
def test_a_proof_from_an_axiom_of_a_library_fails_with_its_name(tmp_path: Path) -> None:
    """An axiom is found that no word of the file shows."""
    text = (
        "From Coq Require Import FunctionalExtensionality.\n"
        "(** It is so.\n    Claim: thm:one. *)\n"
        "Theorem same : (fun n => n + 0) = (fun n => n).\n"
        "Proof. apply functional_extensionality; intro n; induction n; simpl; congruence. Qed.\n"
    )
    name = "FunctionalExtensionality.functional_extensionality_dep"
    expected = CoqVerdict(CoqFinding.ASSUMING, f"rests on axioms: {name}", (name,))
    assert judge_coq(write(tmp_path, text)) == expected


@needs_coq
def test_one_bad_theorem_fails_its_file(tmp_path: Path) -> None:
    """The theorems of a file are compiled together: an axiom of one is an axiom of the file."""
    second = SOUND.replace("zero_is_neutral", "again").replace(
        PROOF, "Proof. exact (more n). Qed.\n"
    )
    theorems = write(tmp_path, f"{SOUND}Variable more : forall n, n + 0 = n.\n{second}")
    assert (len(theorems), judge_coq(theorems).axioms) == (2, ("sums.more",))


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    "file", sorted({theorem.file for theorem in SHIPPED}), ids=lambda f: f.stem
)
def test_every_theorem_of_the_specification_is_proved(file: Path) -> None:
    """Every Coq theorem that the package has is proved from no axiom."""
    verdict = judge_coq([theorem for theorem in SHIPPED if theorem.file == file])
    assert verdict == CoqVerdict(CoqFinding.PROVED, "for all parameters, from no axiom")


def test_the_page_quotes_the_files() -> None:
    """Every block of the page on Coq stands in a file, and its table has every theorem."""
    page = (Path(__file__).parents[4] / "docs" / "explanation" / "coq.md").read_text()
    files = "".join(path.read_text() for path in sorted(FOLDER.glob("*.v")))
    quoted = re.findall(r"```coq\n(.*?)```", page, re.DOTALL)
    assert [block for block in quoted if block not in files] == []
    listed = re.findall(r"^\| `(\w+\.\w+)` \|.*\| `([\w:-]+)` \|$", page, re.MULTILINE)
    assert {f"coq.{name}" for name, _ in listed} == {theorem.name for theorem in SHIPPED}
    keys = {theorem.name: theorem.keys for theorem in SHIPPED}
    assert [name for name, key in listed if key not in keys[f"coq.{name}"]] == []


def test_the_claims_that_matter_most_have_coq_theorems() -> None:
    """At least eight theorems are about these claims."""
    keys = {key for theorem in SHIPPED for key in theorem.keys}
    assert len(SHIPPED) >= 8
    assert keys == {
        "algo:private-threshold",
        "algo:threshold-algorithm",
        "lem:permutation-and-independence",
        "model:sorted-access",
        "ours:batched-candidates",
        "ours:batched-exact",
        "ours:fixed-accesses",
        "ours:lower-random",
        "ours:rounds-law",
        "ours:theorem-u",
        "rel:peeling",
        "thm:oracle",
    }
