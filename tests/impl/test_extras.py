"""Packages that only an extra installs."""

from privtopk.impl.extras import import_extra
from privtopk.spec.model.errors import Reason
from support import refusal


def test_a_module_that_is_there() -> None:
    """A module is returned."""
    assert import_extra("json", "redis").dumps([1]) == "[1]"


def test_a_module_that_is_missing() -> None:
    """The error names the extra that installs it."""
    assert refusal(lambda: import_extra("no_such_module.part", "redis")) == (
        Reason.MISSING_PACKAGE,
        "no_such_module is not installed; pip install 'privtopk[redis]'",
    )
