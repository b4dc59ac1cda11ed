"""Facts about the table of the paper's numbered statements."""

import re

from privtopk.spec.claims.claim import Origin, Status
from privtopk.spec.claims.statements import STATEMENTS

KINDS = {
    "def": "Definition",
    "algo": "Algorithm",
    "fact": "Fact",
    "rem": "Remark",
    "lem": "Lemma",
    "thm": "Theorem",
    "cor": "Corollary",
    "model": "Section 2",
    "rel": "Section 6",
}
"""What the number of a statement starts with, for each prefix of a key."""

NUMBERED = {
    *("Definition 2.1", "Definition 2.2", "Definition 3.1", "Definition 4.9"),
    *("Algorithm 1", "Algorithm 2", "Algorithm 3", "Algorithm 4"),
    *("Fact 3.2", "Fact 3.3", "Fact 3.4", "Remark 3.5"),
    *("Lemma 4.1", "Theorem 4.2", "Corollary 4.3", "Theorem 4.4", "Lemma 4.5"),
    *("Fact 4.6", "Fact 4.7", "Theorem 4.8", "Theorem 4.10"),
    *("Theorem 5.1", "Lemma 5.2", "Theorem 5.3", "Theorem 5.4", "Lemma 5.5"),
    *("Fact A.1", "Fact A.2", "Corollary A.3", "Fact A.4", "Fact A.5", "Fact A.6"),
    *("Lemma B.1", "Lemma B.2", "Fact B.3", "Lemma B.4"),
}
"""Every numbered statement of the paper."""


def number_in_the_paper(number: str) -> str:
    """Return the number without the part or range that a row is about."""
    return re.split(r" \(|, ", number)[0]


def test_every_numbered_statement_has_a_row() -> None:
    """The rows name each numbered statement of the paper and no other."""
    named = {number_in_the_paper(claim.number) for claim in STATEMENTS}
    assert {number for number in named if not number.startswith("Section")} == NUMBERED


def test_rows_follow_the_paper() -> None:
    """Within the sections the numbers ascend; the related work of Section 6 comes last."""
    numbers = [number_in_the_paper(claim.number).split()[-1].split(".") for claim in STATEMENTS]
    places = [(section, int(number)) for section, *rest in numbers for number in rest]
    assert places == sorted(places)
    assert [claim.key for claim in STATEMENTS[-4:]] == [
        "rel:peeling",
        "rel:report-noisy-max",
        "rel:permute-and-flip",
        "rel:limited-domain",
    ]


def test_keys_tell_the_kind_of_statement() -> None:
    """The prefix of a key goes with the printed kind."""
    assert [
        claim.key for claim in STATEMENTS if not claim.number.startswith(kind_of(claim.key))
    ] == []


def kind_of(key: str) -> str:
    """Return what the number of a statement with this key starts with."""
    return KINDS[key.partition(":")[0]]


def test_statements_are_the_papers() -> None:
    """Every row is a claim of the paper."""
    assert {claim.origin for claim in STATEMENTS} == {Origin.PAPER}


def test_corrections_stand_where_they_are_needed() -> None:
    """A corrected or refuted statement has a correction, and another has none."""
    needed = (Status.CORRECTED, Status.REFUTED)
    assert [c.key for c in STATEMENTS if bool(c.correction) != (c.status in needed)] == []


def test_witnesses_stand_where_they_are_needed() -> None:
    """A refuted statement has a witness, and another has none."""
    assert [c.key for c in STATEMENTS if bool(c.witness) != (c.status is Status.REFUTED)] == []


def test_what_is_refuted_and_what_is_open() -> None:
    """Five statements are false as printed, and none is open."""
    assert {
        status: [claim.key for claim in STATEMENTS if claim.status is status]
        for status in (Status.REFUTED, Status.OPEN)
    } == {
        Status.REFUTED: [
            "fact:gumbel-pure",
            "fact:gumbel-approximate",
            "thm:beta-form",
            "thm:lower-both",
            "lem:lower-e1",
        ],
        Status.OPEN: [],
    }
