"""What is said when something is missing or goes wrong outside."""

import pytest

from privtopk.impl.sources.faults import imported, unknown_column, unreachable
from privtopk.spec.errors import Reason, SelectionError
from support import refusal


def test_a_module_that_is_there() -> None:
    """A module is returned."""
    assert imported("json", "redis").dumps([1]) == "[1]"


def test_a_module_that_is_missing() -> None:
    """The error names what installs it."""
    assert refusal(lambda: imported("no_such_module.part", "redis")) == (
        Reason.MISSING_PACKAGE,
        "no_such_module is not installed; pip install 'privtopk[redis]'",
    )


@pytest.mark.parametrize(
    ("error", "said"), [(OSError("gone\nat line 3"), "gone"), (OSError(), "OSError()")]
)
def test_a_source_that_cannot_be_read(error: OSError, said: str) -> None:
    """The first line of what a driver says is told."""
    refused = unreachable("votes.db", error)
    assert (refused.reason, str(refused)) == (
        Reason.UNREACHABLE_SOURCE,
        f"votes.db cannot be read: {said}",
    )


def test_a_column_that_is_not_there() -> None:
    """The columns that are there are named."""
    refused: SelectionError = unknown_column("votes", "n", ("item", "score"))
    assert str(refused) == "table 'votes' has no column 'n'; it has 'item', 'score'"
