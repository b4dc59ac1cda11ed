"""Two mechanisms of one item, peeled: permute-and-flip and the exponential mechanism."""

import math
import random
from collections.abc import Sequence

from privtopk.conformance.subjects.libraries.peeling import PeeledChoice
from privtopk.conformance.subjects.question import Question
from privtopk.spec.laws.gumbel import float_weights
from privtopk.spec.model.neighbours import Relation


class Flips:
    """k choices by permute-and-flip, each among the items that are left."""

    mechanism = "permute-and-flip"
    ranked = True
    approximate = False

    def __init__(self, factor: float = 1.0) -> None:
        """Multiply the rate by a factor, which is 1 for a right selector."""
        self.factor = factor
        self.coins = random.Random(5)

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> Sequence[Sequence[int]]:
        """Return one independent selection per trial."""
        return [self.selection(histogram, question) for _ in range(trials)]

    def selection(self, histogram: Sequence[int], question: Question) -> Sequence[int]:
        """Return the items in the order of their choice, or by number if a set was asked for."""
        factor = 1 if question.relation is Relation.ADD_REMOVE else 2
        rate = self.factor * question.epsilon / (factor * question.k)
        left = list(range(1, len(histogram) + 1))
        chosen = [self.choice(histogram, left, rate) for _ in range(question.k)]
        return chosen if question.is_ranked else sorted(chosen)

    def choice(self, histogram: Sequence[int], left: list[int], rate: float) -> int:
        """Remove the first item that is accepted in a random order, and return it."""
        best = max(histogram[item - 1] for item in left)
        accepted = (
            item
            for item in self.coins.sample(left, len(left))
            if self.coins.random() < math.exp(rate * (histogram[item - 1] - best))
        )
        item = next(accepted)
        left.remove(item)
        return item


class Weights(PeeledChoice):
    """A right exponential mechanism of one item, calibrated as libraries do."""

    def __init__(self, factor: float = 1.0) -> None:
        """Multiply the weight of a vote by a factor, which is 1 for a right one."""
        self.factor = factor
        self.coins = random.Random(3)

    def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
        """Draw a place by its weight."""
        monotonic = 1 if relation is Relation.ADD_REMOVE else 2
        weights = float_weights(tuple(scores), self.factor * epsilon / monotonic)
        (place,) = self.coins.choices(range(len(scores)), weights)
        return place
