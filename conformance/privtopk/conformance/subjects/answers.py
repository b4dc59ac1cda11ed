"""Turns what a Python subject returns into plain numbers, or says what is wrong with its form.

A subject can return anything: objects that lie about their length, compare as they like or never
end. Its own process reads them, within the time limit of the call, and only plain numbers leave it.
"""

import operator
from collections.abc import Sequence
from itertools import islice
from typing import Any

from privtopk.conformance.subjects.calls import AnswerError, describe_error
from privtopk.conformance.subjects.kinds import plain_name


def plain_items(answer: Any, k: object) -> list[int]:
    """Return the items of a selection; an answer that is longer than k is not read to its end."""
    if isinstance(answer, str | bytes) or not isinstance(answer, Sequence):
        raise AnswerError(f"must return a sequence of items, got {type(answer).__name__}")
    wanted = k if isinstance(k, int) and k > 0 else 0
    try:
        count, entries = len(answer), list(islice(answer, wanted + 1))
    except Exception as error:
        raise AnswerError(f"the answer cannot be read: {describe_error(error)}") from error
    if count > wanted + 1:
        raise AnswerError(f"must return k={k} items, got {count}")
    if count != len(entries):
        raise AnswerError(f"the length of the answer is {count}, and it has {len(entries)} items")
    return [plain_item(entry) for entry in entries]


def plain_item(entry: Any) -> int:
    """Return an item as a plain integer."""
    if isinstance(entry, bool) or not hasattr(entry, "__index__"):
        raise AnswerError(f"items must be integers, got {type(entry).__name__}")
    try:
        return operator.index(entry)
    except Exception as error:
        name = type(entry).__name__
        raise AnswerError(f"items must be integers, got {name}: {describe_error(error)}") from error


def plain_number(value: Any) -> float:
    """Return a noise as a plain float, which may be infinite or no number."""
    if isinstance(value, bool | str | bytes) or not hasattr(value, "__float__"):
        raise AnswerError(f"noise must be a number, got {type(value).__name__}")
    return float(value)


def plain_entry(entry: Any) -> tuple[int, float]:
    """Return an item and its noise."""
    if not isinstance(entry, tuple) or len(entry) != 2:
        raise AnswerError("sorted access must return an item and its noise")
    return plain_item(entry[0]), plain_number(entry[1])


def plain_noises(answer: Any, n: int) -> list[float]:
    """Return n noises, given as any sequence of numbers or as an array of NumPy."""
    is_array = hasattr(answer, "__array__") and hasattr(answer, "tolist")
    if isinstance(answer, str | bytes) or not (isinstance(answer, Sequence) or is_array):
        raise AnswerError(f"must return a sequence, got {type(answer).__name__}")
    if len(answer) != n:
        raise AnswerError(f"must return n={n} values, got {len(answer)}")
    values = list(answer.tolist() if is_array else answer)
    if {*map(type, values)} <= {float}:
        return values
    return [plain_number(value) for value in values]


def plain_key(answer: Any) -> int | None:
    """Return a key of an index, or None."""
    if answer is None:
        return None
    if isinstance(answer, bool) or not hasattr(answer, "__index__"):
        raise AnswerError(f"must return a key or None, got {type(answer).__name__}")
    return operator.index(answer)


def plain_wholes(answer: Any) -> list[int]:
    """Return scores, or an item with its score, as plain integers."""
    parts = list(answer)
    try:
        return [operator.index(part) for part in parts]
    except TypeError as error:
        raise AnswerError(f"an answer must consist of whole numbers: {error}") from error


def plain_page(answer: Any) -> list[list[int]]:
    """Return a page of a source."""
    page = [plain_wholes(entry) for entry in answer]
    if any(len(entry) != 2 for entry in page):
        raise AnswerError("an entry must be an item and its score")
    return page


def plain_label(name: Any) -> str | int:
    """Return the name of an item: a text or a whole number."""
    try:
        return plain_name(name)
    except TypeError:
        raise AnswerError(
            f"a name must be a text or a whole number, got {type(name).__name__}"
        ) from None
