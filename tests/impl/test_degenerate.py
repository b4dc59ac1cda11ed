"""Facts about inputs that break other implementations, for every engine and both noises."""

import numpy as np
import pytest

from privtopk.impl.engines.choice import ENGINES, Engine, SelectionRequest
from privtopk.impl.engines.float_contest import FloatContest
from privtopk.impl.engines.one_shot import one_shot
from privtopk.impl.noise.distributions import standard_noise
from privtopk.impl.randomness.generators import Integers, SeededRandomness
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.scores.reader import Reader
from privtopk.impl.top_k import top_k
from privtopk.spec.laws.gumbel import float_weights, ranked_law
from privtopk.spec.noise.distributions import NoiseKind
from support import fits
from support_served import ServedLevels

DRAWS = 4_000
DEFECT = 0.022
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""
LARGEST = 2**53

engines = pytest.mark.parametrize("engine", ENGINES)
kinds = pytest.mark.parametrize("kind", NoiseKind)


class Typed:
    """A source whose pages and scores are of some integer type."""

    def __init__(self, scores: list[int], kind: str) -> None:
        self._inner = IndexedScores(scores)
        self._kind = kind
        self.size = len(scores)

    def top(self, start: int, count: int) -> Page:
        """Return a page of the type."""
        page = self._inner.top(start, count)
        return Page(page.items.astype(self._kind), page.scores.astype(self._kind))

    def scores(self, items: Integers) -> Integers:
        """Return scores of the type."""
        return self._inner.scores(items).astype(self._kind)

    def name(self, item: int) -> object:
        """Return the item."""
        return item


def drawn_lists(
    scores: list[int], k: int, epsilon: float, engine: Engine, kind: NoiseKind = NoiseKind.GUMBEL
) -> list[tuple[int, ...]]:
    """Return DRAWS ranked lists from an engine with noise of scale 1/epsilon."""
    source, coins = IndexedScores(scores), SeededRandomness(np.random.default_rng(17))
    asked = SelectionRequest(k, epsilon, standard_noise(kind), (1, 1), engine, is_ranked=True)
    return [ENGINES[engine](Reader(source), asked, coins).items for _ in range(DRAWS)]


@engines
@kinds
@pytest.mark.parametrize("epsilon", [1e6, 1e100, 1e300, 1.7e308])
def test_a_huge_epsilon_selects_the_true_top(
    epsilon: float, kind: NoiseKind, engine: Engine
) -> None:
    """With negligible noise the largest scores are selected, never the smallest."""
    scores = [3, 0, 7, 1, 9, 4]
    chosen = top_k(scores, 3, epsilon=epsilon, noise=kind, engine=engine, ranked=False, rng=1)
    assert chosen.items == (2, 4, 5)


@engines
@pytest.mark.parametrize("epsilon", [1e6, 1e300, 1.7e308])
def test_a_huge_epsilon_ranks_everything(epsilon: float, engine: Engine) -> None:
    """With k = m and negligible noise, all items come in the order of their scores."""
    scores = [3, 0, 2**53, 1, 2**53 - 1, 4]
    chosen = top_k(scores, 6, epsilon=epsilon, engine=engine, rng=1)
    assert chosen.items == (2, 4, 5, 0, 3, 1)


@engines
@kinds
def test_a_tiny_epsilon_selects_all_the_same(kind: NoiseKind, engine: Engine) -> None:
    """Noise far larger than every score selects k different items."""
    chosen = top_k([3, 0, 7, 1, 9, 4], 3, epsilon=1e-300, noise=kind, engine=engine, rng=1)
    assert len(set(chosen.items)) == 3


@pytest.mark.slow
@engines
@pytest.mark.parametrize("place", [0, 3], ids=["first", "last"])
@pytest.mark.parametrize(
    "gap", [38, *(pytest.param(gap, marks=pytest.mark.heavy) for gap in (745, 10**6)), LARGEST]
)
def test_a_leader_far_ahead_leaves_the_others_their_law(
    gap: int, place: int, engine: Engine
) -> None:
    """Behind a leader the three others are equally likely, wherever the leader is.

    Null hypothesis: uniform on three. A gap of 38 noise scales is lost once in 10^16 times.
    """
    scores = [0, 0, 0, 0]
    scores[place] = gap
    lists = drawn_lists(scores, 2, 1.0, engine)
    others = [item for item in range(4) if item != place]
    assert {first for first, _ in lists} == {place}
    assert fits([second for _, second in lists], dict.fromkeys(others, 1 / 3), DRAWS, DEFECT)


@kinds
@pytest.mark.parametrize("place", [0, 1], ids=["first", "last"])
@pytest.mark.parametrize(("gap", "level"), [(38, 1e-18), (600, 1e-270)])
def test_a_leader_can_be_beaten_wherever_it_stands(
    gap: int, level: float, place: int, kind: NoiseKind
) -> None:
    """An item far behind wins if its noise is large enough: no probability is rounded to 0."""
    scores, levels = [0, 0], [1.0, 1.0]
    scores[place], levels[1 - place] = gap, level
    contest = FloatContest(1, 1.0, standard_noise(kind))
    run = one_shot(Reader(IndexedScores(scores)), contest, ServedLevels(levels))
    assert run.items == (1 - place,)


@pytest.mark.slow
@engines
def test_leaders_that_tie_far_above_are_ranked_by_noise(engine: Engine) -> None:
    """Two leaders at 2^53 come first, in either order; either item at 0 is third."""
    lists = drawn_lists([LARGEST, 0, LARGEST, 0], 3, 0.7, engine)
    outcomes = [(0, 2, 1), (0, 2, 3), (2, 0, 1), (2, 0, 3)]
    assert fits(lists, dict.fromkeys(outcomes, 1 / 4), DRAWS, DEFECT)


@pytest.mark.slow
@engines
def test_scores_near_the_largest_have_the_law_of_small_ones(engine: Engine) -> None:
    """The law depends on differences only: at 2^53 it is the same as at 0."""
    small = (2, 0, 1)
    lists = drawn_lists([LARGEST - 2 + score for score in small], 2, 0.7, engine)
    law = ranked_law(float_weights(small, 0.7), 2)
    assert fits([tuple(item + 1 for item in items) for items in lists], law, DRAWS, DEFECT)


@pytest.mark.slow
@engines
def test_scores_beyond_the_exponential_function(engine: Engine) -> None:
    """Ties are fair even if e^(epsilon * score) exceeds every double."""
    lists = drawn_lists([10**6, 10**6, 10**6 - 800], 1, 1.0, engine)
    assert fits(lists, {(0,): 1 / 2, (1,): 1 / 2}, DRAWS, DEFECT)


@engines
@kinds
def test_everything_tied_and_selected(kind: NoiseKind, engine: Engine) -> None:
    """With all scores equal and k = m everything is selected."""
    chosen = top_k([7] * 5, 5, epsilon=1, noise=kind, engine=engine, rng=1)
    assert sorted(chosen.items) == [0, 1, 2, 3, 4]  # type: ignore[type-var]


@engines
@kinds
@pytest.mark.parametrize("score", [0, 1, LARGEST])
def test_a_domain_of_one_item(score: int, kind: NoiseKind, engine: Engine) -> None:
    """The only item is selected, whatever its score."""
    assert top_k([score], 1, epsilon=1, noise=kind, engine=engine).items == (0,)


@engines
@pytest.mark.parametrize(
    "kind", ["int8", "int16", "int32", "int64", "uint8", "uint64", "float32", "float64"]
)
def test_counts_of_every_type_select_the_same(kind: str, engine: Engine) -> None:
    """The same counts of any numeric type give the same selection for the same seed."""
    scores = [3, 0, 100, 1, 90, 100, 0, 0]
    typed = top_k(np.array(scores, dtype=kind), 4, epsilon=0.1, engine=engine, rng=3)
    assert typed.items == top_k(scores, 4, epsilon=0.1, engine=engine, rng=3).items


@engines
@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "uint64"])
def test_a_source_of_every_type_selects_the_same(kind: str, engine: Engine) -> None:
    """Unsigned pages do not wrap around below the largest score: the bottom never wins."""
    scores = [3, 0, 100, 1, 90, 100, 0, 0]
    typed = top_k(Typed(scores, kind), 4, epsilon=0.1, engine=engine, rng=3)
    assert typed.items == top_k(IndexedScores(scores), 4, epsilon=0.1, engine=engine, rng=3).items


@engines
@pytest.mark.parametrize("place", [0, 50_000, 99_999])
def test_a_leader_in_a_large_table(place: int, engine: Engine) -> None:
    """In a table of 100,000 rows the leader is found wherever it is."""
    scores = np.zeros(100_000, dtype=np.int64)
    scores[place] = 10**9
    assert top_k(IndexedScores(scores), 1, epsilon=1, engine=engine, rng=1).items == (place,)
