"""For the tests of the exact engine: tables of bits, and a scan of them in Arb alone."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from privtopk.impl.engines.exact.bits import Bits
from privtopk.impl.engines.exact.hidden_bits import HiddenBits
from privtopk.impl.randomness.generators import Integers
from privtopk.spec.noise.distributions import NoiseKind

DEPTH = 16
"""Words per item of a table: 1,008 bits."""

LAST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Instance:
    """Scores, bits and parameters: everything that the mechanism is a function of."""

    scores: list[int]
    words: Integers
    k: int
    rate: Fraction
    kind: NoiseKind

    def best_items(self) -> tuple[int, ...]:
        """Return the k best items by all bits of the table, without any code of the engine."""
        balls = [self._noisy_score(item) for item in range(len(self.scores))]
        order = sorted(range(len(balls)), key=lambda item: balls[item].mid(), reverse=True)
        assert all(balls[a] > balls[b] for a, b in pairwise(order))
        return tuple(order[: self.k])

    def _noisy_score(self, item: int) -> arb:
        ctx.prec = 63 * DEPTH + 64
        number = 0
        for word in self.words[item].tolist():
            number = number * 2**63 + word
        v = arb(fmpq(2 * number + 1, 2 ** (63 * DEPTH + 1)))
        if self.kind is NoiseKind.GUMBEL:
            noise = -(-((1 - v).log())).log()
        else:
            noise = -(2 * v).log() if v < arb(0.5) else (2 * (1 - v)).log()
        exact = self.scores[item] * self.rate
        value = arb(fmpq(exact.numerator, exact.denominator)) + noise
        ctx.prec = 53
        return value


class RecordedWords(HiddenBits):
    """Hidden words that are recorded, so that the table can be completed afterwards."""

    def __init__(self, m: int, bits: Bits) -> None:
        """Start with no word recorded."""
        super().__init__(m, bits)
        self._record: dict[tuple[int, int], int] = {}
        self._ranges: dict[int, tuple[int, int]] = {}
        """The range of the first word of each item that was examined and not revealed."""

    def levels_of(self, items: Integers) -> Integers:
        """Return and record the first words of hidden items."""
        words = super().levels_of(items)
        self._note(items, 0, words)
        return words

    def part(
        self, items: Integers, lower: int, upper: int, level: int
    ) -> tuple[Integers, Integers]:
        """Return and record a part; what was revealed before keeps its words."""
        places, words = super().part(items, lower, upper, level)
        is_hidden = np.array(
            [self._ranges.get(item, (0, 2**63))[1] > lower for item in items.tolist()],
            dtype=np.bool_,
        )
        self._note(items[places][is_hidden[places]], 0, words[is_hidden[places]])
        for item in np.delete(items, places)[np.delete(is_hidden, places)].tolist():
            self._ranges[item] = upper, level
        return places, words

    def further_words(self, items: Integers, number: int) -> Integers:
        """Return and record further words of items."""
        words = super().further_words(items, number)
        self._note(items, number, words)
        return words

    def completed_table(self, generator: np.random.Generator) -> Integers:
        """Return a table with these bits, and with fair ones where nothing was revealed."""
        words = generator.integers(0, 2**63, size=(self._m, DEPTH), dtype=np.int64)
        words[:, 0] = generator.integers(self.frontier, 2**63, size=self._m, dtype=np.int64)
        for item, (lower, upper) in self._ranges.items():
            words[item, 0] = generator.integers(lower, upper, dtype=np.int64)
        for (item, number), word in self._record.items():
            words[item, number] = word
        return words

    def _note(self, items: Integers, number: int, words: Integers) -> None:
        for item, word in zip(items.tolist(), words.tolist(), strict=True):
            self._record.setdefault((item, number), word)


def random_table(generator: np.random.Generator, m: int) -> Integers:
    """Return fair bits for m items."""
    return generator.integers(0, 2**63, size=(m, DEPTH), dtype=np.int64)


def nearly_balancing_words(
    words: Integers, rate: float, kind: NoiseKind, generator: np.random.Generator
) -> tuple[int, int]:
    """Return two words whose noise is larger by the rate, except in some of the last of 126 bits.

    The number of wrong bits is random: from the last one to those that doubles resolve.
    """
    ctx.prec = 200
    v = (arb(int(words[0])) * 2**63 + int(words[1])) / arb(2) ** 126
    if kind is NoiseKind.GUMBEL:
        other = -((1 - v).log() * (-arb(rate)).exp()).expm1()
    else:
        noise = -(2 * v).log() if v < arb(0.5) else (2 * (1 - v)).log()
        noise += arb(rate)
        other = (-noise).exp() / 2 if noise > 0 else 1 - noise.exp() / 2
    number = int((other * arb(2) ** 126).mid().floor().unique_fmpz())
    ctx.prec = 53
    number += int(generator.choice([-1, 1]) * 2.0 ** generator.uniform(-1, 90))
    number = min(max(number, 0), 2**126 - 1)
    return number >> 63, number & LAST
