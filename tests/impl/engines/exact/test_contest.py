"""Facts about the contest: Arb confirms its rankings, and its bars reject no winner."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.exact.contest import ExactContest
from privtopk.impl.engines.exact.quantile import certified_noise
from privtopk.impl.randomness.generators import Integers
from privtopk.spec.noise.distributions import NoiseKind
from support_exact import LAST, Instance, nearly_balancing_words, random_table
from support_served import ServedWords

kinds = pytest.mark.parametrize("kind", NoiseKind)
RATES = [Fraction(1, 3), Fraction(0.1), Fraction(17, 4), Fraction(1, 2**60), Fraction(10**12)]


def adversarial(generator: np.random.Generator, kind: NoiseKind, m: int) -> Instance:
    """Return items of which two thirds have a rival whose noisy score is almost the same.

    A third shares its bits with a rival for two words or more; a third differs from its rival
    by a vote, and the bits balance it to the last of 126.
    """
    words = random_table(generator, m)
    scores = generator.integers(0, 4, size=m).tolist()
    rate = RATES[int(generator.integers(len(RATES)))]
    for item in range(0, m - 2, 3):
        common = int(generator.integers(2, 5))
        words[item + 1, :common] = words[item, :common]
        scores[item + 1] = scores[item]
        if rate < 40:
            words[item + 2, :2] = nearly_balancing_words(
                words[item, :2], float(rate), kind, generator
            )
            scores[item], scores[item + 1], scores[item + 2] = 1, 1, 0
    return Instance(scores, words, m, rate, kind)


def ranking(instance: Instance) -> tuple[int, ...]:
    """Return the ranking of all items by the contest, admitted in two batches."""
    field = ServedWords(instance.words)
    contest = ExactContest(instance.k, instance.rate, certified_noise(instance.kind), field)
    scores = np.array(instance.scores)
    for items in np.array_split(np.arange(len(scores)), 2):
        contest.admit(items, scores[items], instance.words[items, 0], max(instance.scores))
    return contest.ranking()


@kinds
@pytest.mark.parametrize("seed", range(3))
def test_rankings_are_confirmed_by_arb(kind: NoiseKind, seed: int) -> None:
    """All neighbours in a ranking of 600 items, most of them near-ties, stand as Arb says."""
    instance = adversarial(np.random.default_rng(seed), kind, 600)
    assert ranking(instance) == instance.best_items()


@pytest.mark.slow
@pytest.mark.heavy
@kinds
@pytest.mark.parametrize("seed", range(100, 125))
def test_a_million_comparisons_are_confirmed_by_arb(kind: NoiseKind, seed: int) -> None:
    """Arb confirms 34 rankings of 600 items for each of 25 seeds: 1,018,300 comparisons."""
    generator = np.random.default_rng(seed)
    for _ in range(34):
        instance = adversarial(generator, kind, 600)
        assert ranking(instance) == instance.best_items()


def contest_of(kind: NoiseKind, k: int, scores: list[int], words: Integers) -> ExactContest:
    """Return a contest that has admitted some items with rate 1."""
    contest = ExactContest(k, Fraction(1), certified_noise(kind), ServedWords(words))
    contest.admit(np.arange(len(scores)), np.array(scores), words[: len(scores), 0], max(scores))
    return contest


@kinds
def test_everybody_can_enter_before_there_is_a_bar(kind: NoiseKind) -> None:
    """While the contest has fewer than k items, every word can enter."""
    words = random_table(np.random.default_rng(1), 3)
    assert contest_of(kind, 3, [1, 2], words).level(0) == 2**63


@kinds
def test_levels_rise_with_the_score(kind: NoiseKind) -> None:
    """The higher the score, the more words let an item in; one does whatever the distance."""
    words = random_table(np.random.default_rng(1), 4)
    contest = contest_of(kind, 2, [90, 90, 90, 90], words)
    levels = [contest.level(score) for score in (0, 40, 80, 90, 100, 200)]
    assert levels == sorted(levels)
    assert (levels[0], levels[-1]) == (1, 2**63)


@kinds
def test_an_item_at_its_level_cannot_enter(kind: NoiseKind) -> None:
    """An item with a word at the level loses against k items; with a word far below it wins."""
    for seed in range(40):
        words = random_table(np.random.default_rng(seed), 5)
        scores = [3, 3, 4, 2]
        level = contest_of(kind, 2, scores, words).level(3)
        words[4, :2] = level, 0
        assert 4 not in Instance([*scores, 3], words, 2, Fraction(1), kind).best_items()
        words[4, 0] = max(0, level - 2 - level // 2**40)
        words[4, 1] = 0
        assert 4 in Instance([*scores, 3], words, 2, Fraction(1), kind).best_items()


@kinds
def test_a_risen_bar_lowers_the_level(kind: NoiseKind) -> None:
    """Better items raise the bar, and cached levels are dropped."""
    words = random_table(np.random.default_rng(2), 4)
    contest = contest_of(kind, 2, [0, 0], words)
    before = contest.level(0)
    contest.admit(np.array([2, 3]), np.array([5, 5]), words[2:, 0], 5)
    assert contest.level(0) < before


@kinds
def test_large_scores_keep_the_resolution_of_the_noise(kind: NoiseKind) -> None:
    """Next to leaders with 2^53 votes, items are still ranked by their noise, without Arb."""
    words = random_table(np.random.default_rng(3), 40)
    scores = [2**53, *[2**40] * 39]
    field = ServedWords(words)
    contest = ExactContest(10, Fraction(1), certified_noise(kind), field)
    contest.admit(np.arange(40), np.array(scores), words[:, 0], 2**53)
    assert contest.ranking() == Instance(scores, words, 10, Fraction(1), kind).best_items()
    assert max(number for _, number in field.revealed) == 1


def test_items_with_too_few_digits_are_ranked_too() -> None:
    """Words of all zeros and of all ones have no interval at first, and are ranked by Arb."""
    words = random_table(np.random.default_rng(4), 6)
    words[0, :2], words[1, :2] = 0, 0
    words[2, :2], words[3, :2] = LAST, LAST
    for kind in NoiseKind:
        instance = Instance([0] * 6, words, 6, Fraction(1), kind)
        assert ranking(instance) == instance.best_items()


@kinds
def test_scores_far_from_the_reference_have_wide_intervals(kind: NoiseKind) -> None:
    """Half a million noise scales away, sums are rounded; near-ties there are left to Arb."""
    generator, rate = np.random.default_rng(5), Fraction(1, 3)
    for _ in range(60):
        words = random_table(generator, 2)
        words[1, :2] = nearly_balancing_words(words[0, :2], float(rate), kind, generator)
        base = int(generator.integers(1_000_000, 1_500_000))
        instance = Instance([base + 1, base], words, 2, rate, kind)
        assert ranking(instance) == instance.best_items()
