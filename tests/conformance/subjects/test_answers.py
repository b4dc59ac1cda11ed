"""Facts about the form of answers: only plain values leave a subject's process."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from privtopk.conformance.subjects.answers import (
    plain_entry,
    plain_items,
    plain_key,
    plain_label,
    plain_noises,
    plain_number,
    plain_page,
    plain_wholes,
)
from privtopk.conformance.subjects.calls import AnswerError


class Loud(int):
    """A number with opinions."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("do not compare me")

    __hash__ = int.__hash__


class Negative(list[int]):
    """A list with a negative length."""

    def __len__(self) -> int:
        return -1


def test_items_become_plain() -> None:
    """Integers of any type become plain ones, in their order."""
    found = plain_items([np.int64(2), Loud(1)], 2)
    assert found == [2, 1]
    assert [type(item) for item in plain_items((np.int64(2),), 1)] == [int]


def test_an_answer_is_read_one_item_beyond_k() -> None:
    """An answer with one item too many is sent, so that the judge can say what was returned."""
    assert plain_items([1, 2, 3], 2) == [1, 2, 3]
    assert plain_items([1], 2) == [1]


@pytest.mark.parametrize("k", [-1, 0, 1.5, math.nan])
def test_an_answer_to_an_invalid_question_is_sent(k: object) -> None:
    """Whatever k is, a selection of one item or none can be sent."""
    assert plain_items([1], k) == [1]
    assert plain_items([], k) == []


@pytest.mark.parametrize(
    ("convert", "answer", "message"),
    [
        (lambda a: plain_items(a, 1), "1", "must return a sequence of items, got str"),
        (lambda a: plain_items(a, 1), None, "must return a sequence of items, got NoneType"),
        (lambda a: plain_items(a, 1), [1.0], "items must be integers, got float"),
        (lambda a: plain_items(a, 1), [True], "items must be integers, got bool"),
        (lambda a: plain_items(a, 1), [1] * 9, "must return k=1 items, got 9"),
        (
            lambda a: plain_items(a, 1),
            Negative([1]),
            "the answer cannot be read: ValueError: __len__() should return >= 0",
        ),
        (plain_number, "1.5", "noise must be a number, got str"),
        (plain_number, True, "noise must be a number, got bool"),
        (plain_entry, [1, 2.0], "sorted access must return an item and its noise"),
        (plain_entry, ("1", 2.0), "items must be integers, got str"),
        (lambda a: plain_noises(a, 1), iter([1.0]), "must return a sequence, got list_iterator"),
        (lambda a: plain_noises(a, 2), [1.0], "must return n=2 values, got 1"),
        (lambda a: plain_noises(a, 1), ["1"], "noise must be a number, got str"),
        (lambda a: plain_noises(a, 1), np.array([[1.0]]), "noise must be a number, got list"),
        (plain_key, 1.0, "must return a key or None, got float"),
        (
            plain_wholes,
            [2.5],
            "an answer must consist of whole numbers: "
            "'float' object cannot be interpreted as an integer",
        ),
        (plain_page, [(1, 2, 3)], "an entry must be an item and its score"),
        (plain_label, b"x", "a name must be a text or a whole number, got bytes"),
    ],
)
def test_what_has_no_plain_form_is_refused(
    convert: Callable[[Any], object], answer: object, message: str
) -> None:
    """The error says what was returned, and what must be."""
    with pytest.raises(AnswerError) as caught:
        convert(answer)
    assert str(caught.value) == message


def test_noises_become_plain() -> None:
    """Arrays, integers and floats of any type become plain floats; infinities are kept."""
    assert plain_noises(np.array([1.5, 2.5]), 2) == [1.5, 2.5]
    assert plain_noises([1, np.float32(0.5), math.inf], 3) == [1.0, 0.5, math.inf]
    assert {type(value) for value in plain_noises([1, np.float32(0.5)], 2)} == {float}
