"""Facts about the table of errata."""

from privtopk.spec.claims.claim import Origin, Status
from privtopk.spec.claims.errata import ERRATA


def test_errata_are_numbered_in_order() -> None:
    """There are 33 errata, E1 to E33, in the order of the reading."""
    assert [erratum.number for erratum in ERRATA] == [f"E{n}" for n in range(1, 34)]


def test_keys_are_errata() -> None:
    """Every key has the prefix of an erratum."""
    assert [e.key for e in ERRATA if not e.key.startswith("erratum:")] == []


def test_origin_is_our_reading() -> None:
    """Every row is an erratum."""
    assert {erratum.origin for erratum in ERRATA} == {Origin.ERRATUM}


def test_refuted_errata_have_a_witness_and_a_correction() -> None:
    """A printed statement that is false comes with the case in which it fails."""
    refuted = [e for e in ERRATA if e.status is Status.REFUTED]
    assert [e.key for e in refuted if not (e.witness and e.correction)] == []


def test_corrected_errata_have_a_correction_and_no_witness() -> None:
    """A statement that is only unclear or incomplete has no counterexample."""
    corrected = [e for e in ERRATA if e.status is Status.CORRECTED]
    assert [e.key for e in corrected if e.witness or not e.correction] == []


def test_one_suspicion_was_unfounded() -> None:
    """E7 alone holds as printed: the Laplace bound is tight under l-infinity."""
    holds = [e for e in ERRATA if e.status is Status.HOLDS]
    assert [(e.number, e.correction, e.witness) for e in holds] == [("E7", "", "")]


def test_no_erratum_is_open() -> None:
    """Every erratum has been decided."""
    assert [e.key for e in ERRATA if e.status is Status.OPEN] == []
