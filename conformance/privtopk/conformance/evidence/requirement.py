"""What a conforming implementation must satisfy, one fact at a time.

A requirement has a stable id, cites the claims of the specification from which it follows, and
makes experiments on a subject. A certain breach raises `ViolationError`. All other observations
go into streams, each with a null hypothesis; `decision` turns them into a verdict.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final

from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.subjects.kinds import Abilities, Kind, Profile
from privtopk.conformance.subjects.subject import Subject

SHOWN: Final = "the subject reads no list: it is shown the whole histogram"
"""The reason to skip requirements on reading if the subject is a sampler."""


class Requirement(ABC):
    """One fact that every conforming subject of a kind satisfies."""

    id: str
    """Stable: `group.fact`, prefixed by the kind."""

    kind: ClassVar[Kind]
    profile: ClassVar[Profile] = Profile.OWN_RANDOMNESS

    statement: ClassVar[str]
    """The fact, in one sentence."""

    claims: ClassVar[tuple[str, ...]]
    """Keys of the claims from which it follows."""

    share: ClassVar[int] = 0
    """Its share of the error budget, in percent; 0 if its decision does not depend on chance."""

    is_exhaustive: ClassVar[bool] = False
    """Whether one trial of an experiment covers all of it, so that more trials add nothing."""

    bug: ClassVar[str]
    """What is probably wrong with a subject that fails it."""

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Return why it does not concern a subject of its kind, or None."""
        if self.profile not in abilities.profiles:
            return f"the subject has no {self.profile} profile"
        return None

    @abstractmethod
    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return the settings to try; every call must return the same."""

    @abstractmethod
    def observe(self, trial: Trial) -> Observation:
        """Make some trials of one experiment."""

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return bugs that might explain the observations of an experiment.

        The number of each bug is the logarithm of how much likelier it makes them.
        """
        return {}
