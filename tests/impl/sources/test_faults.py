"""Facts about the messages of errors outside of the project."""

import pytest

from privtopk.impl.sources.faults import unknown_column_error, unreachable_error
from privtopk.spec.model.errors import Reason, SelectionError


@pytest.mark.parametrize(
    ("error", "said"), [(OSError("gone\nat line 3"), "gone"), (OSError(), "OSError()")]
)
def test_a_source_that_cannot_be_read(error: OSError, said: str) -> None:
    """The message has the first line of the driver's message."""
    refused = unreachable_error("votes.db", error)
    assert (refused.reason, str(refused)) == (
        Reason.UNREACHABLE_SOURCE,
        f"votes.db cannot be read: {said}",
    )


def test_a_column_that_is_not_there() -> None:
    """The message lists the columns that exist."""
    refused: SelectionError = unknown_column_error("votes", "n", ("item", "score"))
    assert str(refused) == "table 'votes' has no column 'n'; it has 'item', 'score'"
