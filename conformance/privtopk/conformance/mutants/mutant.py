"""What is known of a mutant: its address, its bug, and the requirement that must reject it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.loading import PYTHON

PEER: Final = "peer"
"""A bug that another library has or had."""

USUAL_SLIP: Final = "usual slip"
"""A common programming mistake."""

PRIVACY_BUG: Final = "privacy bug"
"""The answers look right, but a vote leaks."""

HOSTILE: Final = "hostile"
"""Not a mistake in the algorithm: the harness must survive this subject."""


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
    """Where the mistake comes from: an erratum of the paper, or one of the four words above."""

    killer: str
    """The id of the requirement that must reject it."""

    is_in_process: bool = False
    """Whether it needs the memory of the harness, and so must be called in its process."""

    @property
    def address(self) -> str:
        """The address that the subject is loaded from."""
        return f"{PYTHON}{self.module}:{self.attribute}"


def erratum(number: int) -> str:
    """Return the origin of a mutant that implements an erratum of the paper as printed."""
    return f"paper erratum E{number}"


def mutants(subjects: Iterable[Any], origin: str, killer: str) -> tuple[Mutant, ...]:
    """Return what is known of subjects that have one origin and one killer."""
    return tuple(mutant(subject, origin, killer) for subject in subjects)


def mutant(subject: Any, origin: str, killer: str, *, is_in_process: bool = False) -> Mutant:
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
        is_in_process=is_in_process,
    )
