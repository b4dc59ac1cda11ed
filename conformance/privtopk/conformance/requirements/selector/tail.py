"""At huge m the tail of the noise decides: small defects become large ones.

The rate is chosen so that the leaders of a race win with a given probability. At m = 2^60 this is
decided about 42 scales out in the tail. There, noise that is 5 % too small, a uniform of 53 bits
or a tail that is cut off is found after about fifty selections.
"""

from collections.abc import Iterator
from typing import Final

from privtopk.conformance.evidence.trial import Experiment
from privtopk.conformance.requirements.instruments.noisy_scores import GAP, sizes_for
from privtopk.conformance.requirements.instruments.races import (
    LeaderRace,
    RaceRequirement,
    leaders_win,
    race_experiment,
)
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.upper_bounds.utility import error_quantile

EVEN: Final = 0.5
EXTREMES: Final = (0.02, 0.98)
"""Probabilities with which leaders lose; the extremes are tried at the largest size.

Under Laplace noise of the same rate they differ slightly; the null hypothesis is exact.
"""

LEADERS: Final = 3
"""Number of leaders in races with more than one."""


class Tail(RaceRequirement):
    """Far in the tail the noise has the right scale, and no item is favoured."""

    id = "selector.tail"
    statement = (
        "In domains of up to 2^60 items, a few leaders above equal items are all selected with "
        "the exact probability, and the equal items have equal probabilities to be selected."
    )
    claims = ("algo:one-shot", "ours:utility-gumbel", "ours:utility-laplace", "def:noise")
    share = 10
    bug = (
        "the scale of the noise is a few per cent off, its tail is cut off, or some items get no "
        "noise"
    )

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return even races at every size, and extreme and joint ones at the largest."""
        return tuple(
            race_experiment(subject, race)
            for noise in subject.abilities.noises
            for race in races(subject, noise)
        )


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
    """Return the race of a question at the rate that the subject declares."""
    rate = subject.rate(question, m)
    return LeaderRace(m, question, rate, leaders_win(question.noise, rate, question.k, m))


REQUIREMENTS: Final = (Tail(),)
