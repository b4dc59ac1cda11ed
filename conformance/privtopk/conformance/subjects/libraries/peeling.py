"""Libraries that select one item: k calls with epsilon/k each, without the earlier winners."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from privtopk.conformance.subjects.kinds import Mechanism
from privtopk.conformance.subjects.question import Question
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import require_k


class PeeledChoice(ABC):
    """A choice of one item that is made k times; pure budgets only."""

    mechanism = Mechanism.NOISY_TOP_K
    ranked = True
    approximate = False
    largest = 10_000

    @abstractmethod
    def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
        """Return the place, from 0, of the item that the library chooses under a budget."""

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> list[Sequence[int]]:
        """Return one independent selection per trial."""
        refuse_delta(question)
        k = require_k(question.k, len(histogram))

        def choose(scores: list[int]) -> int:
            return self.choose(scores, question.epsilon / k, question.relation)

        return [in_order_asked(peel(histogram, k, choose), question) for _ in range(trials)]

    def rate(self, question: Question, m: int) -> float:
        """Return the rate of one choice: halved if one score may rise while another falls."""
        budget = question.epsilon / question.k
        return budget if question.relation is Relation.ADD_REMOVE else budget / 2


def refuse_delta(question: Question) -> None:
    """Decline a question with a delta."""
    if question.delta != 0:
        raise NotImplementedError("the library takes no delta")


def peel(histogram: Sequence[int], k: int, choose: Callable[[list[int]], int]) -> list[int]:
    """Return k items, each chosen among those that are left."""
    left = list(range(1, len(histogram) + 1))
    scores = list(histogram)
    chosen = []
    for _ in range(k):
        place = choose(scores)
        chosen.append(left.pop(place))
        scores.pop(place)
    return chosen


def in_order_asked(items: Sequence[int], question: Question) -> Sequence[int]:
    """Return items as they were chosen if a ranking was asked for, and by number if not."""
    return list(items) if question.is_ranked else sorted(items)
