"""Facts about the one error of the project."""

import pytest

from privtopk.spec.model.errors import Reason, SelectionError


def test_error_carries_its_reason() -> None:
    """An error has its reason and its text as separate values."""
    error = SelectionError(Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")
    assert (error.reason, str(error)) == (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms")


def test_error_is_a_value_error() -> None:
    """Code that does not know this project can catch the error as a ValueError."""
    with pytest.raises(ValueError, match=r"^k must be between 1 and m=5, got 7$"):
        raise SelectionError(Reason.K_OUT_OF_RANGE, "k must be between 1 and m=5, got 7")


def test_reasons_are_words_for_the_wire() -> None:
    """The value of a reason is its name in lower case with hyphens, and prints as that."""
    assert [str(reason) for reason in Reason] == [
        reason.name.lower().replace("_", "-") for reason in Reason
    ]


def test_reasons_are_distinct() -> None:
    """No reason is an alias of another."""
    assert len(Reason.__members__) == len({reason.value for reason in Reason})


def test_every_reason_can_be_read_back() -> None:
    """A reason can be read back from its text."""
    assert tuple(Reason(reason.value) for reason in Reason) == tuple(Reason)
