"""When the harness serves both lists, a selection has the right set and the right stopping round.

The harness serves the scores and the noises, so nothing is random. Noises are multiples of 1/8
and scores are small, so noisy scores often tie. Then an implementation that stops a round too
early or too late differs from a right one.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import checked_items
from privtopk.conformance.requirements.instruments.exploring import explore
from privtopk.conformance.subjects.doors import Meter, open_doors
from privtopk.conformance.subjects.kinds import Abilities, Cost, Kind, Profile
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.model.access import Entry, Ledger
from privtopk.spec.model.values import Item

GRID: Final = 8
"""Served noises are multiples of 1/8, so sums with scores are exact in doubles."""

EXAMPLES: Final = 400


@dataclass(frozen=True, slots=True)
class ReplayInstance:
    """Scores and noises of all items, in the orders in which the doors deliver them."""

    scores: tuple[int, ...]
    noises: tuple[float, ...]
    k: int
    tie_seed: int

    @property
    def lists(self) -> tuple[ListedScores, ListedScores]:
        """Both lists, as the harness serves them."""
        return ListedScores(self.scores, self.tie_seed), ListedScores(self.noises, self.tie_seed)

    @property
    def noisy(self) -> tuple[float, ...]:
        """The noisy scores."""
        return tuple(h + z for h, z in zip(self.scores, self.noises, strict=True))

    def __str__(self) -> str:
        """Return the instance in one line."""
        return f"h={self.scores}, Z={self.noises}, k={self.k}"


@st.composite
def instances(draw: DrawFn, largest: int = 24) -> ReplayInstance:
    """Draw histograms with ties and noises on a grid."""
    m = draw(st.integers(1, largest))
    ceiling = draw(st.sampled_from([0, 1, 3, 20, 1000]))
    scores = draw(st.lists(st.integers(0, ceiling), min_size=m, max_size=m))
    noises = draw(st.lists(st.integers(-6 * GRID, 8 * GRID), min_size=m, max_size=m))
    k = draw(st.integers(1, m))
    tie_seed = draw(st.integers(0, 3))
    return ReplayInstance(tuple(scores), tuple(z / GRID for z in noises), k, tie_seed)


class ReplayRequirement(Requirement):
    """A requirement on selections from served lists."""

    kind = Kind.SELECTOR
    profile = Profile.NOISE_SERVED

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return small domains, in which special cases are common, and larger ones."""
        return (Experiment("m up to 6", EXAMPLES, 6), Experiment("m up to 24", EXAMPLES, 24))

    def observe(self, trial: Trial) -> Observation:
        """Replay many instances and report the smallest that fails."""
        explore(trial, instances(trial.experiment.setting), lambda one: self.check(trial, one))
        return Observation()

    @abstractmethod
    def check(self, trial: Trial, instance: ReplayInstance) -> None:
        """Raise `ViolationError` if the subject fails on an instance."""


class ReplaySet(ReplayRequirement):
    """The set is that of the k largest noisy scores."""

    id = "selector.replay-set"
    statement = (
        "When the harness serves the noise, the selected items are those with the k largest noisy "
        "scores."
    )
    claims = ("algo:private-threshold", "algo:one-shot", "erratum:atoms")
    bug = "the selection stops too early, forgets candidates, or adds scores and noise wrongly"

    def check(self, trial: Trial, instance: ReplayInstance) -> None:
        """Compare the set; among noisy scores that tie at the k-th place, any is accepted."""
        items, _, _ = replay_instance(trial, instance)
        noisy = instance.noisy
        left = [noisy[item - 1] for item in range(1, len(noisy) + 1) if item not in items]
        worst = min(items, key=lambda item: noisy[item - 1])
        if left and noisy[worst - 1] < max(left):
            best = next(i for i, value in enumerate(noisy, 1) if value == max(left))
            raise ViolationError(
                f"{instance}: returned item {worst} with noisy score {noisy[worst - 1]:g} instead "
                f"of item {best} with {noisy[best - 1]:g}"
            )


class ReplayStop(ReplayRequirement):
    """The threshold algorithm stops in the right round."""

    id = "selector.replay-stop"
    statement = (
        "When the harness serves the noise, the threshold algorithm stops in the first round in "
        "which k of the items seen have noisy scores of at least the threshold."
    )
    claims = ("algo:threshold-algorithm", "erratum:atoms", "ours:rounds-law")
    bug = "the stopping rule compares with > instead of >=, or uses a stale threshold"

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that is not a threshold algorithm."""
        if abilities.cost is not Cost.THRESHOLD:
            return "the subject does not promise the rounds of the threshold algorithm"
        return super().reason_to_skip(abilities)

    def check(self, trial: Trial, instance: ReplayInstance) -> None:
        """Compare the number of rounds with the specification's."""
        _, scores, noises = replay_instance(trial, instance)
        score_list, noise_list = map(SpecificationList, instance.lists)
        expected = private_threshold(score_list, noise_list, instance.k).rounds
        for name, meter in (("score", scores), ("noise", noises)):
            if meter.sorted_accesses != expected:
                raise ViolationError(
                    f"{instance}: made {meter.sorted_accesses} sorted accesses to the {name} list; "
                    f"it must stop after {expected}"
                )


def replay_instance(trial: Trial, instance: ReplayInstance) -> tuple[tuple[int, ...], Meter, Meter]:
    """Let the subject select from both served lists, and return its items and both meters."""
    (scores, score_meter), (noises, noise_meter) = map(open_doors, instance.lists)
    question = Question(instance.k, float(instance.k))
    select = trial.subject.thing.select_with_noise
    answer = trial.call(select, scores, noises, question)
    items = checked_items(answer, instance.k, len(instance.scores))
    unread = set(items) - score_meter.items
    if unread:
        raise ViolationError(f"{instance}: returned item {min(unread)} without reading its score")
    return items, score_meter, noise_meter


class SpecificationList:
    """A list of the harness as the specification reads it."""

    def __init__(self, values: ListedScores) -> None:
        """Start before the first entry."""
        self._values = values
        self._delivered = 0
        self.ledger = Ledger()

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._values.size

    def sorted_access(self) -> Entry:
        """Return the next entry in the harness's order."""
        self._delivered += 1
        item = self._values.at_rank(self._delivered)
        return Entry(Item(item), self._values.score(item))

    def random_access(self, item: Item) -> float:
        """Return the value of an item."""
        return self._values.score(item)


REQUIREMENTS: Final = (ReplaySet(), ReplayStop())
