"""Items met by random access come in their turn, and leave the law of the others alone.

A sorted access that returns a known item tells that all others are smaller, and nothing more.
An implementation that has drawn their maximum for it must not use it again once another item
was looked up: there is one unseen item less. In lists of four or five items that changes
the law most; in the scripts of the joint law it is rare.
"""

from collections.abc import Iterator
from typing import Final

from privtopk.conformance.evidence.e_process import Null, Uniform
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.noise.residuals import nonempty_streams
from privtopk.conformance.requirements.noise.scripts import RATES
from privtopk.conformance.requirements.noise.transcript import (
    AFTER_KNOWN,
    PAST_PENDING,
    SORTED,
    Step,
    Transcript,
)
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject

SIZES: Final = (4, 5)
TRIALS: Final = 2000
CASES: Final = (PAST_PENDING, AFTER_KNOWN, SORTED)


class KnownItems(Requirement):
    """A known item in its turn does not change the law of the others."""

    id = "noise-oracle.known-items"
    kind = Kind.NOISE_ORACLE
    statement = (
        "After sorted access has delivered a known item, the other noises still have their "
        "conditional law."
    )
    claims = ("thm:oracle", "ours:rank-free")
    share = 10
    bug = "the largest unseen noise is kept although an item was looked up since"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return small lists, for each noise."""
        streams: dict[str, Null] = {case: Uniform() for case in CASES}
        return tuple(
            Experiment(f"m={m}, {noise}", TRIALS, (m, noise), streams)
            for noise in subject.abilities.noises
            for m in SIZES
            if m <= subject.abilities.largest
        )

    def observe(self, trial: Trial) -> Observation:
        """Look up two items, then read by turns through both doors."""
        m, noise = trial.experiment.setting
        seen: dict[str, list[float]] = {case: [] for case in CASES}
        for _ in range(trial.count):
            told = Transcript(trial, m, trial.coins.choice(RATES), noise)
            for step in access_steps(told):
                if step is not None and step.case in seen:
                    seen[step.case].append(step.residual)
        return Observation(nonempty_streams(seen))


def access_steps(told: Transcript) -> Iterator[Step | None]:
    """Yield what two look-ups and then both doors by turns tell."""
    yield told.random_access(told.fresh_item())
    while told.unseen:
        yield told.random_access(told.fresh_item())
        if told.unseen:
            yield told.sorted_access()


REQUIREMENTS: Final = (KnownItems(),)
