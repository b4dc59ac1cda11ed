"""Facts about what callers may pass as scores, and the domain that goes with it."""

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.column import Numbers
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.inputs import source_or_store
from privtopk.impl.scores.memory import ArrayScores, IndexedScores, SparseScores
from privtopk.impl.scores.named import NamedScores
from privtopk.impl.scores.protocols import Page, Source, view_of
from privtopk.spec.model.errors import Reason
from support import refusal


class SourceWithColumns:
    """A user's source that also has columns."""

    size = 1
    columns = ("item", "score")

    def top(self, start: int, count: int) -> Page:
        """Return its only item."""
        return Page(np.array([0]), np.array([4]))

    def scores(self, items: Integers) -> Integers:
        """Return its only score."""
        return np.full(len(items), 4)

    def name(self, item: int) -> object:
        """Return its only name."""
        return "only"


class NamedArray:
    """An array with a method `name`, which does not make it a source."""

    def name(self) -> str:
        """Return its name."""
        return "votes"

    def __array__(self, dtype: object = None, copy: object = None) -> Numbers:
        return np.array([3, 5])


SOURCES = [
    ArrayScores([1]),
    IndexedScores([1]),
    SparseScores(3, {}),
    NamedScores({"fig": 1}, domain=["fig"]),
    SourceWithColumns(),
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_is_left_as_it_is(source: Source) -> None:
    """An object with both doors is read through them, even if it has other attributes."""
    assert source_or_store(source) is source


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "options", [{"domain": "public"}, {"domain": np.arange(3)}, {"item": "a"}, {"score": "b"}]
)
def test_a_source_has_its_own_domain(source: Source, options: dict[str, Any]) -> None:
    """A domain or columns for a source that has its own are refused."""
    assert refusal(lambda: source_or_store(source, **options)) == (
        Reason.WRONG_TYPE,
        "a source has its own domain and columns: leave out domain, item and score",
    )


def test_doors_may_be_attributes() -> None:
    """An object whose doors are plain functions is a source."""
    inner = SourceWithColumns()
    source = SimpleNamespace(size=1, top=inner.top, scores=inner.scores, name=inner.name)
    assert source_or_store(source) is source


def test_a_method_called_name_does_not_make_a_source() -> None:
    """An array with a method `name` is an array."""
    with view_of(source_or_store(NamedArray())) as source:
        assert (source.size, source.name(1)) == (2, 1)


@pytest.mark.parametrize("scores", [[3, 5], np.array([3, 5]), NamedArray()])
@pytest.mark.parametrize("domain", ["public", range(2), ["fig", "pear"], RangeDomain(0, 1)])
def test_an_array_has_no_domain(scores: object, domain: object) -> None:
    """The items of an array are its indices, so any domain is refused."""
    assert refusal(lambda: source_or_store(scores, domain)) == (
        Reason.WRONG_TYPE,
        "the items of an array are its indices 0, 1, ...: leave out domain, or pass a mapping "
        "from items to scores",
    )


@pytest.mark.parametrize("nothing", [[], np.array([])])
def test_an_empty_array_is_refused(nothing: object) -> None:
    """An array without scores has nothing to select from."""
    assert refusal(lambda: source_or_store(nothing)) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


def test_a_public_domain_without_items_is_refused() -> None:
    """If the items are those of the data, there must be data."""
    assert refusal(lambda: source_or_store({}, "public")) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )


def test_nothing_is_imported_for_arrays() -> None:
    """Neither narwhals nor a package of tables is imported before a table is passed."""
    program = (
        "import sys; from privtopk.impl import top_k; top_k([3, 5], 1, epsilon=1); "
        "print({'narwhals', 'pandas', 'polars', 'pyarrow', 'pyspark'} & set(sys.modules))"
    )
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "set()\n"


@pytest.mark.parametrize(("domain", "size"), [("public", 2), (["fig", "pear", "plum"], 3)])
def test_scores_are_not_looked_at_before_they_are_asked_for(domain: object, size: int) -> None:
    """The size of a domain is known before any score, right or wrong, is read."""
    assert source_or_store({"pear": -3, "fig": "many"}, domain).size == size
