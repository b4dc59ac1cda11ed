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
