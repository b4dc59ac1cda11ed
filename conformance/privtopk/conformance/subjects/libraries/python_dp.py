"""python-dp's Laplace mechanism on every score, and the k largest of what it returns.

The library adds noise and does not select. The rate is that of report noisy max for a set of k
items: epsilon/k for one client more or less, half of that for the other relations.
"""

from collections.abc import Sequence
from typing import Any, Final

from privtopk.conformance.subjects.extras import import_extra
from privtopk.conformance.subjects.libraries.peeling import refuse_delta
from privtopk.conformance.subjects.question import Question, largest_allowed_rate
from privtopk.spec.noise.distributions import NoiseKind


class NoisyLaplace:
    """`LaplaceMechanism.add_noise` to each score as a float."""

    noises = (NoiseKind.LAPLACE,)
    approximate = False
    largest = 10_000

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> list[Sequence[int]]:
        """Return one independent selection per trial."""
        refuse_delta(question)
        mechanism = self._mechanism(largest_allowed_rate(question, len(histogram)))
        return [self._select(mechanism, histogram, question.k) for _ in range(trials)]

    def _mechanism(self, rate: float) -> Any:
        library = import_extra("pydp.algorithms.numerical_mechanisms", "libraries")
        return library.LaplaceMechanism(epsilon=rate, sensitivity=1.0)

    def _select(self, mechanism: Any, histogram: Sequence[int], k: int) -> list[int]:
        noisy = [mechanism.add_noise(float(score)) for score in histogram]
        order = sorted(range(1, len(noisy) + 1), key=lambda item: -noisy[item - 1])
        return sorted(order[:k])


noisy_laplace: Final = NoisyLaplace()
