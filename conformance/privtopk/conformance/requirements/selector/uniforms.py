"""When the harness serves the uniforms, a selection is a function of scores and uniforms.

A served uniform is (2n + 1) / 2^53 for a whole n below 2^52. This changes the probability of any
event by at most 2^-52 per draw. So the law of 2000 selections of 20 draws each is exact up to
10^-11, which is added to the probability of a false alarm.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Final

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import checked_items
from privtopk.conformance.requirements.instruments.outcome_laws import Law
from privtopk.conformance.requirements.selector.output_law import OutcomeLaw, experiment_of
from privtopk.conformance.subjects.doors import Meter, open_doors
from privtopk.conformance.subjects.kinds import Kind, Profile
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.values import Histogram

SMALLEST: Final = 2.0**-53
LARGEST: Final = 1 - 2.0**-53
MIDDLE: Final = (2**52 + 1) / 2**53

SIZES: Final = ((1, 1), (2, 1), (6, 3), (40, 4), (300, 5))
"""Pairs (m, k) on which tapes are replayed."""

RATE: Final = 0.6
TAPES: Final = 32
SPREAD: Final = 6
"""With 6 tied items, 32 tapes all select the same one with probability 6^-31 < 10^-24."""

LAWS: Final[tuple[tuple[Histogram, int, float], ...]] = (
    ((1, 4, 4, 0, 2), 2, 0.6),
    ((7, 0, 0, 0, 0, 0, 2), 1, 0.45),
)
TRIALS: Final = 800


@dataclass(slots=True)
class ServedUniforms:
    """A tape of uniforms that the harness serves: some given ones first, then those of a seed."""

    seed: int
    given: Sequence[float] = ()
    served: int = 0
    _coins: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Start at the beginning."""
        self._coins = random.Random(self.seed)

    def __call__(self) -> float:
        """Return the next uniform."""
        self.served += 1
        if self.served <= len(self.given):
            return self.given[self.served - 1]
        return (2 * self._coins.getrandbits(52) + 1) / 2**53


def select_with_tape(
    trial: Trial, scores: ListedScores, tape: ServedUniforms, question: Question
) -> tuple[tuple[int, ...], Meter]:
    """Let the subject select with served uniforms; a set is returned in ascending order."""
    doors, meter = open_doors(scores)
    answer = trial.call(trial.subject.thing.select_with_uniforms, doors, tape, question)
    items = checked_items(answer, question.k, scores.size)
    return (items if question.is_ranked else tuple(sorted(items))), meter


class TapeDeterminism(Requirement):
    """The same tape gives the same selection, and different tapes can give different ones."""

    id = "selector.tape-determinism"
    kind = Kind.SELECTOR
    profile = Profile.UNIFORMS_SERVED
    statement = (
        "When the harness serves the uniforms, the same uniforms give the same items by the same "
        "accesses, and different uniforms can give different items."
    )
    claims = ("algo:one-shot", "fact:inversion")
    bug = "the selection draws random numbers of its own, or ignores the uniforms that are served"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return sizes at which tapes are replayed, and ties that different tapes must break."""
        replays = [
            Experiment(f"m={m}, k={k}, {noise}", 16, (m, question_at(RATE, k, noise)))
            for m, k in SIZES
            for noise in subject.abilities.noises
        ]
        ignored = [
            Experiment(f"{SPREAD} tied items, {noise}", 1, (None, question_at(RATE, 1, noise)))
            for noise in subject.abilities.noises
        ]
        return (*replays, *ignored)

    def observe(self, trial: Trial) -> Observation:
        """Replay tapes, or compare the selections of different tapes."""
        m, question = trial.experiment.setting
        for _ in range(trial.count):
            if m is None:
                require_spread(trial, question)
            else:
                require_replay(trial, m, question)
        return Observation()


def require_replay(trial: Trial, m: int, question: Question) -> None:
    """Demand the same items, accesses and number of uniforms from the same tape."""
    histogram = [trial.coins.randrange(3) for _ in range(m)]
    tie_seed, seed = trial.coins.getrandbits(32), trial.coins.getrandbits(64)
    runs = []
    for _ in range(2):
        tape = ServedUniforms(seed)
        scores = ListedScores(histogram, tie_seed)
        items, meter = select_with_tape(trial, scores, tape, question)
        runs.append({"items": items, "accesses": meter.trace, "numbers of draws": tape.served})
    for what, first in runs[0].items():
        if runs[1][what] != first:
            raise ViolationError(f"h={histogram}: the same uniforms gave different {what}")


def require_spread(trial: Trial, question: Question) -> None:
    """Demand that different tapes do not all select the same of tied items."""
    scores = ListedScores([4] * SPREAD)
    tapes = [ServedUniforms(trial.coins.getrandbits(64)) for _ in range(TAPES)]
    found = {select_with_tape(trial, scores, tape, question)[0] for tape in tapes}
    if len(found) == 1:
        ((item,),) = found
        raise ViolationError(
            f"{TAPES} different tapes all selected item {item} of {SPREAD} that are tied"
        )


EXTREMES: Final[dict[str, tuple[float, ...]]] = {
    "smallest": (SMALLEST,),
    "largest": (LARGEST,),
    "middle": (MIDDLE,),
    "smallest and largest": (SMALLEST, LARGEST),
    "largest and smallest": (LARGEST, SMALLEST),
    "largest and middle": (LARGEST, MIDDLE),
}
PREFIXES: Final = (1, 2, 7, 64, 1000)
"""Numbers of extreme uniforms before the ordinary ones."""


class TapeExtremes(Requirement):
    """Extreme uniforms lead to a selection.

    After at most 1000 extreme uniforms the tape is ordinary. So a subject that rightly rejects
    uniforms and draws again terminates.
    """

    id = "selector.tape-extremes"
    kind = Kind.SELECTOR
    profile = Profile.UNIFORMS_SERVED
    statement = (
        "The smallest and the largest uniforms that are possible lead to a selection, even many "
        "in a row."
    )
    claims = ("fact:inversion", "erratum:quantile", "erratum:atoms")
    bug = "a logarithm of 0, an infinite noise, or equal noises for which no order is defined"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per pattern of uniforms and noise."""
        return tuple(
            Experiment(f"{name}, {noise}", len(PREFIXES), (name, noise))
            for name in EXTREMES
            for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Select with extreme uniforms, from tied scores and from random ones."""
        name, noise = trial.experiment.setting
        for turn in range(trial.count):
            extreme = tuple(islice(cycle(EXTREMES[name]), PREFIXES[turn % len(PREFIXES)]))
            for m, k in SIZES[:-1]:
                for histogram in ([0] * m, [trial.coins.randrange(5) for _ in range(m)]):
                    scores = ListedScores(histogram, trial.coins.getrandbits(32))
                    tape = ServedUniforms(trial.coins.getrandbits(64), extreme)
                    select_with_tape(trial, scores, tape, question_at(RATE, k, noise))
        return Observation()


class TapeLaw(OutcomeLaw):
    """Served uniforms that are independent give the law of the declared mechanism."""

    id = "selector.tape-law"
    profile = Profile.UNIFORMS_SERVED
    statement = (
        "When the harness serves independent uniforms, the selected set has exactly the law of "
        "the mechanism that the subject declares."
    )
    claims = ("algo:one-shot", "fact:inversion")
    share = 4
    bug = "uniforms are used twice, turned into noise by a wrong inverse, or scaled wrongly"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per small histogram and noise."""
        found = [
            experiment_of(subject, histogram, question_at(rate, k, noise))
            for noise in subject.abilities.noises
            for histogram, k, rate in LAWS
        ]
        return tuple(replace(experiment, trials=TRIALS) for experiment in found)

    def selections(self, trial: Trial, law: Law) -> Iterator[tuple[int, ...]]:
        """Yield one selection per trial, each with another tape."""
        for _ in range(trial.count):
            scores = ListedScores(law.histogram, trial.coins.getrandbits(32))
            tape = ServedUniforms(trial.coins.getrandbits(64))
            yield select_with_tape(trial, scores, tape, law.question)[0]


REQUIREMENTS: Final = (TapeDeterminism(), TapeExtremes(), TapeLaw())
