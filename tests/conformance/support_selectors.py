"""Small right selectors; tests derive wrong ones by changing a line."""

import math
import random
from collections.abc import Callable, Sequence

from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.question import Question, largest_allowed_rate
from privtopk.spec.noise.distributions import NoiseKind


class Scan:
    """Algorithm 2 under Gumbel noise: reads everything by random access, and checks it."""

    ranked = True
    seed = 11

    def __init__(self) -> None:
        self.coins = random.Random(self.seed)

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with coins of its own."""
        return self.select_with_uniforms(scores, self.uniform, question)

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> Sequence[int]:
        """Select with one served coin per item."""
        rate = self.checked_rate(question, scores.size)
        values = self.require_histogram(self.read(scores), scores.size)
        noisy = {i: rate * h + self.noise(uniform()) for i, h in values.items()}
        return self.best(noisy, question)

    def checked_rate(self, question: Question, m: int) -> float:
        """Return the rate of the noise, or raise an error about an invalid question."""
        return largest_allowed_rate(question, m)

    def read(self, scores: Doors) -> dict[int, float]:
        """Return the scores of all items."""
        items = range(1, scores.size + 1)
        return dict(zip(items, scores.values(items), strict=True))

    def require_histogram(self, values: dict[int, float], m: int) -> dict[int, float]:
        """Return the scores, or raise an error if they are not a histogram."""
        if set(values) != set(range(1, m + 1)):
            raise ValueError("the source must show every item")
        if not all(value >= 0 and value == value // 1 for value in values.values()):
            raise ValueError("a score must be a whole number")
        return values

    def noise(self, u: float) -> float:
        """Return a standard Gumbel variable."""
        return -math.log(-math.log(u))

    def best(self, noisy: dict[int, float], question: Question) -> Sequence[int]:
        """Return the k best, by number if a set was asked for."""
        order = sorted(noisy, key=lambda item: -noisy[item])[: question.k]
        return order if question.is_ranked else sorted(order)

    def uniform(self) -> float:
        """Return a coin of its own."""
        return (2 * self.coins.getrandbits(52) + 1) / 2**53


class Rounds:
    """The threshold algorithm on two served lists, without a memory of what it has seen."""

    cost = "threshold"
    noises = (NoiseKind.GUMBEL,)

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select with the noise list served."""
        best: dict[int, float] = {}
        while True:
            best, threshold = self.read_round(best, scores, noises, question.k)
            if self.is_done(best, question.k, threshold):
                return list(best)

    def read_round(
        self, best: dict[int, float], scores: Doors, noises: Doors, k: int
    ) -> tuple[dict[int, float], float]:
        """Read the next entry of each list; return the k best items so far and the threshold."""
        item, score = scores.sorted_access()
        other, noise = noises.sorted_access()
        seen = {
            **best,
            item: score + noises.random_access(item),
            other: scores.random_access(other) + noise,
        }
        return self.best_entries(seen, k), score + noise

    def best_entries(self, best: dict[int, float], k: int) -> dict[int, float]:
        """Return the k best."""
        return dict(sorted(best.items(), key=lambda entry: -entry[1])[:k])

    def is_done(self, best: dict[int, float], k: int, threshold: float) -> bool:
        """Return whether no unseen item can be better."""
        return len(best) == k and min(best.values()) >= threshold
