"""Calls that the specification must refuse."""

from collections.abc import Callable

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.proofs.gate.registry import expect


def expect_refused(call: Callable[[], object], reason: Reason, where: str) -> None:
    """Fail unless the call raises a `SelectionError` with this reason."""
    try:
        found = call()
    except SelectionError as error:
        expect(error.reason is reason, f"{where}: {error}")
    else:
        expect(False, f"{where}: returned {found} instead of {reason}")
