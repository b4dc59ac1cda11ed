"""Facts about the classes of evidence: none says more than the claim has."""

import re
from functools import cache
from pathlib import Path

import pytest

from privtopk.spec.claims.bases import BASES
from privtopk.spec.claims.claim import Basis, EvidenceClass
from privtopk.spec.claims.table import CLAIMS, Claim
from privtopk.spec.proofs.gate.inventory import Inventory, take_inventory
from privtopk.spec.proofs.gate.registry import FOR_ALL, Role

DOCS = Path(__file__).parents[3] / "docs" / "explanation"
KEYS = [claim.key for claim in CLAIMS]
LARGEST_NUMBER_OF_EXAMPLES = 10


@pytest.fixture(scope="module")
def inventory() -> Inventory:
    """Return all that is run for the claims."""
    return take_inventory()


def of_class(evidence_class: EvidenceClass) -> list[Claim]:
    """Return the claims of a class."""
    return [claim for claim in CLAIMS if claim.basis.evidence_class is evidence_class]


@cache
def anchors(page: str) -> frozenset[str]:
    """Return the anchors of the headings of a page."""
    titles = re.findall(r"(?m)^#+ (.*)$", (DOCS / page).read_text("utf-8"))
    return frozenset(re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles)


def test_every_claim_has_a_basis_and_no_other_key() -> None:
    """The bases are those of the claims, in their order."""
    assert list(BASES) == KEYS


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_a_basis_has_what_its_class_needs(basis: Basis) -> None:
    """Only a written proof has a place, and every claim says what machines have covered."""
    is_written = basis.evidence_class is EvidenceClass.WRITTEN
    assert (bool(basis.proof), bool(basis.checked)) == (is_written, True)


@pytest.mark.parametrize("proof", sorted({basis.proof for basis in BASES.values() if basis.proof}))
def test_a_written_proof_is_a_section_of_the_documentation(proof: str) -> None:
    """The place of a written proof is a heading of a page."""
    page, _, anchor = proof.partition("#")
    assert anchor in anchors(page)


@pytest.mark.parametrize("claim", of_class(EvidenceClass.FOR_ALL), ids=lambda claim: str(claim.key))
def test_a_claim_for_all_parameters_has_such_a_check(claim: Claim, inventory: Inventory) -> None:
    """Coq, z3 or symbolic algebra supports what is said to be checked for all parameters."""
    supports = [each for each in inventory.evidence_of(claim) if each.role is Role.SUPPORTS]
    assert FOR_ALL.intersection(each.method for each in supports)


def test_few_claims_rest_on_examples_only() -> None:
    """Those that are neither for all parameters nor proved nor definitions are counted, and few."""
    assert len(of_class(EvidenceClass.EXAMPLES)) <= LARGEST_NUMBER_OF_EXAMPLES


@pytest.mark.parametrize("claim", CLAIMS, ids=KEYS)
def test_every_claim_has_a_negative_control(claim: Claim, inventory: Inventory) -> None:
    """Seeded bugs show that the claim's support, and its refutation if it is refuted, can fail."""
    assert inventory.uncontrolled_roles(claim) == ()
