"""A user's program that selects: the public call, what it takes and what it returns."""

from collections.abc import Hashable
from typing import assert_type

import numpy as np
import numpy.typing as npt

from privtopk.impl import (
    ArrayScores,
    Audit,
    Engine,
    IndexedScores,
    Page,
    Plan,
    Scores,
    Selection,
    Source,
    SparseScores,
    exponential_mechanism,
    one_shot_mechanism,
    plan,
    top_k,
)
from privtopk.spec import Guarantee, NoiseKind, Relation


class Countdown:
    """A source of one's own: item i of m has the score m - i."""

    size = 100

    def top(self, start: int, count: int) -> Page:
        """Return entries, best first."""
        items = np.arange(start - 1, min(self.size, start - 1 + count), dtype=np.int64)
        return Page(items, self.scores(items))

    def scores(self, items: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the scores of items."""
        return self.size - items

    def name(self, item: int) -> object:
        """Return the name of an item."""
        return f"item {item}"


def sources() -> list[Scores]:
    """Return one source of each type that `top_k` accepts."""
    names: list[Hashable] = ["ann", "bob", "cat"]
    source: Source = Countdown()
    assert_type(source.top(1, 2).scores, npt.NDArray[np.int64])
    indexed = IndexedScores(np.array([3, 1, 2]))
    assert_type(indexed.build_seconds, float)
    assert_type(SparseScores(10, {3: 7}).size, int)
    array = ArrayScores([3, 1, 2], names)
    assert_type(array.name(0), object)
    return [source, indexed, SparseScores(10, {3: 7}), array, {"ann": 3, "bob": 1}, [3, 1, 2]]


def select() -> None:
    """Select from each source, with the engine given as a text and as a member."""
    for scores in sources():
        selection = top_k(scores, 1, epsilon=1, engine=Engine.ONE_SHOT, rng=1)
        assert_type(selection, Selection)
        assert_type(selection.items, tuple[object, ...])
        assert_type(selection.guarantee, Guarantee)
        assert_type(selection.audit, Audit)
        assert_type(selection.audit.accesses, int)
        assert len(selection.items) == 1
    noise, relation = NoiseKind.LAPLACE, Relation.SWAP
    assert_type(
        one_shot_mechanism([3, 1, 2], 2, epsilon=0.5, noise=noise, neighbours=relation), Selection
    )
    assert_type(exponential_mechanism({"ann": 3}, epsilon=0.5, engine="one-shot"), Selection)


def plan_selection() -> None:
    """Plan a selection, and read its cost."""
    figures = plan(1000, 3, epsilon=1, delta=1e-9, costs=(1, 2.5))
    assert_type(figures, Plan)
    assert_type(figures.accesses_99, int)
    assert_type(figures.as_json(), dict[str, object])


if __name__ == "__main__":
    select()
    plan_selection()
