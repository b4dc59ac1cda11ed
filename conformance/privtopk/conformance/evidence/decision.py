"""Turns the observations of a requirement into a verdict.

A requirement with the share alpha of the error budget fails when the mean of the e-processes of
its streams reaches 1/alpha, or at the first certain breach. It passes when all its trials are
done, every experiment has shown something, and neither has happened. Anything else is not a pass:
an observation that is missing is an error.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Observations, Process, log_mean
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation

DECISIVE: Final = math.log(1e3)
"""A bug is named only if it makes the observations this much likelier, as a logarithm."""

NAMING: Final = 25.0
"""A failing case goes on until it has this much more log evidence, to tell similar bugs apart."""


NOTHING: Final = "the harness has received no answer of the subject"


class CaseVerdict(StrEnum):
    """The verdict on one requirement."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"
    """The requirement does not concern the subject."""

    ERROR = "error"
    """The harness could not decide: neither a failure nor a pass."""


@dataclass(slots=True)
class Case:
    """A requirement while its experiments run on a subject."""

    requirement: Requirement
    experiments: tuple[Experiment, ...]

    alpha: float
    """The largest probability that it fails a right subject."""

    verdict: CaseVerdict | None = None
    message: str = ""
    trials: int = 0
    seconds: float = 0.0
    path: list[tuple[int, float]] = field(default_factory=list)
    """The number of trials and the log evidence after every piece."""

    values: dict[tuple[int, str], list[Observations]] = field(default_factory=dict)
    measured: dict[str, list[float]] = field(default_factory=dict)
    failed_experiment: int | None = None
    declined: dict[int, str] = field(default_factory=dict)
    """The experiments that the subject declined, and why."""

    _seen: set[int] = field(default_factory=set)
    """The experiments of which something was observed."""

    _has_reached_limit: bool = False
    """Whether the evidence has ever reached 1/alpha."""

    _processes: dict[tuple[int, str], Process] = field(init=False)
    _logs: dict[tuple[int, str], float] = field(init=False)
    """The log evidence of every stream so far."""

    def __post_init__(self) -> None:
        """Start every process with no evidence."""
        self._processes = {
            (index, name): null.process()
            for index, experiment in enumerate(self.experiments)
            for name, null in experiment.streams.items()
        }
        self._logs = dict.fromkeys(self._processes, 0.0)

    @property
    def is_random(self) -> bool:
        """Whether the decision depends on chance."""
        return bool(self._processes)

    @property
    def log_e(self) -> float:
        """The log evidence against the subject: that of the mean over all streams."""
        return log_mean(list(self._logs.values())) if self._logs else 0.0

    def stream_log_e(self, index: int, name: str) -> float:
        """Return the log evidence of one stream."""
        return self._logs[index, name]

    def take(self, index: int, count: int, observation: Observation) -> None:
        """Add the observation of some trials of an experiment, and decide if that suffices."""
        self.trials += min(count, observation.received)
        self.seconds += observation.seconds
        for name, numbers in observation.measured.items():
            self.measured.setdefault(name, []).extend(numbers)
        if observation.declined is not None:
            self.declined[index] = observation.declined
            return
        if observation.violation is not None:
            self.fail(index, observation.violation)
            return
        if not observation.received:
            self.give_up(f"{NOTHING} in the experiment {self.experiments[index].name}")
            return
        self._seen.add(index)
        for name, values in observation.values.items():
            self.values.setdefault((index, name), []).append(values)
            self._processes[index, name].update(values)
            self._logs[index, name] = self._processes[index, name].log_e
        if self.is_random:
            self.path.append((self.trials, self.log_e))
            self.weigh()

    def weigh(self) -> None:
        """Fail, if the evidence suffices and is strong enough to name the bug."""
        self._has_reached_limit |= self.log_e >= -math.log(self.alpha)
        if self.log_e >= NAMING - math.log(self.alpha):
            self.fail(*self._explanation())

    def skip(self, reason: str) -> None:
        """Decide that the requirement does not concern the subject."""
        self.verdict, self.message = CaseVerdict.SKIP, reason

    def fail(self, index: int | None, message: str) -> None:
        """Decide against the subject."""
        self.verdict, self.message, self.failed_experiment = CaseVerdict.FAIL, message, index

    def give_up(self, message: str) -> None:
        """Decide that there is no verdict on the subject."""
        self.verdict, self.message = CaseVerdict.ERROR, message

    def finish(self) -> None:
        """Pass if nothing else was decided; evidence that once sufficed still fails the subject."""
        if self.verdict is not None:
            return
        if self._has_reached_limit:
            self.fail(*self._explanation())
        elif self.declined and len(self.declined) == len(self.experiments):
            self.skip(self._declines())
        elif unseen := self._unseen_experiments():
            self.give_up(f"{NOTHING} in the experiment {unseen[0]}")
        else:
            self.verdict, self.message = CaseVerdict.PASS, self._declines()

    def _unseen_experiments(self) -> list[str]:
        """Return the experiments that showed nothing, although the subject did not decline them."""
        return [
            experiment.name
            for index, experiment in enumerate(self.experiments)
            if index not in self._seen and index not in self.declined
        ]

    def _declines(self) -> str:
        """Return which experiments the subject declined, or an empty text."""
        if not self.declined:
            return ""
        reasons = "; ".join(sorted(set(self.declined.values())))
        return f"declined {len(self.declined)} of {len(self.experiments)} experiments: {reasons}"

    def observations_of(self, index: int) -> Mapping[str, Observations]:
        """Return all observations of an experiment, by stream."""
        return {
            name: np.concatenate(values)
            for (experiment, name), values in self.values.items()
            if experiment == index
        }

    def _explanation(self) -> tuple[int, str]:
        """Return the experiment with the most evidence, and a text about it."""
        index, name = max(self._logs, key=lambda stream: self._logs[stream])
        experiment = self.experiments[index]
        gain = f"10^{self._logs[index, name] / math.log(10):.1f}"
        text = (
            f"{experiment.name}, {name}: what was seen is {gain} times likelier under another law, "
            f"after {self.trials} trials of all experiments"
        )
        bug = self._likeliest_bug()
        return index, f"{text}; it looks like {bug}" if bug else text

    def _likeliest_bug(self) -> str | None:
        """Return the bug that explains all experiments together best, if one clearly does."""
        gains: dict[str, float] = {}
        for index, experiment in enumerate(self.experiments):
            seen = self.observations_of(index)
            if seen:
                found = self.requirement.explanations(experiment, Observation(seen))
                for bug, gain in found.items():
                    gains[bug] = gains.get(bug, 0.0) + gain
        best = max(gains, key=lambda bug: gains[bug], default=None)
        return best if best is not None and gains[best] > DECISIVE else None
