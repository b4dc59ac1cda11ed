"""Facts about what a claim is."""

from dataclasses import FrozenInstanceError, fields

import pytest

from privtopk.spec.claims.claim import UNSTATED, Basis, Claim, EvidenceClass, Origin, Status

CLAIM = Claim("thm:key", "Theorem 1", Origin.PAPER, Status.HOLDS, "One sentence.")


def test_claim_has_eight_parts() -> None:
    """A claim is a key, a number, an origin, a status, three sentences and a basis."""
    assert [field.name for field in fields(Claim)] == [
        "key",
        "number",
        "origin",
        "status",
        "statement",
        "correction",
        "witness",
        "basis",
    ]


def test_correction_and_witness_are_empty_by_default() -> None:
    """A claim that holds needs neither."""
    assert (CLAIM.correction, CLAIM.witness) == ("", "")


def test_a_claim_that_states_no_basis_has_the_weakest() -> None:
    """Without a stated basis a claim rests on examples only."""
    assert (CLAIM.basis, UNSTATED.evidence_class) == (UNSTATED, EvidenceClass.EXAMPLES)


@pytest.mark.parametrize(
    ("evidence_class", "checked", "reach"),
    [
        (EvidenceClass.FOR_ALL, "for all parameters", "for all parameters"),
        (EvidenceClass.FOR_ALL, "real m and k", "for all parameters: real m and k"),
        (EvidenceClass.WRITTEN, "m <= 4", "proved in writing, checked for m <= 4"),
    ],
)
def test_the_reach_is_one_phrase(evidence_class: EvidenceClass, checked: str, reach: str) -> None:
    """The class is followed by what machines have covered, unless that is the same."""
    assert Basis(evidence_class, checked).reach == reach


def test_classes_are_words_for_people() -> None:
    """The generated pages print a class of evidence as it is."""
    assert [str(each) for each in EvidenceClass] == [
        "for all parameters",
        "proved in writing",
        "definition",
        "examples only",
    ]


def test_claims_are_values() -> None:
    """Claims with equal parts are equal."""
    assert Claim("thm:key", "Theorem 1", Origin.PAPER, Status.HOLDS, "One sentence.") == CLAIM


def test_claims_do_not_change() -> None:
    """No part of a claim can be replaced."""
    with pytest.raises(FrozenInstanceError):
        CLAIM.status = Status.REFUTED  # type: ignore[misc]


def test_statuses_are_words_for_people() -> None:
    """The generated pages print a status as it is."""
    assert [str(status) for status in Status] == [
        "holds",
        "holds with correction",
        "refuted as printed",
        "open",
    ]


def test_origins_are_three() -> None:
    """A claim is the paper's, an erratum or ours."""
    assert [str(origin) for origin in Origin] == ["paper", "erratum", "ours"]
