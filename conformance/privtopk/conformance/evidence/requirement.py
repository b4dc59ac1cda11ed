"""What a conforming implementation must satisfy, one fact at a time.

A requirement has a stable id, cites the claims of the specification from which it follows,
and knows how to try a subject. A certain breach is a `ViolationError`; everything else it sees goes
into streams of observations, each with a null hypothesis, and the decision is made elsewhere.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final

from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.subjects.kinds import Abilities, Kind, Profile
from privtopk.conformance.subjects.subject import Subject

SHOWN: Final = "the subject reads no list: it is shown the whole histogram"
"""Why requirements on reading do not concern a sampler."""


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
    """Its share of the error budget, in hundredths; 0 if it decides without chance."""

    is_exhaustive: ClassVar[bool] = False
    """Whether one trial of an experiment tries all that it has to try."""

    bug: ClassVar[str]
    """What is probably wrong with a subject that fails it."""

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Return why it does not concern a subject of its kind, or None."""
        if self.profile not in abilities.profiles:
            return f"the subject has no {self.profile} profile"
        return None

    @abstractmethod
    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return the settings to try; the same whenever it is asked."""

    @abstractmethod
    def observe(self, trial: Trial) -> Observation:
        """Make some trials of one experiment."""

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return bugs that might explain what an experiment has seen.

        The number of each is how much likelier it makes all that was seen, as a logarithm.
        """
        return {}
