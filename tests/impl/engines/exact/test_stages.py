"""Facts about the stages of the exact engine: what they reveal, and when they are done."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.exact import stages as module
from privtopk.impl.engines.exact.contest import Contest
from privtopk.impl.engines.exact.quantile import certified_noise
from privtopk.impl.engines.exact.stages import ExactStages
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.reader import Reader
from privtopk.spec.noise.distributions import NoiseKind
from support_exact import Instance, ServedField, random_table

KIND = NoiseKind.GUMBEL


def started(scores: list[int], k: int, seed: int) -> tuple[ExactStages, ServedField, Instance]:
    """Return stages with nothing read, their bits, and what they should find."""
    words = random_table(np.random.default_rng(seed), len(scores))
    field, rate = ServedField(words), Fraction(1)
    reader = Reader(IndexedScores(scores))
    contest = Contest(k, rate, certified_noise(KIND), field)
    instance = Instance(scores, words, k, rate, KIND)
    return ExactStages(reader, k, contest, field), field, instance


def shown(field: ServedField, number: int) -> set[int]:
    """Return the items that have shown a word of this number."""
    return {item for item, place in field.told if place == number}


def test_a_prefix_shows_its_first_words() -> None:
    """Whoever sorted access delivers shows a first word, and nobody else."""
    stages, field, _ = started([9, 8, 7, 6, 5], 1, 1)
    stages.extend(2)
    assert shown(field, 0) == {0, 1}


def test_opening_moves_the_frontier() -> None:
    """After opening, the frontier stands at the threshold; a lower one changes nothing."""
    stages, field, _ = started([0] * 50, 1, 2)
    stages.extend(2)
    stages.open_to(2**62)
    stages.open_to(2**61)
    assert (field.frontier, field.openings) == (2**62, 1)


def test_nothing_can_enter_once_everything_is_read() -> None:
    """At the end of the list the threshold is 0, and the stages are done."""
    stages, _, instance = started([3, 1, 2], 2, 3)
    stages.extend(3)
    assert (stages.threshold(), stages.is_done) == (0, True)
    assert stages.finish().items == instance.selected()


def test_stages_are_done_when_the_threshold_is_opened() -> None:
    """Opening down to the threshold settles the selection."""
    for seed in range(20):
        stages, _, instance = started([2, 2, 1, 1, 0] * 12, 2, seed)
        stages.extend(4)
        stages.open_to(stages.threshold())
        assert stages.is_done
        assert stages.finish().items == instance.selected()


@pytest.mark.parametrize("few", [0, 1000])
def test_many_candidates_are_taken_in_two_helpings(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those with the largest noise go first; it changes who shows a second word and no more."""
    monkeypatch.setattr(module, "FEW", few)
    for seed in range(10):
        stages, _, instance = started([5] * 90, 3, seed)
        stages.extend(3)
        stages.open_to(2**63)
        assert stages.finish().items == instance.selected()


def test_an_opened_item_keeps_its_word() -> None:
    """An item that was opened shows no second first word when sorted access delivers it."""
    stages, field, instance = started([4, 3, 2, 1], 1, 5)
    stages.extend(1)
    stages.open_to(2**63)
    stages.extend(4)
    assert shown(field, 0) == {0, 1, 2, 3}
    assert stages.finish().items == instance.selected()
