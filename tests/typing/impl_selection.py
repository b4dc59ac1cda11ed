"""A user's program that selects: the public call, what it takes and what it returns."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

from privtopk.impl import (
    ArrayScores,
    Audit,
    DomainLike,
    Engine,
    IndexedScores,
    NamedScores,
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
from privtopk.spec import DomainAssumption, Guarantee, NoiseKind, NoiseSource, Relation


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
    source: Source = Countdown()
    assert_type(source.top(1, 2).scores, npt.NDArray[np.int64])
    indexed = IndexedScores(np.array([3, 1, 2]))
    assert_type(indexed.build_seconds, float)
    assert_type(SparseScores(10, {3: 7}).size, int)
    array = ArrayScores([3, 1, 2])
    assert_type(array.name(0), object)
    named = NamedScores({"ann": 3}, domain=["ann", "bob"])
    assert_type(named.size, int)
    return [source, indexed, SparseScores(10, {3: 7}), array, named, [3, 1, 2]]


def domains() -> list[DomainLike]:
    """Return one domain of each type that `top_k` accepts for scores with names."""
    people = {"ann": 1, "bob": 2}
    return ["public", ["ann", "bob"], ("ann", "bob"), {"ann", "bob"}, people.keys()]


def select() -> None:
    """Select from each source, with the engine given as a text and as a member."""
    for scores in sources():
        selection = top_k(scores, 1, epsilon=1, engine=Engine.ONE_SHOT, rng=1)
        assert_type(selection, Selection)
        assert_type(selection.items, tuple[object, ...])
        assert_type(selection.guarantee, Guarantee)
        assert_type(selection.audit, Audit)
        assert_type(selection.audit.accesses, int)
        assert_type((selection.noise, selection.noise_scale), tuple[NoiseKind, float])
        assert_type(selection.as_json(), dict[str, object])
        assert len(selection.items) == 1
    noise, relation = NoiseKind.LAPLACE, Relation.SWAP
    assert_type(
        one_shot_mechanism([3, 1, 2], 2, epsilon=0.5, noise=noise, neighbours=relation), Selection
    )
    assert_type(
        exponential_mechanism({"ann": 3}, epsilon=0.5, domain="public", engine="one-shot"),
        Selection,
    )


def select_by_name() -> None:
    """Select from a mapping over each kind of domain, and read what the guarantee assumes."""
    for domain in domains():
        promise = top_k({"ann": 3, "bob": 1}, 1, epsilon=1, domain=domain, rng=1).guarantee
        assert_type(promise.domain, DomainAssumption)
        assert_type(promise.noise_source, NoiseSource)
        assert_type(promise.conditions, tuple[str, ...])
        assert promise.noise_source is NoiseSource.SEEDED
    assert top_k({7: 900}, 1, epsilon=1, domain=range(1, 9)).items == (7,)


def plan_selection() -> None:
    """Plan a selection, and read its cost."""
    figures = plan(1000, 3, epsilon=1, delta=1e-9, costs=(1, 2.5))
    assert_type(figures, Plan)
    assert_type(figures.accesses_99, int)
    assert_type(figures.as_json(), dict[str, object])


if __name__ == "__main__":
    select()
    select_by_name()
    plan_selection()
