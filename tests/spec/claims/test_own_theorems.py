"""Facts about the table of our own theorems."""

from privtopk.spec.claims.claim import Origin, Status
from privtopk.spec.claims.own_theorems import OWN_THEOREMS


def test_keys_are_ours() -> None:
    """Every key has the prefix of our own claims."""
    assert [claim.key for claim in OWN_THEOREMS if not claim.key.startswith("ours:")] == []


def test_origin_is_ours() -> None:
    """Every row is a claim of ours."""
    assert {claim.origin for claim in OWN_THEOREMS} == {Origin.OURS}


def test_own_theorems_hold_without_correction() -> None:
    """What we claim ourselves must hold as it stands."""
    assert {(c.status, c.correction, c.witness) for c in OWN_THEOREMS} == {(Status.HOLDS, "", "")}


def test_names_are_unique() -> None:
    """Our theorems have names where the paper has numbers, and each name is unique."""
    names = [claim.number for claim in OWN_THEOREMS]
    assert len(set(names)) == len(names)
