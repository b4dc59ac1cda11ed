"""Selectors whose calls are not independent: seeds, caches and memories."""

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from privtopk.conformance.mutants.mutant import PRIVACY_BUG, USUAL_SLIP, mutant
from privtopk.conformance.mutants.right.lists import RankFreeList, Uniform, coins_of
from privtopk.conformance.mutants.right.selectors import (
    Entries,
    NoiseSupply,
    ScanSelector,
    TapeSelector,
    ThresholdSelector,
    leads,
)
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import NoiseList
from privtopk.conformance.subjects.question import Question
from privtopk.spec.noise.distributions import NoiseKind


class SameSeedEveryCall(ScanSelector):
    """The generator is seeded with 42 in every call."""

    def coins(self) -> Uniform:
        """Return the same coins again."""
        return coins_of(random.Random(42))


class FewSeeds(ScanSelector):
    """The generator is seeded with one of 64 numbers."""

    def coins(self) -> Uniform:
        """Return one of 64 tapes."""
        return coins_of(random.Random(random.randrange(64)))


class SeededByTheClock(ScanSelector):
    """The generator is seeded with the time in whole seconds."""

    def coins(self) -> Uniform:
        """Return the tape of this second."""
        return coins_of(random.Random(int(time.time())))


class SeededByTheScores(ScanSelector):
    """The generator is seeded with the data, so equal data give equal answers."""

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noise that is a function of the scores."""
        generator = random.Random(str(sorted(entries)))
        return super().noisy_scores(entries, replace(supply, uniform=coins_of(generator)))


class AnswerCached(ScanSelector):
    """The first answer to a question is repeated, even if the scores have changed."""

    def __init__(self) -> None:
        """Start with nothing answered."""
        self.answers: dict[tuple[Question, int], Sequence[int]] = {}

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Return the cached answer if there is one."""
        key = question, scores.size
        if key not in self.answers:
            self.answers[key] = super().select(scores, question)
        return self.answers[key]


class AnswerCachedByScores(ScanSelector):
    """Equal scores and equal questions get the first answer again."""

    def __init__(self) -> None:
        """Start with nothing answered."""
        self.answers: dict[object, list[int]] = {}

    def select_with(self, scores: Doors, question: Question, uniform: Uniform) -> Sequence[int]:
        """Remember the question."""
        self.question = question
        return super().select_with(scores, question, uniform)

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Remember the scores."""
        self.key = self.question, tuple(sorted(entries))
        return super().noisy_scores(entries, supply)

    def ranking(self, noisy: dict[int, float], k: int) -> list[int]:
        """Return the first ranking of these scores."""
        return self.answers.setdefault(self.key, super().ranking(noisy, k))


class NoiseDrawnOnce(ScanSelector):
    """Each item draws its noise in the first call and keeps it in all later calls."""

    def __init__(self) -> None:
        """Start without noise."""
        self.kept: dict[tuple[NoiseKind, int], float] = {}

    def noisy_scores(self, entries: Entries, supply: NoiseSupply) -> dict[int, float]:
        """Return noisy scores with the noise of the first time."""
        return {
            item: score + self.kept.setdefault((supply.noise, item), self.standard_noise(supply))
            for item, score in leads(entries, supply.rate).items()
        }


class AntitheticCalls(ScanSelector):
    """Every second call uses 1 - u where the call before used u."""

    def __init__(self) -> None:
        """Start with a fresh call."""
        self.seed: int | None = None

    def coins(self) -> Uniform:
        """Return fresh coins, or the mirror image of the last ones."""
        if self.seed is None:
            self.seed = random.getrandbits(64)
            return coins_of(random.Random(self.seed))
        mirrored = coins_of(random.Random(self.seed))
        self.seed = None
        return lambda: 1 - mirrored()


class AnswerRepeatedSometimes(ScanSelector):
    """One call in ten returns the answer of the call before."""

    last: tuple[Question, int, list[int]] | None = None

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Return the last answer now and then."""
        answer = list(super().select(scores, question))
        key = question, scores.size
        if self.last and self.last[:2] == key and random.random() < 0.1:
            return self.last[2]
        self.last = (*key, answer)
        return answer


class NeverTheSameTwice(ScanSelector):
    """An answer that equals the last one is drawn again, once."""

    last: Sequence[int] | None = None

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Return an answer that usually differs from the last."""
        self.check(question, scores.size)
        entries = self.entries(scores, question)
        rate = self.noise_rate(question, scores.size)
        for _ in range(2):
            noisy = self.noisy_scores(entries, NoiseSupply(question.noise, rate, self.coins()))
            answer = self.arrange_items(self.ranking(noisy, question.k), question)
            if answer != self.last:
                break
        self.last = answer
        return answer


class KeptList(RankFreeList):
    """A noise list that can be read again from its top."""

    def rewind(self) -> None:
        """Deliver again what was delivered."""
        self.pending = sorted((level, item) for item, level in self.levels.items())
        self.delivered = 0

    def pass_pending(self, level: float) -> None:
        """Keep the frontier, below which nothing is unseen."""
        self.frontier = max(self.frontier, level)


class OneListForAllCalls(ThresholdSelector):
    """All calls read the same noise list from its top."""

    def __init__(self) -> None:
        """Start without a list."""
        self.lists: dict[tuple[int, NoiseKind], KeptList] = {}

    def noise_list(self, m: int, noise: NoiseKind) -> NoiseList:
        """Return the old list from its top."""
        kept = self.lists.setdefault((m, noise), KeptList(m, 1.0, noise))
        kept.rewind()
        return kept


class TapeIgnored(TapeSelector):
    """Served coins are ignored: it draws its own."""

    def select_with_uniforms(
        self, scores: Doors, uniform: Uniform, question: Question
    ) -> Sequence[int]:
        """Select with coins of its own."""
        return self.select(scores, question)


class TapeReadOnce(TapeSelector):
    """Only one served coin is used, to choose one of 16 seeds."""

    def select_with_uniforms(
        self, scores: Doors, uniform: Uniform, question: Question
    ) -> Sequence[int]:
        """Select with coins that follow from the first one."""
        seed = int(16 * uniform())
        return self.select_with(scores, question, coins_of(random.Random(seed)))


MUTANTS: Final = (
    mutant(SameSeedEveryCall, PRIVACY_BUG, "selector.freshness"),
    mutant(FewSeeds, PRIVACY_BUG, "selector.ranked-law"),
    mutant(SeededByTheClock, PRIVACY_BUG, "selector.freshness"),
    mutant(SeededByTheScores, PRIVACY_BUG, "selector.freshness"),
    mutant(AnswerCached, PRIVACY_BUG, "selector.freshness"),
    mutant(AnswerCachedByScores, PRIVACY_BUG, "selector.freshness"),
    mutant(NoiseDrawnOnce, PRIVACY_BUG, "selector.freshness"),
    mutant(AntitheticCalls, PRIVACY_BUG, "selector.freshness"),
    mutant(AnswerRepeatedSometimes, PRIVACY_BUG, "selector.freshness"),
    mutant(NeverTheSameTwice, USUAL_SLIP, "selector.freshness"),
    mutant(OneListForAllCalls, PRIVACY_BUG, "selector.freshness"),
    mutant(TapeIgnored, USUAL_SLIP, "selector.tape-determinism"),
    mutant(TapeReadOnce, USUAL_SLIP, "selector.tape-law"),
)
