"""Facts about the k best of a stream: exact at the resolution of the noise, for all scores."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.engines.float_contest import FloatContest
from privtopk.impl.noise.distributions import StandardGumbel, StandardLaplace, StandardNoise
from privtopk.impl.randomness.generators import Floats, Integers

GUMBEL = StandardGumbel()
NOISES = (GUMBEL, StandardLaplace())
LARGEST = 2**53

noises = pytest.mark.parametrize("noise", NOISES)


def admit(best: FloatContest, items: list[int], scores: list[int], levels: list[float]) -> None:
    """Admit lists; the ceiling is the largest of the scores."""
    best.admit(np.array(items), np.array(scores), np.array(levels), max(scores))


def exact_ranking(
    scores: list[int], levels: list[float], k: int, epsilon: float, noise: StandardNoise
) -> tuple[int, ...]:
    """Return the k best items by exact sums of score and noise."""
    values = noise.values(np.array(levels)).tolist()
    sums = [
        score * Fraction(epsilon) + Fraction(value)
        for score, value in zip(scores, values, strict=True)
    ]
    ranking = sorted(range(len(scores)), key=lambda item: (-sums[item], item))
    return tuple(ranking[:k])


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[int], list[float], int, float, int]:
    """Draw scores of any size with many ties, levels far from each other, k, epsilon, a batch."""
    m = draw(st.integers(1, 9))
    base = draw(st.sampled_from([0, 10**6, LARGEST - 3]))
    score = st.one_of(st.integers(0, 3), st.integers(base, base + 3))
    scores = draw(st.lists(score, min_size=m, max_size=m))
    # Laplace noise is linear in E: no epsilon below makes a vote a multiple of these steps.
    steps = draw(st.lists(st.integers(1, 3000), min_size=m, max_size=m))
    levels = [step / 100 for step in steps]
    k = draw(st.integers(1, m))
    epsilon = draw(st.sampled_from([0.30713, 1.70719, 1.37137e-6, 40.0, 1e305]))
    return scores, levels, k, epsilon, draw(st.integers(1, m))


@noises
@given(stream=streams())
def test_the_best_are_those_with_the_largest_exact_sums(
    noise: StandardNoise, stream: tuple[list[int], list[float], int, float, int]
) -> None:
    """The k best of all batches are ranked by their exact sums."""
    scores, levels, k, epsilon, batch = stream
    best = FloatContest(k, epsilon, noise)
    for start in range(0, len(scores), batch):
        stop = min(start + batch, len(scores))
        admit(best, list(range(start, stop)), scores[start:stop], levels[start:stop])
    assert best.ranking() == exact_ranking(scores, levels, k, epsilon, noise)


def test_a_leader_does_not_round_the_noise_of_others() -> None:
    """Next to a leader with 2^53 votes, tied items are ranked by their noise."""
    best = FloatContest(2, 1.0, GUMBEL)
    admit(best, [0, 1, 2, 3], [LARGEST, 0, 0, 0], [1.0, 1.002, 1.001, 1.003])
    assert best.ranking() == (0, 2)


def test_leaders_far_above_are_ranked_by_their_noise() -> None:
    """Leaders far above the k-th item are ranked among themselves by their noise."""
    best = FloatContest(3, 1.0, GUMBEL)
    admit(best, [0, 1, 2, 3], [LARGEST, LARGEST, 0, 0], [1.002, 1.001, 1.0, 2.0])
    assert best.ranking() == (1, 0, 2)


def test_a_late_leader_is_measured_by_its_own_noise() -> None:
    """Late items far above all earlier ones are ranked by their noise too."""
    best = FloatContest(1, 1.0, GUMBEL)
    admit(best, [0, 1], [0, 0], [1.0, 1.0])
    admit(best, [2, 3, 4], [LARGEST, LARGEST, LARGEST], [1.002, 1.001, 1.003])
    assert best.ranking() == (3,)


def test_one_vote_counts_at_the_largest_scores() -> None:
    """One vote more at 2^53 counts like one vote more at 0."""
    best = FloatContest(1, 0.5, GUMBEL)
    lead = math.exp(0.5)
    admit(best, [0, 1], [LARGEST - 1, LARGEST], [1.0, lead * 1.001])
    other = FloatContest(1, 0.5, GUMBEL)
    admit(other, [0, 1], [LARGEST - 1, LARGEST], [1.0, lead * 0.999])
    assert (best.ranking(), other.ranking()) == ((0,), (1,))


def test_ties_go_to_the_smaller_item() -> None:
    """Equal sums are ranked by item, within a batch and across batches."""
    best = FloatContest(2, 1.0, GUMBEL)
    admit(best, [1, 0, 2], [5, 5, 5], [1.0, 1.0, 1.0])
    admit(best, [3], [5], [1.0])
    assert best.ranking() == (0, 1)


@noises
def test_before_there_are_k_everything_enters(noise: StandardNoise) -> None:
    """With fewer than k items any noise is enough."""
    best = FloatContest(2, 1.0, noise)
    admit(best, [0], [7], [1.0])
    assert best.level(0) == math.inf


@noises
def test_the_level_is_that_of_the_bar(noise: StandardNoise) -> None:
    """An item with the score of the k-th best enters with a smaller level than that one has."""
    best = FloatContest(2, 1.0, noise)
    admit(best, [0, 1, 2], [7, 7, 7], [1.0, 3.0, 2.0])
    assert best.level(7) == pytest.approx(2.0, rel=1e-14)


@noises
def test_a_lower_score_needs_more_noise(noise: StandardNoise) -> None:
    """Two votes below the bar, at epsilon 1.5, an item needs three noise scales more."""
    best = FloatContest(1, 1.5, noise)
    admit(best, [0], [9], [0.25])
    assert best.level(7) == pytest.approx(noise.level(noise.value(0.25) + 3), rel=1e-14)


def test_nothing_is_kept_that_can_not_enter() -> None:
    """No noise is computed for items below the bar."""

    class Noise(StandardGumbel):
        turned = 0

        def values(self, levels: Floats) -> Floats:
            self.turned += len(levels)
            return super().values(levels)

    noise = Noise()
    best = FloatContest(1, 1.0, noise)
    admit(best, [0], [9], [0.5])
    admit(best, [1, 2, 3], [9, 8, 9], [0.6, 0.6, 0.4])
    assert (best.ranking(), noise.turned) == ((3,), 2)


def test_an_empty_batch_changes_nothing() -> None:
    """A batch may be empty."""
    best = FloatContest(1, 1.0, GUMBEL)
    admit(best, [4], [9], [0.5])
    nothing: Integers = np.empty(0, dtype=np.int64)
    best.admit(nothing, nothing, np.empty(0), 9)
    assert best.ranking() == (4,)


@pytest.mark.parametrize("epsilon", [1e300, 1.7e308])
@noises
def test_a_huge_epsilon_ranks_by_score(noise: StandardNoise, epsilon: float) -> None:
    """No product of a score and an epsilon overflows: the order is that of the scores."""
    best = FloatContest(4, epsilon, noise)
    admit(best, [0, 1, 2, 3], [0, LARGEST, 1, LARGEST - 1], [1e-9, 30.0, 1.0, 1.0])
    assert best.ranking() == (1, 3, 2, 0)


@noises
@given(
    base=st.sampled_from([0, 10**6, LARGEST - 50]),
    epsilon=st.sampled_from([0.30713, 1.70719, 1.37137e-6, 40.0]),
    level=st.floats(1e-12, 30.0),
    drawn=st.lists(st.integers(1, 3000), min_size=3, max_size=6),
)
def test_the_least_score_is_just_below_those_that_could_enter(
    noise: StandardNoise, base: int, epsilon: float, level: float, drawn: list[int]
) -> None:
    """With noise at the level, no score below the least enters; one four votes above does."""
    best = FloatContest(2, epsilon, noise)
    admit(best, list(range(len(drawn))), [base + 40] * len(drawn), [step / 100 for step in drawn])
    least = best.least_score(level)
    assert best.level(least - 1) <= level
    slack = 4 + abs(least - base - 40) // 2**40
    assert best.level(least + slack) > level


def test_every_score_could_enter_before_there_is_a_bar() -> None:
    """Without a bar, or with unlimited noise, no score is too small."""
    best = FloatContest(2, 1.0, GUMBEL)
    assert best.least_score(0.5) == 0
    admit(best, [0, 1], [5, 5], [1.0, 2.0])
    assert best.least_score(0.0) == 0
