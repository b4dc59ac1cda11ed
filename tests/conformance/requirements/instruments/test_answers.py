"""Facts about what counts as an answer: k different items of the domain, in a sequence."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import pytest

from privtopk.conformance.evidence.trial import ViolationError
from privtopk.conformance.requirements.instruments.answers import checked_items


class Unreadable(Sequence[int]):
    """A sequence that cannot be read."""

    def __len__(self) -> int:
        return 2

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        """Refuse."""
        raise RuntimeError("no entry")


class Endless(Unreadable):
    """A sequence that has no end."""

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        """Return an item for every index."""
        return 1 if isinstance(index, int) else [1]


@pytest.mark.parametrize("answer", [[3, 1], (3, 1), [np.int64(3), np.uint8(1)], range(3, 0, -2)])
def test_items_keep_their_order(answer: object) -> None:
    """Any sequence of integers is an answer, and comes back as plain integers in its order."""
    items = checked_items(answer, 2, 3)
    assert items == (3, 1)
    assert {type(item) for item in items} == {int}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "must return a sequence of items, got NoneType"),
        ("31", "must return a sequence of items, got str"),
        (b"\x01\x02", "must return a sequence of items, got bytes"),
        ({1, 3}, "must return a sequence of items, got set"),
        (iter([1, 3]), "must return a sequence of items, got list_iterator"),
        ([], "must return k=2 items, got 0 (m=3)"),
        ([1], "must return k=2 items, got 1 (m=3)"),
        ([1, 2, 3], "must return k=2 items, got 3 (m=3)"),
        ([2, 2], "must return different items, got 2, 2"),
        ([0, 1], "items must lie between 1 and m=3, got 0"),
        ([1, 4], "items must lie between 1 and m=3, got 4"),
        ([1, -1], "items must lie between 1 and m=3, got -1"),
        ([1.0, 2.0], "items must be integers, got float"),
        ([True, 2], "items must be integers, got bool"),
        (["1", 2], "items must be integers, got str"),
        ([None, 2], "items must be integers, got NoneType"),
        (
            [np.array(1.5), 2],
            "items must be integers, got ndarray: TypeError: only integer scalar arrays can be "
            "converted to a scalar index",
        ),
        (Unreadable(), "the answer cannot be read: RuntimeError: no entry"),
        (Endless(), "the length of the answer is 2, and it has 3 items"),
    ],
)
def test_nonsense_is_reported(answer: object, message: str) -> None:
    """An answer that is not k different items of the domain is a breach, and never our error."""
    with pytest.raises(ViolationError) as caught:
        checked_items(answer, 2, 3)
    assert str(caught.value) == message


def test_many_items_are_not_all_shown() -> None:
    """A message shows only the beginning of a long answer."""
    answer: list[Any] = [*range(1, 12), 1]
    with pytest.raises(ViolationError) as caught:
        checked_items(answer, 12, 12)
    assert (
        str(caught.value) == "must return different items, got 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ..."
    )
