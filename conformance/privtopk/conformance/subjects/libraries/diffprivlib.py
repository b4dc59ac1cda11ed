"""diffprivlib's Exponential and PermuteAndFlip, peeled.

Both take epsilon, a sensitivity and whether the scores are monotonic. The weight of a score h
is exp(epsilon h) if they are, and exp(epsilon h / 2) if they are not.
"""

import math
from typing import Any, Final

from privtopk.conformance.subjects.extras import import_extra
from privtopk.conformance.subjects.kinds import Mechanism
from privtopk.conformance.subjects.libraries.peeling import PeeledChoice
from privtopk.spec.model.neighbours import Relation


class Mechanisms(PeeledChoice):
    """One of the two classes of the library."""

    def __init__(self, name: str, mechanism: Mechanism, largest: int) -> None:
        """Take the name of the class, the law that it claims, and its largest domain."""
        self._name = name
        self.mechanism = mechanism
        self.largest = largest

    def choose(self, scores: list[int], epsilon: float, relation: Relation) -> int:
        """Return the place of the item that the library chooses."""
        if epsilon == math.inf:
            raise NotImplementedError("an infinite epsilon is documented to switch privacy off")
        mechanism = self._class()(
            epsilon=epsilon,
            sensitivity=1,
            utility=scores,
            monotonic=relation is Relation.ADD_REMOVE,
        )
        return int(mechanism.randomise())

    def _class(self) -> Any:
        return getattr(import_extra("diffprivlib.mechanisms", "libraries"), self._name)


exponential: Final = Mechanisms("Exponential", Mechanism.NOISY_TOP_K, 10_000)
permute_and_flip: Final = Mechanisms("PermuteAndFlip", Mechanism.PERMUTE_AND_FLIP, 2_000)
