"""A known item that sorted access delivers does not change the law of the other noises.

A sorted access that returns a known item reveals that all unseen noises are smaller, and nothing
more. To decide this, an implementation may draw the maximum of the unseen noises. It must not use
this maximum after another item was looked up, because one item less is unseen then. The effect
is largest in lists of four or five items; in the scripts of the joint law it is rare.
"""

from collections.abc import Iterator
from typing import Final

from privtopk.conformance.evidence.e_process import Null, Uniform
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.noise.list_under_test import RATES
from privtopk.conformance.requirements.noise.residuals import nonempty_streams
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
    """The delivery of a known item does not change the law of the others."""

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
        """Return one experiment per noise and small size."""
        streams: dict[str, Null] = {case: Uniform() for case in CASES}
        return tuple(
            Experiment(f"m={m}, {noise}", TRIALS, (m, noise), streams)
            for noise in subject.abilities.noises
            for m in SIZES
            if m <= subject.abilities.largest
        )

    def observe(self, trial: Trial) -> Observation:
        """Look up two items, then use both doors in turn."""
        m, noise = trial.experiment.setting
        seen: dict[str, list[float]] = {case: [] for case in CASES}
        for _ in range(trial.count):
            transcript = Transcript(trial, m, trial.coins.choice(RATES), noise)
            for step in access_steps(transcript):
                if step is not None and step.case in seen:
                    seen[step.case].append(step.residual)
        return Observation(nonempty_streams(seen))


def access_steps(transcript: Transcript) -> Iterator[Step | None]:
    """Yield the steps of two look-ups and then of both doors in turn."""
    yield transcript.random_access(transcript.fresh_item())
    while transcript.unseen:
        yield transcript.random_access(transcript.fresh_item())
        if transcript.unseen:
            yield transcript.sorted_access()


REQUIREMENTS: Final = (KnownItems(),)
