"""A faulty source leads to an error, and extreme inputs lead to the right selection.

**Faults.** The doors break one promise, from some access on. A subject that received evidence of
it (`faulty_list.evidence`) must raise an error. A subject that did not may answer.

**Extremes.** The probability that a right selection differs from the true top k is at most
`failure_probability` at the gap. Where that is below 10^-15, the true top k is demanded. A whole
run makes 304 such selections. The bound covers permute-and-flip too: on scores with two
values, the worst case of every choice, it fails at most as often as the exponential mechanism.
"""

from collections.abc import Sequence
from typing import Final

from privtopk.conformance.evidence.requirement import SHOWN, Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import checked_items, select_from
from privtopk.conformance.requirements.instruments.faulty_list import (
    FAULTS,
    DoorsError,
    FaultyList,
    evidence,
)
from privtopk.conformance.subjects.calls import SubjectError, describe_error
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import failure_probability

SIZE: Final = 48
K: Final = 3
FAULT_RATE: Final = 0.02
STEP: Final = 7
"""Scores of faulty lists are multiples of 7: no two tie, and noise can change the selection."""

TURNS: Final = 64
FIRST_FAULTS: Final = (1, 1, 2, 3, 4, 6, 9, 14, 25, 40)
"""The accesses at which a fault may begin, counted per door."""


class FaultySource(Requirement):
    """Evidence of a fault leads to an error."""

    id = "selector.faulty-source"
    kind = Kind.SELECTOR
    statement = (
        "A selector that receives evidence of a faulty source raises an error instead of selecting."
    )
    claims = ("model:sorted-access", "model:random-access")
    bug = "what the source delivers is not checked, or its errors are swallowed"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that receives the whole histogram."""
        return SHOWN if abilities.is_sampler else super().reason_to_skip(abilities)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per fault."""
        return tuple(Experiment(fault, TURNS, fault) for fault in FAULTS)

    def observe(self, trial: Trial) -> Observation:
        """Select from lists whose fault begins at different accesses."""
        for _ in range(trial.count):
            histogram = [STEP * n for n in range(1, SIZE + 1)]
            trial.coins.shuffle(histogram)
            begins = trial.coins.choice(FIRST_FAULTS)
            faulty = FaultyList(ListedScores(histogram), trial.experiment.setting, begins)
            require_error(trial, faulty, question_at(FAULT_RATE, K, noise_for(trial)))
        return Observation()


def noise_for(trial: Trial) -> NoiseKind:
    """Return a random noise of those that the subject offers."""
    return trial.coins.choice(trial.subject.abilities.noises)


def require_error(trial: Trial, faulty: FaultyList, question: Question) -> None:
    """Demand an error if there was evidence, and that it stems from the doors' own exception."""
    try:
        answer = trial.call(trial.subject.select, faulty.doors, question)
    except SubjectError as fault:
        if not isinstance(fault.cause, Exception):
            raise
        if faulty.has_raised and not stems_from_doors(fault.cause):
            raise ViolationError(
                "the exception of the source is lost: "
                f"{describe_error(fault.cause)} was not raised from it"
            ) from fault
        return
    items = checked_items(answer, question.k, faulty.scores.size)
    given = evidence(faulty, items, trial.subject.abilities.cost)
    if given is not None:
        raise ViolationError(f"received {given}, but raised no error")


def stems_from_doors(error: BaseException) -> bool:
    """Return whether an error is the doors' own, or was raised from it or while handling it."""
    chain: BaseException | None = error
    seen: set[int] = set()
    while chain is not None and id(chain) not in seen:
        if isinstance(chain, DoorsError):
            return True
        seen.add(id(chain))
        chain = chain.__cause__ or chain.__context__
    return False


HUGE: Final = 2**53
CERTAIN: Final = 1e-15

EXTREMES: Final[dict[str, tuple[tuple[int, ...], int, float]]] = {
    "almost no noise": ((0, 3, 1, 2, 4), 2, 1e6),
    "epsilon of 1e100": ((0, 3, 1, 2, 4), 2, 1e100),
    "epsilon of 1e300": ((5, 0, 1), 1, 1e300),
    "leader 38 scales ahead, first": ((76, 0, 0), 1, 0.5),
    "leader 38 scales ahead, last": ((0, 0, 76), 1, 0.5),
    "leader 745 scales ahead, first": ((1490, 0, 0, 0), 1, 0.5),
    "leader 745 scales ahead, last": ((0, 0, 0, 1490), 1, 0.5),
    "two leaders, far apart": ((2000, 0, 0, 5000, 0), 2, 0.7),
    "a laggard": ((900, 900, 900, 0, 900), 4, 0.7),
    "score times epsilon beyond 709": ((4000, 3000, 3000, 3000), 1, 0.9),
    "scores near 2^53": ((HUGE - 1, HUGE, HUGE - 2), 1, 60.0),
    "a leader of 2^53": ((0, 0, HUGE, 0, 1), 1, 0.3),
    "all tied at 0": ((0,) * 6, 2, 0.3),
    "all tied at 1000000": ((1_000_000,) * 6, 2, 0.9),
    "all tied at 2^53": ((HUGE,) * 6, 2, 0.9),
    "tiny epsilon": ((0, 5, 9), 1, 1e-9),
    "everything": ((0, 5, HUGE, 1), 4, 0.3),
    "one item": ((0,), 1, 0.3),
    "one item of 2^53": ((HUGE,), 1, 1e6),
}
"""Scores, k and rate of inputs on which other implementations failed."""


class Degenerate(Requirement):
    """Extreme inputs lead to the obvious selection."""

    id = "selector.degenerate"
    kind = Kind.SELECTOR
    statement = (
        "Where the noise can change the selection only with probability below 10^-15, the true "
        "top k is selected, however large the numbers are."
    )
    claims = ("algo:one-shot", "ours:utility-gumbel", "ours:utility-laplace")
    bug = "exponentials overflow or underflow, scores are rounded, or the sign is wrong"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per extreme input and noise."""
        return tuple(
            Experiment(
                f"{name}, {subject.abilities.law_name(noise)}",
                8,
                (name, noise, expected_set(subject, name, noise)),
            )
            for name in EXTREMES
            for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Select, and compare the set if only one set is plausible."""
        name, noise, expected = trial.experiment.setting
        histogram, k, rate = EXTREMES[name]
        for _ in range(trial.count):
            scores = ListedScores(histogram, trial.coins.getrandbits(32))
            items, _ = select_from(trial, scores, question_at(rate, k, noise))
            if expected is not None and set(items) != expected:
                raise ViolationError(
                    f"h={histogram}, rate {rate:g}: must select {sorted(expected)}, "
                    f"got {sorted(items)}"
                )
        return Observation()


def expected_set(subject: Subject, name: str, noise: NoiseKind) -> frozenset[int] | None:
    """Return the true top k, or None if a right selection may well differ from it."""
    histogram, k, rate = EXTREMES[name]
    m = len(histogram)
    order = sorted(range(1, m + 1), key=lambda item: -histogram[item - 1])
    declared = subject.rate(question_at(rate, k, noise), m)
    is_certain = chance_of_another(histogram, k, declared, noise) < CERTAIN
    return frozenset(order[:k]) if is_certain else None


def chance_of_another(histogram: Sequence[int], k: int, rate: float, noise: NoiseKind) -> float:
    """Return a bound on the probability that the true top k is not selected."""
    m = len(histogram)
    if k == m:
        return 0.0
    descending = sorted(histogram, reverse=True)
    gap = descending[k - 1] - descending[k]
    return failure_probability(noise, rate, gap, k, m) if gap else 1.0


REQUIREMENTS: Final = (FaultySource(), Degenerate())
