"""A selector knows of the scores only what it has read.

One item is far ahead of all others, at a place drawn at random. Whoever has read nothing knows
nothing of that place, so a selector whose first access is a random one hits the leader with
probability 1/m. A scan starts anywhere and a prefix starts with sorted access; who looks up the
leader first again and again has looked elsewhere before.
"""

from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import MeanAtMost
from privtopk.conformance.evidence.requirement import SHOWN, Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.selector.answers import select_from
from privtopk.conformance.subjects.doors import Meter
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.question import question_at
from privtopk.conformance.subjects.scores import SparseScoreList
from privtopk.conformance.subjects.subject import Subject

SIZES: Final = (50, 1000)
TRIALS: Final = 48
RATE: Final = 0.5
AHEAD: Final = 100
"""At 50 scales above the others the leader is selected nearly always."""


class NoPeeking(Requirement):
    """What was not read is not known."""

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
        """Skip a subject that is shown everything."""
        return SHOWN if abilities.is_sampler else super().reason_to_skip(abilities)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return two sizes for each noise."""
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
        """Hide a leader and see what is read first."""
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
