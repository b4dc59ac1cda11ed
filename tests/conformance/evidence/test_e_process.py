"""Facts about e-processes: their mean under the null, and their growth under wrong laws."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad

from privtopk.conformance.evidence.e_process import (
    BETS,
    CONCENTRATIONS,
    EXPONENTS,
    Categories,
    MeanAtMost,
    Null,
    SuperUniform,
    Uniform,
    log_mean,
)


def evidence(null: Null, values: tuple[float, ...]) -> float:
    """Return the evidence of some observations."""
    process = null.process()
    process.update(np.array(values, dtype=float))
    return math.exp(process.log_e)


def test_nothing_seen_is_no_evidence() -> None:
    """Every process starts with evidence 1."""
    nulls = (Categories((0.5, 0.5), ("a", "b")), Uniform(), SuperUniform(), MeanAtMost(0.1))
    assert [evidence(null, ()) for null in nulls] == pytest.approx([1.0] * 4)


@pytest.mark.parametrize("law", [(0.5, 0.5), (0.9, 0.1), (0.2, 0.3, 0.5), (0.001, 0.999)])
def test_the_mean_evidence_against_the_true_law_is_1(law: tuple[float, ...]) -> None:
    """Summed over all sequences of three categories, probability times evidence is 1."""
    null = Categories(law, tuple(map(str, range(len(law)))))
    mean = sum(
        math.prod(law[int(value)] for value in values) * evidence(null, values)
        for values in product(range(len(law)), repeat=3)
    )
    assert mean == pytest.approx(1.0)


def test_the_mean_evidence_against_uniforms_is_1() -> None:
    """Summed over the cells of all binnings, the mean evidence of two uniforms is 1."""
    edges = (0.0, 0.25, 0.5, 0.75, 1.0)
    null = Uniform(((0.0, 0.5, 1.0), edges))
    middles = [0.125, 0.375, 0.625, 0.875]
    mean = sum(evidence(null, pair) for pair in product(middles, repeat=2)) / 16
    assert mean == pytest.approx(1.0)


@pytest.mark.parametrize("bound", [0.5, 0.05])
@pytest.mark.parametrize("mean", [1.0, 0.5])
def test_the_mean_evidence_of_a_mean_within_its_bound_is_at_most_1(
    bound: float, mean: float
) -> None:
    """The mean evidence is 1 for a coin at the bound, and smaller for one below it."""
    chance = bound * mean
    total = sum(
        chance ** sum(values)
        * (1 - chance) ** (3 - sum(values))
        * evidence(MeanAtMost(bound), values)
        for values in product((0.0, 1.0), repeat=3)
    )
    assert total == pytest.approx(1.0) if mean == 1.0 else total < 1.0


def test_the_mean_evidence_of_a_uniform_p_value_is_1() -> None:
    """The calibrators integrate to 1."""
    total, _ = quad(lambda u: evidence(SuperUniform(), (u,)), 0, 1, limit=200)
    assert total == pytest.approx(1.0, abs=1e-4)


def test_the_order_of_categories_does_not_matter() -> None:
    """Evidence depends on the counts, not on the pieces in which they arrive."""
    null = Categories((0.2, 0.8), ("a", "b"))
    pieces = null.process()
    pieces.update(np.array([1.0, 0.0]))
    pieces.update(np.array([0.0]))
    assert math.exp(pieces.log_e) == pytest.approx(evidence(null, (0.0, 1.0, 0.0)))


def test_the_evidence_of_categories_is_a_ratio_of_predictions() -> None:
    """After one category a, a second one has the predictive probability (A p + 1)/(A + 1)."""
    p = 0.25
    expected = np.mean([(a * p + 1) / (a + 1) / p for a in CONCENTRATIONS])
    assert evidence(Categories((p, 1 - p), ("a", "b")), (0.0, 0.0)) == pytest.approx(expected)


def test_an_impossible_category_is_certain_evidence() -> None:
    """One observation of a category that the null excludes refutes it."""
    assert evidence(Categories((1.0, 0.0), ("a", "b")), (0.0, 1.0)) == math.inf


def test_a_p_value_of_0_is_certain_evidence() -> None:
    """A p-value of 0 gives infinite evidence."""
    assert evidence(SuperUniform(), (0.5, 0.0)) == math.inf


def test_bets_and_calibrators_multiply() -> None:
    """Each alternative multiplies its factors, and the evidence is their mean."""
    bets = [(1 + s * (1 / 0.1 - 1)) * (1 - s) for s in BETS]
    calibrators = [k * 0.2 ** (k - 1) * k * 0.7 ** (k - 1) for k in EXPONENTS]
    assert evidence(MeanAtMost(0.1), (1.0, 0.0)) == pytest.approx(np.mean(bets))
    assert evidence(SuperUniform(), (0.2, 0.7)) == pytest.approx(np.mean(calibrators))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda coins: coins.random(2000) ** 1.2,
        lambda coins: np.clip(coins.normal(0.5, 0.29, 2000), 0.001, 0.999),
        lambda coins: np.where(coins.random(2000) < 0.01, 1e-8, coins.random(2000)),
    ],
    ids=["shift", "shape", "tail"],
)
def test_wrong_uniforms_are_found(wrong: object) -> None:
    """A shift, another shape and a heavy tail each reach 1e6 within 2000 observations."""
    values = wrong(np.random.default_rng(5))  # type: ignore[operator]
    assert evidence(Uniform(), tuple(values)) > 1e6


def test_true_uniforms_raise_no_objection() -> None:
    """2000 seeded uniforms leave the evidence below 1."""
    values = np.random.default_rng(6).random(2000)
    assert evidence(Uniform(), tuple(values)) < 1


def test_log_mean_is_stable() -> None:
    """The mean of numbers beyond the range of a double is taken in logarithms."""
    assert log_mean([1000.0, 1000.0 + math.log(3)]) == pytest.approx(1000 + math.log(2))
