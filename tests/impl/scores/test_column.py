"""Facts about lists of scores from callers: what is accepted, and how the rest is refused."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from privtopk.impl.scores.column import names_of, score_list, whole_scores
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal

KINDS = ("int8", "uint8", "int32", "uint32", "int64", "uint64", "float32", "float64", "object")
LISTS: tuple[Callable[[ArrayLike], object], ...] = (score_list, whole_scores)


class UniqueIndex(tuple[int, ...]):
    """Names that know that they differ, and cannot be put into a set."""

    is_unique = True
    __iter__ = None  # type: ignore[assignment]


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


@pytest.mark.parametrize("other", [3.0, np.float32(3), np.float64(0)])
@pytest.mark.parametrize("score", [2**53 + 1, np.int64(2**53 + 1), 2**64])
def test_a_float_beside_it_rounds_no_score(score: int, other: float) -> None:
    """Among floats an integer above 2^53 is refused, and 2^53 itself is taken."""
    assert refusal(lambda: whole_scores([score, other])) == (
        Reason.SCORE_OUT_OF_RANGE,
        "no score may exceed 2^53 = 9007199254740992",
    )
    assert whole_scores([2**53, other]).tolist() == [2**53, int(other)]


def test_fractions_beside_large_integers_are_refused() -> None:
    """Among large integers a float must be whole."""
    assert refusal(lambda: whole_scores([2**53, 0.5])) == (
        Reason.WRONG_TYPE,
        "every score must be a whole number",
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


@pytest.mark.parametrize("names", [("a", "b"), [1, "b"], np.array(["a", "b"])])
def test_different_names_are_taken(names: Sequence[Hashable]) -> None:
    """Names of any hashable type are accepted unchanged."""
    assert names_of(names, 2) is names


def test_an_index_that_knows_itself_is_believed() -> None:
    """Names that know that they differ are not compared."""
    names = UniqueIndex((1, 2))
    assert names_of(names, 2) is names


@pytest.mark.parametrize("names", [("a",), ("a", "b", "c")])
def test_one_name_for_each_item(names: Sequence[Hashable]) -> None:
    """There must be one name per item."""
    assert refusal(lambda: names_of(names, 2)) == (
        Reason.DIFFERENT_DOMAINS,
        f"there must be one name for each of the m=2 items, got {len(names)}",
    )


def test_equal_names_are_refused() -> None:
    """Two items with the same name are refused."""
    assert refusal(lambda: names_of(("a", "b", "a"), 3)) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 3 items of which 2 differ",
    )
