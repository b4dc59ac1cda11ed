"""With the coins served, a selection is a function of scores and coins.

A served uniform is (2n + 1) / 2^53 for a whole n below 2^52. Such coins move the probability
of any event by at most 2^-52 a draw, so that a law compared over 2000 selections of 20 draws
each is exact up to 10^-11: that is what it adds to the probability of a false alarm.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Final

import numpy as np

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.laws.outcome_laws import Law, gains, usual_slips
from privtopk.conformance.requirements.selector.answers import checked_items
from privtopk.conformance.requirements.selector.output_law import experiment_of
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
"""On 6 tied items all of 32 tapes select the same one with probability 6^-31 < 10^-24."""

LAWS: Final[tuple[tuple[Histogram, int, float], ...]] = (
    ((1, 4, 4, 0, 2), 2, 0.6),
    ((7, 0, 0, 0, 0, 0, 2), 1, 0.45),
)
TRIALS: Final = 800


@dataclass(slots=True)
class ServedCoins:
    """Coins that the harness serves: some given ones first, then those of a seed."""

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


def select_with_coins(
    trial: Trial, scores: ListedScores, tape: ServedCoins, question: Question
) -> tuple[tuple[int, ...], Meter]:
    """Let the subject select with served coins; a set comes back in the order of its items."""
    doors, meter = open_doors(scores)
    answer = trial.call(trial.subject.thing.select_with_uniforms, doors, tape, question)
    items = checked_items(answer, question.k, scores.size)
    return (items if question.is_ranked else tuple(sorted(items))), meter


class TapeDeterminism(Requirement):
    """The same tape gives the same selection, and tapes matter."""

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
        """Return sizes on which tapes are replayed, and ties among which they must matter."""
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
        """Replay tapes, or compare what different ones give."""
        m, question = trial.experiment.setting
        for _ in range(trial.count):
            if m is None:
                require_spread(trial, question)
            else:
                require_replay(trial, m, question)
        return Observation()


def require_replay(trial: Trial, m: int, question: Question) -> None:
    """Demand the same items, accesses and number of coins from the same tape."""
    histogram = [trial.coins.randrange(3) for _ in range(m)]
    tie_seed, seed = trial.coins.getrandbits(32), trial.coins.getrandbits(64)
    told = []
    for _ in range(2):
        tape = ServedCoins(seed)
        scores = ListedScores(histogram, tie_seed)
        items, meter = select_with_coins(trial, scores, tape, question)
        told.append({"items": items, "accesses": meter.trace, "coins": tape.served})
    for what, first in told[0].items():
        if told[1][what] != first:
            raise ViolationError(f"h={histogram}: the same coins gave other {what}")


def require_spread(trial: Trial, question: Question) -> None:
    """Demand that tapes matter where all items are tied."""
    scores = ListedScores([4] * SPREAD)
    tapes = [ServedCoins(trial.coins.getrandbits(64)) for _ in range(TAPES)]
    found = {select_with_coins(trial, scores, tape, question)[0] for tape in tapes}
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
"""How many extreme coins come before ordinary ones."""


class TapeExtremes(Requirement):
    """Extreme coins are coins.

    After at most 1000 extreme coins the tape is ordinary, so that whoever throws coins away
    and draws again, rightly, comes to an end.
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
        """Return one experiment for each pattern of coins and each noise."""
        return tuple(
            Experiment(f"{name}, {noise}", len(PREFIXES), (name, noise))
            for name in EXTREMES
            for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Select with extreme coins, from tied scores and from others."""
        name, noise = trial.experiment.setting
        for turn in range(trial.count):
            coins = tuple(islice(cycle(EXTREMES[name]), PREFIXES[turn % len(PREFIXES)]))
            for m, k in SIZES[:-1]:
                for histogram in ([0] * m, [trial.coins.randrange(5) for _ in range(m)]):
                    scores = ListedScores(histogram, trial.coins.getrandbits(32))
                    tape = ServedCoins(trial.coins.getrandbits(64), coins)
                    select_with_coins(trial, scores, tape, question_at(RATE, k, noise))
        return Observation()


class TapeLaw(Requirement):
    """Served coins that are uniform give the law of the one-shot mechanism."""

    id = "selector.tape-law"
    kind = Kind.SELECTOR
    profile = Profile.UNIFORMS_SERVED
    statement = (
        "When the harness serves independent uniforms, the selected set has exactly the law of "
        "the mechanism that the subject declares."
    )
    claims = ("algo:one-shot", "fact:inversion")
    share = 4
    bug = "uniforms are used twice, turned into noise by a wrong inverse, or scaled wrongly"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment for each small histogram and each noise."""
        found = [
            experiment_of(subject, histogram, question_at(rate, k, noise))
            for noise in subject.abilities.noises
            for histogram, k, rate in LAWS
        ]
        return tuple(replace(experiment, trials=TRIALS) for experiment in found)

    def observe(self, trial: Trial) -> Observation:
        """Select often, with other coins each time, and count the sets."""
        law: Law = trial.experiment.setting
        number = {outcome: index for index, outcome in enumerate(law.outcomes)}
        seen = np.empty(trial.count)
        for turn in range(trial.count):
            scores = ListedScores(law.histogram, trial.coins.getrandbits(32))
            tape = ServedCoins(trial.coins.getrandbits(64))
            items, _ = select_with_coins(trial, scores, tape, law.question)
            seen[turn] = number[items]
        return Observation({"outcomes": seen})

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the usual slips."""
        law: Law = experiment.setting
        return gains(law, observed.values["outcomes"], usual_slips(law))


REQUIREMENTS: Final = (TapeDeterminism(), TapeExtremes(), TapeLaw())
