"""Lets an object play a game in this process, without an address."""

from collections.abc import Sequence

import numpy as np

from conformance.support_oracle import conduct_case
from privtopk.conformance.evidence.trial import Experiment, Observation
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.games.match import Match, nulls
from privtopk.conformance.games.playing import GameCase, game_case
from privtopk.conformance.running.runner import RunPlan
from privtopk.conformance.running.tasks import prospect_of
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject

SMALL = {
    "S1": "S1:m=200",
    "S2": "S2:m=200",
    "S3": "S3:m=1800,k=2",
    "thm-5.1": "thm-5.1:m=200",
    "thm-5.3": "thm-5.3:m=200",
    "thm-5.4": "thm-5.4:m=1800,k=2",
}
"""The games at sizes that take little time."""

ALARM = 1e-9
"""Tests that play with right selectors share the error budget of the suite."""


def subject_of(thing: object) -> Subject:
    """Return an object as a subject, as if it were loaded from an address."""
    return Subject(thing, abilities_of(thing))


def play_game(
    thing: object, text: str, *, budget: float = 1.0, seed: int = 0, alarm: float = ALARM
) -> GameCase:
    """Play one game with the pieces and seeds of a real run, and return its case."""
    match, subject = match_at(text), subject_of(thing)
    plan = RunPlan(seed=seed, budget=budget, alarm=alarm)
    found = prospect_of(match, subject.abilities, lambda: match.experiments(subject))
    play = game_case(match, found, plan, alarm)
    return conduct_case(play, match, subject, found.experiments, plan)


class Constant:
    """A selector that returns the first items after a given number of accesses."""

    def __init__(self, reads: int, cost: str = "scan") -> None:
        """Take the number of accesses."""
        self.reads = reads
        self.cost = cost

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Read and return."""
        scores.top(self.reads)
        return range(1, question.k + 1)


def case_before_play(match: Match, alpha: float, thing: object | None = None) -> GameCase:
    """Return the case of a game before its first play; by default the selector promises nothing."""
    setting = match.setting_for(subject_of(thing or Constant(1)))
    experiment = Experiment(match.id, 192, setting, nulls(setting))
    return GameCase(match, (experiment,), alpha)


def plays(play: GameCase, **streams: Sequence[float]) -> Observation:
    """Return an observation of given streams; the costs have the mean that the savings imply."""
    values = {name: np.array(numbers, dtype=float) for name, numbers in streams.items()}
    horizon = play.match.floor.horizon
    costs = tuple(horizon * (1 - value) for value in streams["saving"])
    nothing = (0.0,) * len(costs)
    measured = {"costs": costs, "base hits": nothing, "hard hits": nothing, "unread": nothing}
    return Observation(values, measured=measured)
