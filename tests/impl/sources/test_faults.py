"""Facts about the messages of errors outside of the project."""

from contextlib import nullcontext

import pytest

from privtopk.impl.sources.faults import (
    first_line,
    replace_errors,
    unknown_column_error,
    unreachable_error,
)
from privtopk.spec.model.errors import Reason, SelectionError
from support import shown_by


@pytest.mark.parametrize(
    ("error", "words"), [(OSError("gone\nat line 3"), "gone"), (OSError(), "OSError")]
)
def test_a_message_has_one_line(error: OSError, words: str) -> None:
    """Only the first line of a driver's message is repeated, or else the type of the error."""
    assert first_line(error) == words


def test_a_source_that_cannot_be_read() -> None:
    """The message names the place."""
    refused = unreachable_error("votes.db", "gone")
    assert (refused.reason, str(refused)) == (
        Reason.UNREACHABLE_SOURCE,
        "votes.db cannot be read: gone",
    )


WORD = "s3cr" + "et"
"""Built from pieces, because a traceback quotes the lines of this file."""


def leave_with_an_error() -> None:
    """Leave two contexts with an exception that has a secret in its own context."""
    wrong = SelectionError(Reason.FAULTY_SOURCE, "wrong")
    with replace_errors((OSError,), lambda error: wrong), nullcontext():
        try:
            int(WORD)
        except ValueError as error:
            raise OSError(WORD) from error


def test_an_error_of_a_driver_is_replaced_and_forgotten() -> None:
    """The new error has no reference to the old one: neither as its cause nor as its context."""
    with pytest.raises(SelectionError) as caught:
        leave_with_an_error()
    assert caught.value.__cause__ is caught.value.__context__ is None
    assert WORD not in shown_by(caught.value)


def test_our_own_errors_are_not_replaced() -> None:
    """An error of a selection passes, although it is a ValueError."""
    ours = SelectionError(Reason.NEGATIVE_SCORE, "ours")
    wrong = SelectionError(Reason.FAULTY_SOURCE, "wrong")
    with pytest.raises(SelectionError) as caught, replace_errors((ValueError,), lambda _: wrong):
        raise ours
    assert caught.value is ours


def test_a_column_that_is_not_there() -> None:
    """The message lists the columns that exist."""
    refused: SelectionError = unknown_column_error("votes", "n", ("item", "score"))
    assert str(refused) == "table 'votes' has no column 'n'; it has 'item', 'score'"
