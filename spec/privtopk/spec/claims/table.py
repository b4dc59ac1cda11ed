"""The claims: every numbered statement of the paper, every erratum, and our own theorems.

This is the table that docstrings cite by key, that `make prove` checks row by row, and
from which `docs/reference/claims.md` and `docs/explanation/errata.md` are generated. It holds
statements only; the checks stand in `privtopk.spec.proofs`, each tied to the keys that it supports.
"""

from typing import Final

from privtopk.spec.claims.claim import Claim, Origin, Status
from privtopk.spec.claims.errata import ERRATA
from privtopk.spec.claims.own_theorems import OWN_THEOREMS
from privtopk.spec.claims.statements import STATEMENTS

__all__ = ["CLAIMS", "Claim", "Origin", "Status", "claim_of"]

CLAIMS: Final[tuple[Claim, ...]] = (*STATEMENTS, *ERRATA, *OWN_THEOREMS)


def claim_of(key: str) -> Claim:
    """Return the claim with a key; a KeyError names the key that no claim has."""
    for claim in CLAIMS:
        if claim.key == key:
            return claim
    raise KeyError(key)
