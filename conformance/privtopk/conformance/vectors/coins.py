"""Tapes for the vectors: seeded words, and a tape that records what was read."""

import random
from collections.abc import Iterable, Iterator

from privtopk.conformance.vectors.numbers import UNIFORM_BITS, uniform
from privtopk.spec.model.tape import UniformTape
from privtopk.spec.model.values import Number


def endless_words(seed: int) -> Iterator[int]:
    """Yield pseudo-random words n < 2^52, those of the specification's seeded tape."""
    generator = random.Random(seed)
    while True:
        yield generator.getrandbits(UNIFORM_BITS)


class WatchedCoins:
    """A tape of words that records the words read from it."""

    def __init__(self, words: Iterable[int]) -> None:
        """Start at the first word."""
        self._words = iter(words)
        self.read: list[int] = []
        self.tape = UniformTape(self._uniforms())

    def _uniforms(self) -> Iterator[Number]:
        for word in self._words:
            self.read.append(word)
            yield uniform(word)
