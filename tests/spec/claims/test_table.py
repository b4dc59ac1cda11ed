"""Facts about the table of claims and about the docstrings that cite it."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from privtopk import conformance, impl, spec
from privtopk.spec.claims.bases import BASES
from privtopk.spec.claims.claim import Status
from privtopk.spec.claims.errata import ERRATA
from privtopk.spec.claims.own_theorems import OWN_THEOREMS
from privtopk.spec.claims.statements import STATEMENTS
from privtopk.spec.claims.table import CLAIMS, Claim, claim_of
from privtopk.spec.proofs.gate.citations import TAGS, citations_below
from privtopk.spec.proofs.gate.inventory import take_inventory

ROOT = Path(spec.__file__).parent
ROOTS = [Path(str(package.__file__)).parent for package in (spec, impl, conformance)]
KEY = re.compile(
    r"\b(?:def|model|algo|fact|rem|lem|thm|cor|rel|erratum|ours):[a-z0-9]+(?:-[a-z0-9]+)*"
)
KEYS = [claim.key for claim in CLAIMS]


def test_claims_are_the_three_tables() -> None:
    """Statements, errata and our own theorems stand in this order, each with its basis."""
    stated = (*STATEMENTS, *ERRATA, *OWN_THEOREMS)
    assert tuple(replace(claim, basis=BASES[claim.key]) for claim in stated) == CLAIMS


def test_keys_are_unique() -> None:
    """No two claims have the same key."""
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


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_citations_name_claims_of_their_origin(root: Path) -> None:
    """A docstring cites claims of the table: the paper's, errata and ours, each by its own tag."""
    tags = {claim.key: TAGS[claim.origin] for claim in CLAIMS}
    assert [each for each in citations_below(root) if tags.get(each.key) != each.tag] == []


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_keys_in_docstrings_exist(path: Path) -> None:
    """A key in the text of a docstring, not only in its last lines, is in the table."""
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    texts = [n.value for n in tree if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    assert sorted({key for text in texts for key in KEY.findall(text)} - set(KEYS)) == []


def test_every_claim_is_cited_by_the_specification() -> None:
    """Every claim is cited in a docstring of the specification proper, outside its tables."""
    cited = {each.key for each in citations_below(ROOT) if each.is_in_specification}
    assert [key for key in KEYS if key not in cited] == []


def test_a_module_lists_what_its_functions_cite() -> None:
    """A claim that a function or class states is in the docstring of its module too."""
    cited = [each for each in citations_below(ROOT) if each.is_in_specification]
    listed = {(each.module, each.key) for each in cited if not each.name}
    assert [each for each in cited if (each.module, each.key) not in listed] == []


@pytest.mark.slow
def test_every_claim_has_evidence() -> None:
    """Every claim is named by a check or a theorem."""
    named = {key for evidence in take_inventory().evidence for key in evidence.keys}
    assert [key for key in KEYS if key not in named] == []
