"""Algorithm 3: the threshold algorithm on a source and a noise oracle.

Each round reads the next item of both lists and learns the other half of its noisy score.
The engine stops as soon as k items are at least as good as an unseen one could be: score
at most the last score read, noise at most the last noise read.

A noisy score is epsilon h + Z in units of the noise scale, an integer in fixed point: a
leader with 2^53 votes does not round away the noise of the others, and no epsilon overflows.

Two rules stop the engine, each O(1) per round. First: the floor of the shortlist has reached
the threshold. The floor is computed every k/16 rounds, so this rule may stop up to k/16 rounds
late (for k < 32 at once). Second: both lists have delivered k items in common, so the rounds
never exceed the meeting round and its bounds. The shortlist takes O(1) per round, without the
log k of a heap; the k chosen items are sorted once.

Paper:    algo:private-threshold, thm:access-cost.
Deviates: erratum:running-time, erratum:access-pattern (rounds are not private).
"""

from dataclasses import dataclass
from typing import Final

from privtopk.impl.engines.shortlist import Shortlist
from privtopk.impl.noise.distributions import StandardNoise
from privtopk.impl.noise.oracle import NoiseOracle
from privtopk.impl.scores.protocols import source_fault
from privtopk.impl.scores.reader import Reader
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_at_least, require_epsilon, require_k

PATIENCE: Final = 16
"""The shortlist is cut every k/16 rounds: O(16) per round, for at most k/16 more rounds."""

FIXED_POINT: Final = 60
"""Bits after the point of a noisy score: finer than a double of the size of a noise."""

UNITS: Final = 2.0**FIXED_POINT
"""A noise scale in units of a noisy score."""


@dataclass(frozen=True, slots=True)
class ThresholdStop:
    """What a run found and when it stopped."""

    items: tuple[int, ...]
    """The k items with the largest noisy scores, best first."""

    rounds: int
    """How many entries of each list were read by sorted access."""

    seen: int
    """How many items were given a noise."""


class NoisyScores:
    """Maps a score and an E-level to a noisy score in fixed point."""

    __slots__ = ("_noise_at", "_rate", "_shift")

    def __init__(self, epsilon: float, noise: StandardNoise) -> None:
        """Take the scale 1/epsilon and the law of the noise."""
        numerator, denominator = epsilon.as_integer_ratio()
        self._rate = numerator << FIXED_POINT
        self._shift = denominator.bit_length() - 1
        self._noise_at = noise.value

    def value(self, score: int, level: float) -> int:
        """Return epsilon h + Z, in units of 2^-60 noise scales."""
        return (score * self._rate >> self._shift) + int(self._noise_at(level) * UNITS)


class _Run:
    """Both lists as far as they were read, and the items met on them."""

    def __init__(self, reader: Reader, oracle: NoiseOracle, noisy: NoisyScores, k: int) -> None:
        self._reader = reader
        self._oracle = oracle
        self._noisy = noisy
        self._k = k
        self._patience = k // PATIENCE
        self._settled_at = 0
        self._scores: dict[int, int] = {}
        self._delivered: set[int] = set()
        self._met = 0
        self._last_score = 0
        self._last_level = 0.0
        self.rounds = 0
        self.shortlist = Shortlist(k)

    @property
    def seen(self) -> int:
        """How many items were met on either list."""
        return len(self._scores)

    def read(self, count: int) -> None:
        """Read the next entries of both lists."""
        self._read_scores(count)
        self._read_noises(len(self._delivered) - self.rounds)
        self.rounds = len(self._delivered)

    def _read_scores(self, count: int) -> None:
        for item, score in self._reader.entries(count):
            self._require_new(item, score)
            self._delivered.add(item)
            self._last_score = score
            if item in self._scores:
                self._met += 1
            else:
                self._see(item, score, self._oracle.random_access(item))

    def _read_noises(self, count: int) -> None:
        unseen: dict[int, float] = {}
        for _ in range(count):
            item, self._last_level = self._oracle.sorted_access()
            if item in self._scores:
                self._met += 1
            else:
                unseen[item] = self._last_level
        scores = self._reader.scores_of(list(unseen))
        for (item, level), score in zip(unseen.items(), scores, strict=True):
            self._require_unpassed(score)
            self._see(item, score, level)

    def _see(self, item: int, score: int, level: float) -> None:
        self._scores[item] = score
        self.shortlist.add(self._noisy.value(score, level), item)

    def is_done(self) -> bool:
        """Return whether k items are at least as good as an unseen one could be."""
        if self._met >= self._k:
            return True
        if self.rounds - self._settled_at >= self._patience:
            self.shortlist.settle()
            self._settled_at = self.rounds
        floor = self.shortlist.floor
        return floor is not None and floor >= self._noisy.value(self._last_score, self._last_level)

    def _require_new(self, item: int, score: int) -> None:
        if item in self._delivered:
            raise source_fault("the source delivered an item twice")
        if self._scores.get(item, score) != score:
            raise source_fault("the two doors of the source disagree on a score")

    def _require_unpassed(self, score: int) -> None:
        if score > self._last_score:
            raise source_fault("the source passed over an item in the order of scores")


def select_by_threshold(
    reader: Reader,
    oracle: NoiseOracle,
    k: int,
    epsilon: float,
    noise: StandardNoise,
    block: int = 1,
) -> ThresholdStop:
    """Return the k items with the largest noisy scores; the reader counts what was read.

    With block > 1, `block` rounds are read at once: fewer round trips, and fewer than
    `block` rounds more than needed.
    """
    require_k(k, reader.size)
    require_at_least("block", block, 1)
    _require_one_domain(reader, oracle)
    run = _Run(reader, oracle, NoisyScores(float(require_epsilon(epsilon)), noise), k)
    while not run.is_done():
        run.read(block)
    return ThresholdStop(run.shortlist.ranking(), run.rounds, run.seen)


def _require_one_domain(reader: Reader, oracle: NoiseOracle) -> None:
    if oracle.size != reader.size:
        raise SelectionError(
            Reason.DIFFERENT_DOMAINS,
            f"source and noise must have one domain, got m={reader.size} and m={oracle.size}",
        )
