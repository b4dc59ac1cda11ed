"""The claims: statements of the paper, its errata, and our own theorems, each with its status."""

from privtopk.spec.claims.claim import Claim, Origin, Status
from privtopk.spec.claims.table import CLAIMS, claim_of

__all__ = [
    "CLAIMS",
    "Claim",
    "Origin",
    "Status",
    "claim_of",
]
