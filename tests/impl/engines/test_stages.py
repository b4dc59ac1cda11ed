"""Facts about stages, on exact bits: what they reveal, and when they are done."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines import stages as module
from privtopk.impl.engines.exact.contest import ExactContest
from privtopk.impl.engines.exact.quantile import certified_noise
from privtopk.impl.engines.stages import Stages
from privtopk.impl.scores.memory import IndexedScores
from privtopk.impl.scores.reader import Reader
from privtopk.spec.noise.distributions import NoiseKind
from support_exact import Instance, random_table
from support_served import ServedWords

KIND = NoiseKind.GUMBEL


def stages_of(scores: list[int], k: int, seed: int) -> tuple[Stages[int], ServedWords, Instance]:
    """Return stages before any access, their bits, and the instance with the expected items."""
    words = random_table(np.random.default_rng(seed), len(scores))
    field, rate = ServedWords(words), Fraction(1)
    reader = Reader(IndexedScores(scores))
    contest = ExactContest(k, rate, certified_noise(KIND), field)
    instance = Instance(scores, words, k, rate, KIND)
    return Stages(reader, k, contest, field), field, instance


def items_with_word(field: ServedWords, number: int) -> set[int]:
    """Return the items that have revealed a word of this number."""
    return {item for item, place in field.revealed if place == number}


def test_a_prefix_shows_its_first_words() -> None:
    """An item reveals a first word if and only if sorted access delivers it."""
    stages, field, _ = stages_of([9, 8, 7, 6, 5], 1, 1)
    stages.extend(2)
    assert items_with_word(field, 0) == {0, 1}


def test_opening_moves_the_frontier() -> None:
    """After opening, the frontier stands at the threshold; a lower one changes nothing."""
    stages, field, _ = stages_of([0] * 50, 1, 2)
    stages.extend(2)
    stages.open_to(2**62)
    stages.open_to(2**61)
    assert (field.frontier, field.openings) == (2**62, 1)


def test_nothing_can_enter_once_everything_is_read() -> None:
    """At the end of the list the threshold is 0, and the stages are done."""
    stages, _, instance = stages_of([3, 1, 2], 2, 3)
    stages.extend(3)
    assert (stages.level(), stages.is_done) == (0, True)
    assert stages.finish().items == instance.best_items()


def test_stages_are_done_when_the_threshold_is_opened() -> None:
    """Opening down to the threshold settles the selection."""
    for seed in range(20):
        stages, _, instance = stages_of([2, 2, 1, 1, 0] * 12, 2, seed)
        stages.extend(4)
        stages.open_to(stages.level())
        assert stages.is_done
        assert stages.finish().items == instance.best_items()


@pytest.mark.parametrize("few", [0, 1000])
def test_many_candidates_are_taken_in_two_batches(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of admission changes which items reveal a second word, but not the selection."""
    monkeypatch.setattr(module, "FEW", few)
    for seed in range(10):
        stages, _, instance = stages_of([5] * 90, 3, seed)
        stages.extend(3)
        stages.open_to(2**63)
        assert stages.finish().items == instance.best_items()


def test_an_opened_item_keeps_its_word() -> None:
    """An opened item reveals no second first word when sorted access delivers it."""
    for seed in range(20):
        stages, field, instance = stages_of([4, 3, 3, 3], 2, seed)
        stages.extend(2)
        stages.open_to(2**63)
        opened = items_with_word(field, 0)
        stages.extend(4)
        assert items_with_word(field, 0) == opened
        assert stages.finish().items == instance.best_items()


def test_candidates_between_two_neighbouring_words_are_all_looked_at() -> None:
    """If no word lies between the frontier and the first step, the second step continues."""
    stages, field, _ = stages_of([2, *[0] * 5, 1, *[0] * 5], 1, 1)
    field._levels[:] = 2**62
    field._levels[1:] = 0
    stages.extend(1)
    stages.open_to(1)
    assert items_with_word(field, 0) >= {6}
