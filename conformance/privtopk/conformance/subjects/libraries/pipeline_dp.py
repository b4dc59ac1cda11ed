"""pipeline-dp's ExponentialMechanism, peeled."""

from functools import lru_cache
from typing import Any, Final

from privtopk.conformance.subjects.extras import import_extra
from privtopk.conformance.subjects.libraries.peeling import PeeledChoice
from privtopk.spec.model.neighbours import Relation


class PipelineExponential(PeeledChoice):
    """`ExponentialMechanism.apply` on the places of the items in the list of scores."""

    def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
        """Return the place of the item that the library chooses."""
        mechanism, scored = classes()
        choice = mechanism(scored(scores, relation is Relation.ADD_REMOVE))
        return int(choice.apply(epsilon, list(range(len(scores)))))


@lru_cache(maxsize=1)
def classes() -> tuple[Any, Any]:
    """Return the library's mechanism, and a scoring function of the class that it requires."""
    mechanism = import_extra("pipeline_dp.dp_computations", "libraries").ExponentialMechanism
    scoring_function: Any = mechanism.ScoringFunction

    class Listed(scoring_function):  # type: ignore[misc]
        """The scores of a list, by place."""

        global_sensitivity = 1.0
        is_monotonic = False

        def __init__(self, scores: list[int], is_monotonic: bool) -> None:
            self.scores, self.is_monotonic = scores, is_monotonic

        def score(self, k: int) -> float:
            """Return the score of a place."""
            return self.scores[k]

    return mechanism, Listed


exponential: Final = PipelineExponential()
