"""What requirements on noise oracles and on order statistics have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final

from privtopk.conformance.evidence.e_process import Null
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.noise.residuals import BAD_PARAMETERS, require_refusal
from privtopk.conformance.subjects.subject import Subject

REFUSALS: Final = "refusals"


class ListConsistency(Requirement):
    """The answers of a list never contradict each other, and invalid requests are refused."""

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise, and one for the refusals."""
        noises = subject.abilities.noises
        scripts = tuple(Experiment(f"scripts, {noise}", 96, noise) for noise in noises)
        return (*scripts, Experiment(REFUSALS, 1, noises[0]))

    def observe(self, trial: Trial) -> Observation:
        """Try generated scripts, or invalid parameters."""
        if trial.experiment.name == REFUSALS:
            for m, rate in BAD_PARAMETERS:
                what = f"a list of m={m} with rate {rate}"
                require_refusal(trial, what, self.first_answer, trial, m, rate)
        else:
            self.try_scripts(trial)
        return Observation()

    @abstractmethod
    def first_answer(self, trial: Trial, m: int, rate: float) -> object:
        """Return the first answer of a fresh list."""

    @abstractmethod
    def try_scripts(self, trial: Trial) -> None:
        """Raise `ViolationError` if an answer contradicts an earlier one."""


class ListFreshness(Requirement):
    """Two lists are independent."""

    statement = "Two lists made one after the other are independent."
    claims = ("algo:private-threshold", "erratum:parameter-ranges")
    share = 15

    sizes: ClassVar[tuple[int, ...]]
    streams: ClassVar[Mapping[str, Null]]

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise and size."""
        return tuple(
            Experiment(f"m={m}, {noise}", 480, (m, noise), self.streams)
            for noise in subject.abilities.noises
            for m in self.sizes
            if m <= subject.abilities.largest
        )
