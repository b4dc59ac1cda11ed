"""Facts about the table of claims and about who cites it."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import privtopk.spec.claims.table
from privtopk.spec.claims.claim import Status
from privtopk.spec.claims.errata import ERRATA
from privtopk.spec.claims.own_theorems import OWN_THEOREMS
from privtopk.spec.claims.statements import STATEMENTS
from privtopk.spec.claims.table import CLAIMS, Claim, claim_of
from privtopk.spec.proofs.gate.inventory import take_inventory

ROOT = Path(privtopk.spec.__file__).parent
PROPER = {
    path.name for path in ROOT.iterdir() if path.is_dir() and path.name not in ("claims", "proofs")
}
"""The folders that state what is claimed; `claims` lists all claims, and `proofs` checks them."""

KEY = re.compile(
    r"\b(?:def|model|algo|fact|rem|lem|thm|cor|rel|erratum|ours):[a-z0-9]+(?:-[a-z0-9]+)*"
)
CITATION = re.compile(r"^(?:Paper|Deviates|Claim):(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
ANY_KEY = re.compile(r"\b[a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*")

KEYS = [claim.key for claim in CLAIMS]


def docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of a module, of its classes and functions, and of its fields."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield inspect.cleandoc(text)


def cited_in(path: Path) -> set[str]:
    """Return the keys that a module cites, of a known prefix or in a line of citations."""
    texts = list(docstrings(path))
    listed = [line for text in texts for line in CITATION.findall(text)]
    return {
        *(key for text in texts for key in KEY.findall(text)),
        *(key for line in listed for key in ANY_KEY.findall(line)),
    }


def modules(folder: Path = ROOT) -> list[Path]:
    """Return every module of the specification, the proofs included."""
    return sorted(folder.rglob("*.py"))


def test_claims_are_the_three_tables() -> None:
    """Statements, errata and our own theorems stand in this order."""
    assert (*STATEMENTS, *ERRATA, *OWN_THEOREMS) == CLAIMS


def test_keys_are_unique() -> None:
    """No two claims have one key."""
    assert len(set(KEYS)) == len(KEYS)


@pytest.mark.parametrize("claim", CLAIMS, ids=KEYS)
def test_keys_are_well_formed(claim: Claim) -> None:
    """A key is a known prefix and words joined by hyphens."""
    assert KEY.fullmatch(claim.key)


@pytest.mark.parametrize("claim", CLAIMS, ids=KEYS)
def test_statements_are_sentences(claim: Claim) -> None:
    """Statement, correction and witness end with a full stop where they are given."""
    texts = [text for text in (claim.statement, claim.correction, claim.witness) if text]
    assert [text for text in texts if not text.endswith(".")] == []


@pytest.mark.parametrize("claim", CLAIMS, ids=KEYS)
def test_claims_are_found_by_key(claim: Claim) -> None:
    """Every claim is found by its own key."""
    assert claim_of(claim.key) is claim


def test_unknown_key_is_named() -> None:
    """The error for an unknown key is the key."""
    with pytest.raises(KeyError) as caught:
        claim_of("thm:no-such-claim")
    assert caught.value.args == ("thm:no-such-claim",)


def test_refuted_claims_carry_a_witness_and_a_correction() -> None:
    """Whatever is false as printed comes with the case in which it fails and with what holds."""
    refuted = [claim for claim in CLAIMS if claim.status is Status.REFUTED]
    assert [claim.key for claim in refuted if not (claim.witness and claim.correction)] == []


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_cited_keys_exist(path: Path) -> None:
    """A docstring cites claims that are in the table, and no others."""
    assert sorted(cited_in(path) - set(KEYS)) == []


def test_every_claim_is_cited_by_the_specification() -> None:
    """Every claim is cited in a docstring of the specification proper, outside its tables."""
    proper = [path for path in modules() if path.relative_to(ROOT).parts[0] in PROPER]
    cited = set[str]().union(*(cited_in(path) for path in proper))
    assert [key for key in KEYS if key not in cited] == []


@pytest.mark.slow
def test_every_claim_has_evidence() -> None:
    """Every claim is named by a check or a theorem."""
    named = {key for evidence in take_inventory().evidence for key in evidence.keys}
    assert [key for key in KEYS if key not in named] == []
