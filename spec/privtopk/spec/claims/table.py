"""The claims: every numbered statement of the paper, every erratum, and our own theorems.

Docstrings cite the claims by key, and `make prove` checks each of them. The pages
`docs/reference/claims.md` and `docs/explanation/errata.md` are generated from this table. It has
statements, and how far their evidence reaches. The checks are in `privtopk.spec.proofs`, and each
names the keys that it supports.
"""

from dataclasses import replace
from typing import Final

from privtopk.spec.claims.bases import BASES
from privtopk.spec.claims.claim import Basis, Claim, EvidenceClass, Origin, Status
from privtopk.spec.claims.errata import ERRATA
from privtopk.spec.claims.own_theorems import OWN_THEOREMS
from privtopk.spec.claims.statements import STATEMENTS

__all__ = ["CLAIMS", "Basis", "Claim", "EvidenceClass", "Origin", "Status", "claim_of"]

CLAIMS: Final[tuple[Claim, ...]] = tuple(
    replace(claim, basis=BASES[claim.key]) for claim in (*STATEMENTS, *ERRATA, *OWN_THEOREMS)
)


def claim_of(key: str) -> Claim:
    """Return the claim with a key; a KeyError names the key that no claim has."""
    for claim in CLAIMS:
        if claim.key == key:
            return claim
    raise KeyError(key)
