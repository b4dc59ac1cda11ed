"""At huge m the tail of the noise decides: small defects become large ones.

A few leaders stand a gap above all other items, which score 0. The rate is chosen so that
the leaders win with a given probability: at m = 2^60 that is decided some 42 scales out in the
tail, where noise 5 % too small, a uniform of 53 bits or a cut-off tail is plain after some
fifty selections. Zeros are alike, so whichever is chosen is uniform among them: its rank among
the zeros, the leader left out, falls into each of eight ranges with an exact probability.

Laplace noise is tried up to m = 2^30 only. A leader's noise is below -x with probability
e^-x/2 and then about e^x items must be opened, so that at m = 2^60 a right selector would now
and then run for hours; Gumbel noise has no such tail.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Categories, Observations
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.selector.answers import select_from
from privtopk.conformance.subjects.kinds import Abilities, Cost, Kind, Mechanism
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import error_quantile, failure_probability

SIZES: Final = {
    NoiseKind.GUMBEL: (100, 10_000, 2**40, 2**60),
    NoiseKind.LAPLACE: (100, 10_000, 2**30),
}
GAP: Final = 20
"""How far a leader is ahead, in votes; the rate follows from it and is never 1."""

EVEN: Final = 0.5
EXTREMES: Final = (0.02, 0.98)
"""Probabilities with which leaders lose; the extremes are tried at the largest size.

Under Laplace noise of the same rate they are a little different: what is compared is exact.
"""

LEADERS: Final = 3
"""So many leaders, to see whether all of them are selected."""

RANGES: Final = 8
TRIALS: Final = 256
SMALL: Final = 100
SMALL_TRIALS: Final = 1024
"""In small domains selections are quick, and the shape of the noise takes many to show."""

SCANNED_SIZE: Final = 2_000
SCANNED_ITEMS: Final = 100_000
"""A subject that reads everything reads about so many entries in one experiment."""

FEWEST_TRIALS: Final = 32
PERCENTS: Final = (5, 10, 20, 40, 100)


@dataclass(frozen=True, slots=True)
class LeaderRace:
    """Leaders against the rest of the domain, and the probability that the leaders win."""

    m: int
    question: Question
    rate: float
    leaders_win: float
    gap: int = GAP


def sizes_for(abilities: Abilities, noise: NoiseKind) -> tuple[int, ...]:
    """Return the sizes to try, none beyond what the subject accepts or can scan quickly."""
    is_scan = abilities.cost is Cost.SCAN
    largest = min(abilities.largest, SCANNED_SIZE) if is_scan else abilities.largest
    return tuple(sorted({min(m, largest) for m in SIZES[noise]}))


def affordable_trials(abilities: Abilities, m: int, trials: int) -> int:
    """Return how many trials to make: fewer where each of them reads the whole domain."""
    if abilities.cost is not Cost.SCAN:
        return trials
    return max(FEWEST_TRIALS, min(trials, SCANNED_ITEMS // m))


class NoisyScoresRequirement(Requirement):
    """What the requirements on the largest noise have in common."""

    kind = Kind.SELECTOR

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject whose law has no noise."""
        if abilities.mechanism is not Mechanism.NOISY_TOP_K:
            return (
                f"what it expects holds for noisy scores, and the subject is {abilities.mechanism}"
            )
        return super().reason_to_skip(abilities)


class Tail(NoisyScoresRequirement):
    """Far in the tail the noise has the right scale, and no item is favoured."""

    id = "selector.tail"
    statement = (
        "In domains of up to 2^60 items, a few leaders above equal items are all selected with "
        "the exact probability, and the equal items have equal probabilities to be selected."
    )
    claims = ("algo:one-shot", "ours:utility-gumbel", "ours:utility-laplace", "def:noise")
    share = 14
    bug = (
        "the scale of the noise is a few per cent off, its tail is cut off, or some items get no "
        "noise"
    )

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return even races at every size, and extreme and joint ones at the largest."""
        return tuple(
            experiment_of(subject, race)
            for noise in subject.abilities.noises
            for race in races(subject, noise)
        )

    def observe(self, trial: Trial) -> Observation:
        """Run races with leaders at random items."""
        race: LeaderRace = trial.experiment.setting
        return Observation(
            {"winner": np.array([race_winner(trial, race) for _ in range(trial.count)])}
        )

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the usual slips."""
        return gains(experiment.setting, observed.values["winner"])


def races(subject: Subject, noise: NoiseKind) -> Iterator[LeaderRace]:
    """Yield the races under one noise."""
    sizes = sizes_for(subject.abilities, noise)
    settings = [(m, 1, EVEN) for m in sizes]
    settings += [(sizes[-1], 1, loss) for loss in EXTREMES]
    settings += [(m, LEADERS, EVEN) for m in sizes[-2:]]
    for m, k, loss in settings:
        rate = error_quantile(NoiseKind.GUMBEL, 1.0, loss, k, m) / GAP if k < m else 0.0
        if rate > 0:
            yield race_of(subject, m, question_at(rate, k, noise))


def race_of(subject: Subject, m: int, question: Question) -> LeaderRace:
    """Return the race that a question leads to at the rate that the subject takes."""
    rate = subject.rate(question, m)
    return LeaderRace(m, question, rate, leaders_win(question.noise, rate, question.k, m))


@lru_cache(maxsize=1024)
def leaders_win(noise: NoiseKind, rate: float, k: int, m: int, gap: int = GAP) -> float:
    """Return the probability that k leaders beat all other items."""
    return 1 - failure_probability(noise, rate, gap, k, m)


def experiment_of(subject: Subject, race: LeaderRace) -> Experiment:
    """Return the experiment that counts the winners of a race."""
    question = race.question
    name = f"m={race.m}, k={question.k}, rate {race.rate:.3g}, {question.noise}"
    ranges = ("others",) if question.k > 1 else tuple(f"range {n + 1}" for n in range(RANGES))
    null = Categories(probabilities(race, race.leaders_win), ("leaders", *ranges))
    wanted = SMALL_TRIALS if race.m <= SMALL else TRIALS
    trials = affordable_trials(subject.abilities, race.m, wanted)
    return Experiment(name, trials, race, {"winner": null})


def probabilities(race: LeaderRace, win: float) -> tuple[float, ...]:
    """Return the probabilities of the categories if leaders win with a given one."""
    if race.question.k > 1:
        return win, 1 - win
    zeros = race.m - 1
    starts = [-(-n * zeros // RANGES) for n in range(RANGES + 1)]
    shares = [(stop - start) / zeros for start, stop in pairwise(starts)]
    return win, *((1 - win) * share for share in shares)


def race_winner(trial: Trial, race: LeaderRace) -> int:
    """Return 0 if exactly the leaders are selected, and otherwise the range of the other."""
    k = race.question.k
    leaders = dict.fromkeys(trial.coins.sample(range(1, race.m + 1), k), race.gap)
    items, _ = select_from(trial, SparseScoreList(race.m, leaders), race.question)
    others = [item for item in items if item not in leaders]
    if not others:
        return 0
    if k > 1:
        return 1
    (leader,), (other,) = leaders, others
    rank = other - (other > leader)
    return 1 + RANGES * (rank - 1) // (race.m - 1)


def gains(race: LeaderRace, seen: Observations) -> dict[str, float]:
    """Return for each usual slip how much likelier it makes the winners, as a logarithm."""
    honest = np.array(probabilities(race, race.leaders_win))
    return log_likelihood_gains(seen, honest, usual_slips(race, honest))


def log_likelihood_gains(
    seen: Observations, honest: np.ndarray, slips: Iterable[tuple[str, np.ndarray]]
) -> dict[str, float]:
    """Return for each slip how much likelier its law makes the categories that were seen."""
    counts = np.bincount(seen.astype(np.int64), minlength=len(honest))
    return {
        text: float((counts * (np.log(np.maximum(slip, 1e-300)) - np.log(honest))).sum())
        for text, slip in slips
    }


def wrong_scales() -> Iterator[tuple[str, float]]:
    """Yield noises of a wrong scale, and by what factor their rate is off."""
    for percent in PERCENTS:
        yield f"noise {percent} % too small", 1 + percent / 100
        yield f"noise {percent} % too large", 1 / (1 + percent / 100)


def usual_slips(race: LeaderRace, honest: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the mistakes that implementations make, by the law that they lead to."""
    noise, k = race.question.noise, race.question.k
    yield (
        "noise whose tail is cut off, or items that were not read and get no noise",
        np.array(probabilities(race, 1.0)),
    )
    for text, factor in wrong_scales():
        win = leaders_win(noise, race.rate * factor, k, race.m, race.gap)
        yield text, np.array(probabilities(race, win))
    yield "a choice that ignores the scores", np.array(probabilities(race, k / race.m))
    if k > 1:
        once = leaders_win(noise, race.rate * k, k, race.m, race.gap)
        bug = "a budget counted once and not for each of the k items"
        yield bug, np.array(probabilities(race, once))
    if k == 1:
        yield "a choice that favours small item numbers", law_favouring(honest, 1)
        yield "a choice that favours large item numbers", law_favouring(honest, RANGES)


def law_favouring(honest: np.ndarray, favourite: int) -> np.ndarray:
    """Return a law under which nearly all of the others that win lie in one range."""
    law: np.ndarray = honest / 100
    law[0] = honest[0]
    law[favourite] += 0.99 * honest[1:].sum()
    return law


REQUIREMENTS: Final = (Tail(),)
