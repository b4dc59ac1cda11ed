"""What a claim is: a statement of the paper, an erratum or a theorem of ours, with its status."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """What the checks must find for a claim."""

    HOLDS = "holds"
    CORRECTED = "holds with correction"
    REFUTED = "refuted as printed"
    OPEN = "open"


class Origin(StrEnum):
    """Who makes a claim."""

    PAPER = "paper"
    ERRATUM = "erratum"
    OURS = "ours"


class EvidenceClass(StrEnum):
    """How far the evidence for a claim reaches."""

    FOR_ALL = "for all parameters"
    """Coq, z3 or symbolic algebra checks it for all parameters."""

    WRITTEN = "proved in writing"
    """A proof in the documentation covers all parameters; machines check a finite range."""

    DEFINITION = "definition"
    """It fixes what a word or a function means; machines check that the code says the same."""

    EXAMPLES = "examples only"
    """Nothing but the examples that were checked."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a claim rests on; for a corrected or refuted claim, what its correction rests on."""

    evidence_class: EvidenceClass

    checked: str
    """What machines have covered, in the words of the evidence of one check."""

    proof: str = ""
    """The place of a written proof in `docs/explanation`, for example `proofs.md#utility`."""

    @property
    def reach(self) -> str:
        """The class and what machines have covered, in one phrase."""
        name = self.evidence_class.value
        if self.checked == name:
            return name
        is_whole = self.evidence_class is EvidenceClass.FOR_ALL
        return f"{name}{':' if is_whole else ', checked for'} {self.checked}"


UNSTATED = Basis(EvidenceClass.EXAMPLES, "")
"""The basis of a claim that states none: the weakest."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement with its status."""

    key: str
    """Stable name made from the label in the paper, for example `thm:beta-form`."""

    number: str
    """The printed number, for example `Theorem 4.10`; `E1` to `E33` for an erratum."""

    origin: Origin
    status: Status

    statement: str
    """What is claimed; for a statement of the paper and for an erratum, what is printed."""

    correction: str = ""
    """The statement that holds instead, where the printed one does not."""

    witness: str = ""
    """The smallest case known in which the printed statement fails."""

    basis: Basis = UNSTATED
    """How far the evidence for the sentence that holds reaches."""
