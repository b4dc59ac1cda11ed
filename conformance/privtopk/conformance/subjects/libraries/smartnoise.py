"""SmartNoise's exponential mechanism, peeled.

It halves epsilon for every neighbour relation. Scores need that if one may rise by 1 while
another falls by 1.
"""

from typing import Final

from privtopk.conformance.subjects.libraries.peeling import PeeledChoice
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation


class SmartNoiseExponential(PeeledChoice):
    """`snsynth.utils.exponential_mechanism`."""

    def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
        """Return the place of the item that the library chooses."""
        from snsynth.utils import exponential_mechanism

        return int(exponential_mechanism(scores, epsilon, sensitivity=1.0))

    def rate(self, question: Question, m: int) -> float:
        """Return half of the budget of one choice."""
        return question.epsilon / question.k / 2


exponential: Final = SmartNoiseExponential()
