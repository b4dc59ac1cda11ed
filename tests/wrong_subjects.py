"""Small subjects for the tests of the harness: right, wrong, and badly behaved."""

import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

from privtopk.conformance import Doors, Question, largest_allowed_rate
from privtopk.spec.model.parameters import require_delta, require_epsilon, require_k


def refuse(scores: Doors, question: Question) -> None:
    """Refuse a bad question as the specification does."""
    require_k(question.k, scores.size)
    require_epsilon(question.epsilon)
    require_delta(question.delta)


def scan(scores: Doors, question: Question, rate: float, uniform: Callable[[], float]) -> list[int]:
    """Select from everything, with Gumbel noise of scale 1/rate."""
    noisy = {
        item: rate * scores.random_access(item) - log(-log(uniform()))
        for item in range(1, scores.size + 1)
    }
    return sorted(sorted(noisy, key=lambda item: -noisy[item])[: question.k])


def right(scores: Doors, question: Question) -> list[int]:
    """Select with the right noise."""
    refuse(scores, question)
    rate = largest_allowed_rate(question, scores.size)
    return scan(scores, question, rate, random.SystemRandom().random)


def careless(scores: Doors, question: Question) -> list[int]:
    """Spend the whole budget on every item."""
    refuse(scores, question)
    return scan(scores, question, question.epsilon, random.SystemRandom().random)


@dataclass(frozen=True, slots=True)
class Taped:
    """Draws from served uniforms only, so that a run is the same in every process."""

    factor: float = 1.0

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> list[int]:
        """Select with the coins of the harness."""
        refuse(scores, question)
        rate = self.factor * largest_allowed_rate(question, scores.size)
        return scan(scores, question, rate, uniform)


class Sampling:
    """A right selector that takes the whole histogram."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate of the noise."""
        return largest_allowed_rate(question, m)

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> list[Sequence[int]]:
        """Return one selection per trial."""
        require_k(question.k, len(histogram))
        rate = self.noise_rate(question, len(histogram))
        return [self._once(histogram, question.k, rate) for _ in range(trials)]

    def _once(self, histogram: Sequence[int], k: int, rate: float) -> list[int]:
        uniform = random.SystemRandom().random
        best = max(histogram)
        noisy = [rate * (score - best) - log(-log(uniform())) for score in histogram]
        return sorted(sorted(range(1, len(noisy) + 1), key=lambda item: -noisy[item - 1])[:k])


class CarelessSampling(Sampling):
    """Spends the whole budget on every item."""

    def noise_rate(self, question: Question, m: int) -> float:
        """Return the rate of too little noise."""
        return 2 * largest_allowed_rate(question, m)


class Careful(Sampling):
    """Adds twice the necessary noise, and declares it."""

    def rate(self, question: Question, m: int) -> float:
        """Return the rate of the noise."""
        return largest_allowed_rate(question, m) / 2

    noise_rate = rate


CAREFUL = Careful()


def choosy(scores: Doors, question: Question) -> list[int]:
    """Decline where all scores are 0."""
    if scores.random_access(1) == 0 == scores.top(1)[0][1]:
        raise NotImplementedError("nothing to select from")
    return right(scores, question)


def declining(scores: Doors, question: Question) -> list[int]:
    """Select one item of one, and nothing else."""
    if (scores.size, question.k) != (1, 1):
        raise NotImplementedError("one item of one only")
    return [scores.sorted_access()[0]]


taped = Taped()
wrongly_taped = Taped(3.0)


def raising(scores: Doors, question: Question) -> list[int]:
    """Raise on every question."""
    raise RuntimeError("<script>no & no</script>")


def unequipped(scores: Doors, question: Question) -> list[int]:
    """Raise the error of a missing package."""
    raise ModuleNotFoundError("No module named 'sums'", name="sums")


def hanging(scores: Doors, question: Question) -> list[int]:
    """Never answer."""
    while True:
        time.sleep(0.01)


def dying(scores: Doors, question: Question) -> list[int]:
    """End the process."""
    print("garbage", flush=True)
    os._exit(7)


def stringy(scores: Doors, question: Question) -> Sequence[object]:
    """Return a text instead of items."""
    return "1"


class NeedsArguments:
    """A class that cannot be made without arguments."""

    def __init__(self, database: str) -> None:
        self.database = database

    def select(self, scores: Doors, question: Question) -> list[int]:
        """Return no items."""
        return []


def undeclared_rate(scores: Doors, question: Question) -> list[int]:
    """Select with the right noise, but declare NaN as its rate."""
    return right(scores, question)


undeclared_rate.rate = lambda question, m: float("nan")  # type: ignore[attr-defined]


class Unclosable:
    """A source that cannot be closed."""

    kind = "source"
    size = 3

    def __init__(self, histogram: Sequence[int]) -> None:
        self.histogram = histogram

    def top(self, start: int, count: int) -> list[tuple[int, int]]:
        """Return a page of two."""
        return [(1, self.histogram[0]), (3, self.histogram[2])]

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return the scores."""
        return [self.histogram[item - 1] for item in items]

    def close(self) -> None:
        """Raise an error."""
        raise RuntimeError("the door is stuck")
