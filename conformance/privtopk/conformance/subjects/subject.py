"""A subject as the requirements use it: the object, what it declares, and how it is called."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Abilities, Kind, abilities_of
from privtopk.conformance.subjects.loading import load
from privtopk.conformance.subjects.question import Question, largest_allowed_rate


@dataclass(frozen=True, slots=True)
class Subject:
    """An implementation under test."""

    thing: Any
    abilities: Abilities

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with the subject's own randomness."""
        if self.abilities.is_sampler:
            return self.sample(in_item_order(scores), question, 1)[0]
        method: Callable[[Doors, Question], Sequence[int]]
        method = getattr(self.thing, "select", self.thing)
        # A copy: a subject that changes its question must not change the harness's.
        return method(scores, replace(question))

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> Sequence[Sequence[int]]:
        """Return one selection per trial from a histogram that the subject is shown."""
        selections: Sequence[Sequence[int]]
        selections = self.thing.sample(tuple(histogram), replace(question), trials)
        if len(selections) != trials:
            raise ValueError(f"sample must return {trials} selections, got {len(selections)}")
        return selections

    def rate(self, question: Question, m: int) -> float:
        """Return the rate 1/scale that the subject declares, or the largest that is allowed."""
        declared = getattr(self.thing, "rate", None)
        if declared is None:
            return largest_allowed_rate(self.abilities.accounting_question(question), m)
        rate = float(declared(question, m))
        if not 0 < rate < math.inf:
            raise ValueError(f"rate must be positive and finite, got {rate} for {question}")
        return rate


def in_item_order(scores: Doors) -> list[int]:
    """Read a whole list and return the scores of items 1, ..., m."""
    return [int(score) for _, score in sorted(scores.top(scores.size))]


def python_subject(address: str, kind: Kind | None = None) -> Subject:
    """Return the subject at an address `python:module:attribute`."""
    thing = load(address)
    return Subject(thing, abilities_of(thing, kind))
