"""A selector knows only the scores that it has read.

One random item is far ahead of all others. Before the first access a selector knows nothing about
which item that is. So if its first access is a random one, it hits the leader with probability
1/m. A scan may start anywhere, and a prefix starts with sorted access. A selector that looks up
the leader first too often has seen the scores in another way.
"""

from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import MeanAtMost
from privtopk.conformance.evidence.requirement import SHOWN, Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.subjects.doors import Meter
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.question import question_at
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.subjects.subject import Subject

SIZES: Final = (50, 1000)
TRIALS: Final = 48
RATE: Final = 0.5
AHEAD: Final = 100
"""The leader is 50 scales above the others, so it is nearly always selected."""


class NoPeeking(Requirement):
    """A score that was not read is not known."""

    id = "selector.no-peeking"
    kind = Kind.SELECTOR
    statement = (
        "The first access of a selection is a look-up of the best item with probability at most "
        "1/m."
    )
    claims = ("model:access-cost", "model:random-access")
    share = 4
    bug = "the scores are known from elsewhere: a cache, a global variable, the harness's memory"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that receives the whole histogram."""
        return SHOWN if abilities.is_sampler else super().reason_to_skip(abilities)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise and size."""
        return tuple(
            Experiment(
                f"m={m}, {noise}",
                TRIALS,
                (m, question_at(RATE, 1, noise)),
                {"leader looked up first": MeanAtMost(1 / m)},
            )
            for noise in subject.abilities.noises
            for m in SIZES
            if m <= subject.abilities.largest
        )

    def observe(self, trial: Trial) -> Observation:
        """Put the leader at a random item and observe the first access."""
        m, question = trial.experiment.setting
        hits = np.empty(trial.count)
        for turn in range(trial.count):
            leader = trial.coins.randrange(1, m + 1)
            _, meter = select_from(trial, SparseScoreList(m, {leader: AHEAD}), question)
            hits[turn] = is_hit(meter, leader)
        return Observation({"leader looked up first": hits})


def is_hit(meter: Meter, leader: int) -> bool:
    """Return whether the first access is a random one to the leader."""
    return meter.trace[:1] == [("random", leader)]


REQUIREMENTS: Final = (NoPeeking(),)
