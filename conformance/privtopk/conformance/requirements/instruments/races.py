"""Races: a few leaders stand a gap above all other items, which score 0.

The leaders win if exactly they are selected. The probability of this is known exactly. The other
items are alike, so one that is selected instead is uniform among them: its rank among them falls
into each of eight ranges with an exact probability.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Categories, Observations
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.requirements.instruments.noisy_scores import (
    GAP,
    NoisyScoresRequirement,
    affordable_trials,
    log_likelihood_gains,
    wrong_scales,
)
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import failure_probability

RANGES: Final = 8
TRIALS: Final = 256
SMALL: Final = 100
SMALL_TRIALS: Final = 1024
"""Selections from small domains are quick, and the shape of the noise takes many to test."""


@dataclass(frozen=True, slots=True)
class LeaderRace:
    """Leaders against the rest of the domain, and the probability that the leaders win."""

    m: int
    question: Question
    rate: float
    leaders_win: float
    gap: int = GAP


class RaceRequirement(NoisyScoresRequirement):
    """A requirement whose experiments are races."""

    def observe(self, trial: Trial) -> Observation:
        """Run races with leaders at random items."""
        race: LeaderRace = trial.experiment.setting
        winners = [race_winner(trial, race) for _ in range(trial.count)]
        return Observation({"winner": np.array(winners)})

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the usual mistakes."""
        return race_gains(experiment.setting, observed.values["winner"])


@lru_cache(maxsize=1024)
def leaders_win(noise: NoiseKind, rate: float, k: int, m: int, gap: int = GAP) -> float:
    """Return the probability that k leaders beat all other items."""
    return 1 - failure_probability(noise, rate, gap, k, m)


def race_experiment(subject: Subject, race: LeaderRace) -> Experiment:
    """Return the experiment that counts the winners of a race."""
    question = race.question
    name = f"m={race.m}, k={question.k}, rate {race.rate:.3g}, {question.noise}"
    ranges = ("others",) if question.k > 1 else tuple(f"range {n + 1}" for n in range(RANGES))
    null = Categories(race_probabilities(race, race.leaders_win), ("leaders", *ranges))
    wanted = SMALL_TRIALS if race.m <= SMALL else TRIALS
    trials = affordable_trials(subject.abilities, race.m, wanted)
    return Experiment(name, trials, race, {"winner": null})


def race_probabilities(race: LeaderRace, win: float) -> tuple[float, ...]:
    """Return the probabilities of the categories if the leaders win with a given probability."""
    if race.question.k > 1:
        return win, 1 - win
    zeros = race.m - 1
    starts = [-(-n * zeros // RANGES) for n in range(RANGES + 1)]
    shares = [(stop - start) / zeros for start, stop in pairwise(starts)]
    return win, *((1 - win) * share for share in shares)


def race_winner(trial: Trial, race: LeaderRace) -> int:
    """Return 0 if exactly the leaders are selected, and otherwise the range of the other item."""
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


def race_gains(race: LeaderRace, seen: Observations) -> dict[str, float]:
    """Return for each usual mistake the log of how much likelier it makes the winners."""
    honest = np.array(race_probabilities(race, race.leaders_win))
    return log_likelihood_gains(seen, honest, usual_mistakes(race, honest))


def usual_mistakes(race: LeaderRace, honest: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the usual mistakes of implementations, with the laws that they lead to."""
    noise, k = race.question.noise, race.question.k
    yield (
        "noise whose tail is cut off, or items that were not read and get no noise",
        np.array(race_probabilities(race, 1.0)),
    )
    for text, factor in wrong_scales():
        win = leaders_win(noise, race.rate * factor, k, race.m, race.gap)
        yield text, np.array(race_probabilities(race, win))
    yield "a choice that ignores the scores", np.array(race_probabilities(race, k / race.m))
    if k > 1:
        once = leaders_win(noise, race.rate * k, k, race.m, race.gap)
        bug = "a budget counted once and not for each of the k items"
        yield bug, np.array(race_probabilities(race, once))
    if k == 1:
        yield "a choice that favours small item numbers", law_favouring(honest, 1)
        yield "a choice that favours large item numbers", law_favouring(honest, RANGES)


def law_favouring(honest: np.ndarray, favourite: int) -> np.ndarray:
    """Return a law under which nearly all other items that win lie in one range."""
    law: np.ndarray = honest / 100
    law[0] = honest[0]
    law[favourite] += 0.99 * honest[1:].sum()
    return law
