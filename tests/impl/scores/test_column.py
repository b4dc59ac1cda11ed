"""Facts about lists of scores and of items from callers: what is taken, what is refused."""

from collections.abc import Callable, Hashable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from privtopk.impl.scores.column import distinct_items, is_missing, score_list, whole_scores
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal

KINDS = ("int8", "uint8", "int32", "uint32", "int64", "uint64", "float32", "float64", "object")
LISTS: tuple[Callable[[ArrayLike], object], ...] = (score_list, whole_scores)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_kind_become_integers(kind: str) -> None:
    """Counts of any numeric type become the same 64-bit integers."""
    scores = whole_scores(np.array([3, 0, 100], dtype=kind))
    assert (scores.tolist(), scores.dtype) == ([3, 0, 100], np.dtype(np.int64))


@given(scores=st.lists(st.integers(0, 2**53), min_size=1))
def test_python_integers_are_kept(scores: list[int]) -> None:
    """A list of Python integers up to 2^53 is accepted unchanged."""
    assert whole_scores(scores).tolist() == scores


def test_an_array_of_integers_is_not_copied() -> None:
    """A scan of an array of 64-bit integers needs no second array."""
    scores = np.array([3, 1, 2])
    assert whole_scores(scores) is scores


def test_the_largest_score() -> None:
    """2^53 is a score, as an integer and as a float."""
    assert [whole_scores([2**53]).tolist(), whole_scores([2.0**53]).tolist()] == [[2**53], [2**53]]


@pytest.mark.parametrize("as_list", LISTS)
@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([[1, 2], [3, 4]], "2 dimensions of int64"),
        (7, "0 dimensions of int64"),
        ("abc", "0 dimensions of <U3"),
        (["a", "b"], "1 dimensions of <U1"),
        ([True, False], "1 dimensions of bool"),
        ([1j], "1 dimensions of complex128"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "1 dimensions of datetime64[D]"),
        (None, "0 dimensions of object"),
        ({1, 2}, "0 dimensions of object"),
    ],
)
def test_what_is_not_a_list_of_numbers_is_refused(
    as_list: Callable[[ArrayLike], object], scores: ArrayLike, found: str
) -> None:
    """Scores are one list of numbers; booleans, dates and text are not numbers."""
    assert refusal(lambda: as_list(scores)) == (
        Reason.WRONG_TYPE,
        f"scores must be one list of numbers, got {found}",
    )


@pytest.mark.parametrize("as_list", LISTS)
def test_lists_of_different_lengths_are_refused(as_list: Callable[[ArrayLike], object]) -> None:
    """A table with rows of different lengths is refused, with numpy's error as the cause."""
    with pytest.raises(SelectionError, match=r"^scores must be one list of numbers$") as caught:
        as_list([[1, 2], [3]])
    assert (caught.value.reason, type(caught.value.__cause__)) == (Reason.WRONG_TYPE, ValueError)


@pytest.mark.parametrize("as_list", LISTS)
def test_masked_scores_are_refused(as_list: Callable[[ArrayLike], object]) -> None:
    """A masked score is missing, for every number below the mask."""
    masked = np.ma.array([1, 2], mask=[False, True])
    assert refusal(lambda: as_list(masked)) == (Reason.WRONG_TYPE, "no score may be missing")


def test_a_mask_that_hides_nothing_is_taken() -> None:
    """A masked array without a masked score is accepted."""
    assert whole_scores(np.ma.array([1, 2], mask=[False, False])).tolist() == [1, 2]


@pytest.mark.parametrize("as_list", LISTS)
def test_no_scores_are_refused(as_list: Callable[[ArrayLike], object]) -> None:
    """An empty list has nothing to select from."""
    assert refusal(lambda: as_list([])) == (Reason.EMPTY_DOMAIN, "m must be at least 1, got 0")


@pytest.mark.parametrize(
    "score",
    [0.5, float("nan"), float("inf"), -float("inf"), None, "7", Fraction(1, 2)],
)
def test_a_score_that_is_no_count_is_refused(score: object) -> None:
    """A fraction, NaN, infinity, a missing value or text among the scores is refused."""
    scores = np.array([1, score], dtype=None if isinstance(score, float) else object)
    assert refusal(lambda: whole_scores(scores)) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
    )


@pytest.mark.parametrize("score", [-1, -1.0, -(2**70)])
def test_a_negative_score_is_refused(score: "int | float") -> None:
    """A negative score is refused, and the message does not say which one it is."""
    assert refusal(lambda: whole_scores([5, score])) == (
        Reason.NEGATIVE_SCORE,
        "no score may be negative",
    )


@pytest.mark.parametrize("score", [2**53 + 1, 2**63, 2**64, 2**70, 2.0**54, 1e300])
def test_a_score_beyond_exact_doubles_is_refused(score: "int | float") -> None:
    """A score above 2^53 is refused, also where it exceeds 64 bits."""
    assert refusal(lambda: whole_scores([score, 2])) == (
        Reason.SCORE_OUT_OF_RANGE,
        "no score may exceed 2^53 = 9007199254740992",
    )


def test_values_are_not_looked_at_first() -> None:
    """The shape of a list is found without reading its values."""
    assert score_list([-1.5, 1e300]).tolist() == [-1.5, 1e300]


def test_large_integers_beside_floats_are_not_rounded() -> None:
    """In a list with a float, 2^53 + 1 is refused and does not become 2^53."""
    assert refusal(lambda: whole_scores([2**53 + 1, 3.0])) == (
        Reason.SCORE_OUT_OF_RANGE,
        "no score may exceed 2^53 = 9007199254740992",
    )
    assert whole_scores([2**53 - 1, 3.0]).tolist() == [2**53 - 1, 3]


@pytest.mark.parametrize(
    "items", [["b", "a"], ("b", "a"), np.array(["b", "a"]), {"b": 1, "a": 2}.keys()]
)
def test_different_items_are_taken(items: object) -> None:
    """Distinct items become a list of Python values, in their order."""
    taken = distinct_items(items)
    assert (taken, {type(item) for item in taken}) == (["b", "a"], {str})


def test_items_may_have_any_type() -> None:
    """Numbers, texts, dates and tuples may be mixed."""
    items = [3, 2.5, "fig", date(2024, 1, 1), ("a", 1), True]
    assert distinct_items(items) == items


@pytest.mark.parametrize(
    ("items", "different"),
    [(("a", "b", "a"), 2), ([1, True, 1.0], 1), ([date(2024, 1, 1), date(2024, 1, 1), 0], 2)],
)
def test_equal_items_are_refused(items: Sequence[Hashable], different: int) -> None:
    """Two equal items are refused, also if their types differ."""
    assert refusal(lambda: distinct_items(items)) == (
        Reason.DUPLICATE_ITEM,
        f"items must be distinct, got 3 items of which {different} differ",
    )


def test_mutable_items_are_refused() -> None:
    """An item must be hashable."""
    assert refusal(lambda: distinct_items([["a"], ["b"]])) == (
        Reason.WRONG_TYPE,
        "every item must be hashable, such as a number, a text, a date or a tuple of these",
    )


MISSING = [
    None,
    float("nan"),
    np.float32("nan"),
    np.datetime64("NaT"),
    Decimal("NaN"),
    Decimal("sNaN"),
    ("a", None),
    ("a", ("b", float("nan"))),
    frozenset({None}),
]


@pytest.mark.parametrize("item", MISSING, ids=repr)
def test_missing_items_are_refused(item: Hashable) -> None:
    """None, NaN and NaT are no names, also within tuples."""
    assert refusal(lambda: distinct_items(["fig", item])) == (
        Reason.UNKNOWN_ITEM,
        "no item may be missing: None, NaN or NaT",
    )


@pytest.mark.parametrize("item", ["", 0, float("inf"), "nan", "None", (), b"", False])
def test_unusual_items_are_not_missing(item: Hashable) -> None:
    """An empty text, zero and infinity are names."""
    assert not is_missing(item)
