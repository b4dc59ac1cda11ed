"""What is known of a deliberately wrong subject: where it is, what is wrong, who must find out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.loading import PYTHON

PEER: Final = "peer"
"""A bug that another library has or had."""

USUAL_SLIP: Final = "usual slip"
"""What a programmer in a hurry writes."""

PRIVACY_BUG: Final = "privacy bug"
"""The answers look right, and somebody's vote leaks."""

HOSTILE: Final = "hostile"
"""Not a mistake in the algorithm: a subject that the harness must survive."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong implementation."""

    name: str
    module: str
    attribute: str
    kind: Kind

    bug: str
    """What is wrong, in one sentence."""

    origin: str
    """Whose mistake it is: the paper's (with the erratum), a peer's, or a usual one."""

    killer: str
    """The id of the requirement that must reject it."""

    @property
    def address(self) -> str:
        """Where the subject is loaded from."""
        return f"{PYTHON}{self.module}:{self.attribute}"


def erratum(number: int) -> str:
    """Return the origin of a wrong statement of the paper that was implemented as printed."""
    return f"paper erratum E{number}"


def mutants(subjects: Iterable[Any], origin: str, killer: str) -> tuple[Mutant, ...]:
    """Return what is known of subjects that have one origin and one killer."""
    return tuple(mutant(subject, origin, killer) for subject in subjects)


def mutant(subject: Any, origin: str, killer: str) -> Mutant:
    """Return what is known of a subject: its docstring is the bug."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]|[0-9]+", subject.__name__)
    return Mutant(
        name="-".join(words).lower(),
        module=subject.__module__,
        attribute=subject.__name__,
        kind=Kind(subject.kind),
        bug=" ".join(subject.__doc__.split()),
        origin=origin,
        killer=killer,
    )
