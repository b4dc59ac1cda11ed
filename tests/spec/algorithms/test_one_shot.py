"""Facts about the one-shot algorithm, the reference for all others."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.algorithms.one_shot import (
    noisy_scores,
    one_shot_ranked,
    one_shot_set,
    select_with,
)
from privtopk.spec.laws.gumbel import float_weights, ranked_law, set_law
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.accuracy import is_top_set
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Histogram, Item, Number
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from support import fits, refusal

HISTOGRAM = (3, 1, 0, 2, 1)
DRAWS = 20_000
DEFECT = 0.0053
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""


ASKS: tuple[Callable[[Any, Any], object], ...] = (
    lambda h, k: select_with(h, [0.0] * len(h), k),
    lambda h, k: one_shot_set(h, k, Gumbel(1), tape_of()),
    lambda h, k: one_shot_set(h, k, Laplace(1), tape_of()),
    lambda h, k: one_shot_ranked(h, k, Gumbel(1), tape_of()),
)
"""Every way to select, as a function of the histogram and k; a draw would exhaust the tape."""


def test_noise_is_added_item_by_item() -> None:
    """v[i] = h[i] + Z_i, exactly where both are exact."""
    assert noisy_scores((1, 2), (Fraction(1, 3), -5)) == (Fraction(4, 3), -3)


def test_selection_by_hand() -> None:
    """h = (3, 1, 0) with Z = (0, 1, 4) is (3, 2, 4): items 3 and 1, in this order."""
    assert select_with((3, 1, 0), (0, 1, 4), 2) == (3, 1)


def test_ties_go_to_the_smaller_item() -> None:
    """Of equal noisy scores the smaller item is selected."""
    assert select_with((1, 0, 0), (0, 1, 1), 2) == (1, 2)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 9), st.floats(-9, 9)), min_size=1, max_size=6), st.data())
def test_selection_is_a_top_set(pairs: list[tuple[int, float]], data: st.DataObject) -> None:
    """No unselected item has a larger noisy score than a selected one."""
    histogram, noises = zip(*pairs, strict=True)
    k = data.draw(st.integers(1, len(pairs)))
    assert is_top_set(noisy_scores(histogram, noises), select_with(histogram, noises, k), k)


def test_all_items_are_selected_when_k_is_m() -> None:
    """For k = m the set is the domain, for all noise."""
    assert one_shot_set((0, 5, 2), 3, Laplace(0.1), seeded_tape(1)) == frozenset({1, 2, 3})


def test_single_item_is_selected() -> None:
    """For m = 1 there is one outcome."""
    assert one_shot_ranked((0,), 1, Gumbel(0.1), seeded_tape(1)) == (1,)


def test_one_uniform_per_item_is_read_in_order() -> None:
    """Item i gets the noise of the i-th uniform, and no more uniforms are read."""
    noise, uniforms = Gumbel(1), (0.1, 0.9, 0.5)
    tape = tape_of(*uniforms, 0.25)
    selected = one_shot_ranked((1, 0, 1), 2, noise, tape)
    expected = select_with((1, 0, 1), [noise.quantile(u) for u in uniforms], 2)
    assert (selected, tape.uniform()) == (expected, 0.25)


@pytest.mark.parametrize("noise", [Gumbel(0.3), Laplace(0.3)])
def test_run_replays(noise: Noise) -> None:
    """The same tape gives the same set."""
    sets = [one_shot_set(HISTOGRAM, 2, noise, seeded_tape(9)) for _ in range(2)]
    assert sets[0] == sets[1]


def test_set_is_the_ranked_list_without_order() -> None:
    """From the same tape the set has the items of the ranked list."""
    ranked = one_shot_ranked(HISTOGRAM, 3, Gumbel(0.3), seeded_tape(4))
    assert one_shot_set(HISTOGRAM, 3, Gumbel(0.3), seeded_tape(4)) == frozenset(ranked)


def test_ranked_laplace_is_refused() -> None:
    """With Laplace noise the order is not released, and no uniform is read."""
    assert refusal(lambda: one_shot_ranked((1, 2), 1, Laplace(1), tape_of())) == (
        Reason.RANKED_LAPLACE,
        "a ranked list needs Gumbel noise: with Laplace noise the items are released as a set",
    )


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("k", [0, -1, 3])
def test_k_outside_the_domain_is_refused(ask: Callable[[Any, Any], object], k: int) -> None:
    """k lies between 1 and m; otherwise no noise is drawn."""
    assert refusal(lambda: ask((5, 1), k)) == (
        Reason.K_OUT_OF_RANGE,
        f"k must be between 1 and m=2, got {k}",
    )


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("k", [True, 1.0, "1", None])
def test_k_of_another_type_is_refused(ask: Callable[[Any, Any], object], k: object) -> None:
    """The number of items is an integer."""
    assert refusal(lambda: ask((5, 1), k)) == (
        Reason.WRONG_TYPE,
        f"k must be an integer, got {k!r}",
    )


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize(
    ("histogram", "reason", "message"),
    [
        ((), Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        ((1, -1), Reason.NEGATIVE_SCORE, "the score of item 2 must not be negative"),
        ((1, 1.0), Reason.WRONG_TYPE, "the score of item 2 must be an integer"),
        ((True, 1), Reason.WRONG_TYPE, "the score of item 1 must be an integer"),
        ((math.nan, 1), Reason.WRONG_TYPE, "the score of item 1 must be an integer"),
        (("3", 1), Reason.WRONG_TYPE, "the score of item 1 must be an integer"),
    ],
)
def test_bad_histograms_are_refused(
    ask: Callable[[Any, Any], object], histogram: object, reason: Reason, message: str
) -> None:
    """Scores are integers of at least 0; the message names the item and not the score."""
    assert refusal(lambda: ask(histogram, 1)) == (reason, message)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3).map(tuple))
def test_refusals_do_not_depend_on_the_scores(histogram: Histogram) -> None:
    """With k = 4 of three items the refusal is the same for all scores."""
    assert [refusal(partial(ask, histogram, 4)) for ask in ASKS] == [
        (Reason.K_OUT_OF_RANGE, "k must be between 1 and m=3, got 4")
    ] * len(ASKS)


@pytest.mark.parametrize("noises", [(), (0,), (0, 0, 0)])
def test_missing_or_extra_noises_are_refused(noises: tuple[Number, ...]) -> None:
    """There is one noise per item."""
    expected = (
        Reason.DIFFERENT_DOMAINS,
        f"there must be one noise for each of the m=2 items, got {len(noises)}",
    )
    assert refusal(lambda: noisy_scores((1, 2), noises)) == expected
    assert refusal(lambda: select_with((1, 2), noises, 1)) == expected


@pytest.mark.parametrize(
    ("noise", "reason"),
    [(math.nan, Reason.NOT_A_NUMBER), (True, Reason.WRONG_TYPE), ("0", Reason.WRONG_TYPE)],
)
def test_noises_of_another_kind_are_refused(noise: Any, reason: Reason) -> None:
    """A noise is a number: NaN has no rank."""
    expected = (reason, f"a noise must be a number, got {noise!r}")
    assert refusal(lambda: noisy_scores((1, 2), (0, noise))) == expected
    assert refusal(lambda: select_with((1, 2), (0, noise), 1)) == expected


def test_noise_is_not_lost_beside_a_large_score() -> None:
    """Of two equal scores of 2^60 the one with the larger noise is selected."""
    assert select_with((2**60, 2**60), (0.25, 0.5), 1) == (2,)


def test_no_score_breaks_a_run() -> None:
    """A score of 10^400 is selected like any other: an error would leak it."""
    assert one_shot_set((10**400, 0), 1, Gumbel(1), seeded_tape(1)) == frozenset({1})


def test_short_tape_is_refused() -> None:
    """Every item needs a noise."""
    assert refusal(lambda: one_shot_set((1, 2, 3), 1, Gumbel(1), tape_of(0.5, 0.5))) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )


def gumbel_law(k: int, epsilon: float) -> dict[frozenset[Item], float]:
    """Return the exact law of the set with Gumbel noise: the Plackett-Luce law."""
    return set_law(float_weights(HISTOGRAM, epsilon), k)


def laplace_law(k: int, epsilon: float) -> dict[frozenset[Item], float]:
    """Return the exact law of the set with Laplace noise."""
    return laplace_set_law(HISTOGRAM, k, epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize(
    ("noise", "law", "seed"),
    [(Gumbel(0.5), gumbel_law, 100), (Laplace(0.5), laplace_law, 200)],
    ids=["gumbel", "laplace"],
)
def test_set_has_the_exact_law(
    noise: Noise, law: Callable[[int, float], dict[frozenset[Item], float]], seed: int, k: int
) -> None:
    """With noise of scale 2 the set has its exact law, and not that of epsilon 0.6.

    Null hypothesis: the exact set law at epsilon 0.5, m = 5; n = 20,000, false alarms 1e-9;
    a law with sum (p - q)^2/q >= 0.0053 is found with power 0.99, epsilon 0.6 among them.
    """
    tape = seeded_tape(seed + k)
    drawn = [one_shot_set(HISTOGRAM, k, noise, tape) for _ in range(DRAWS)]
    assert fits(drawn, law(k, 0.5), DRAWS, DEFECT)
    assert not fits(drawn, law(k, 0.6), DRAWS, DEFECT)


@pytest.mark.slow
def test_gumbel_ranking_has_the_exact_law() -> None:
    """With Gumbel(2) noise the ranked pair of three items has the Plackett-Luce law.

    Null hypothesis: the exact ranked law at epsilon 0.5; n = 20,000, false alarms 1e-9; a law
    with sum (p - q)^2/q >= 0.0053 is found with power 0.99, epsilon 0.6 among them.
    """
    tape = seeded_tape(300)
    drawn = [one_shot_ranked((3, 1, 0), 2, Gumbel(0.5), tape) for _ in range(DRAWS)]
    assert fits(drawn, ranked_law(float_weights((3, 1, 0), 0.5), 2), DRAWS, DEFECT)
    assert not fits(drawn, ranked_law(float_weights((3, 1, 0), 0.6), 2), DRAWS, DEFECT)
