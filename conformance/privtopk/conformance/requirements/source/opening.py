"""Opens a source for one use, and names the optional methods that a subject lacks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from privtopk.conformance.subjects.calls import AdapterError, Caller, DeclinedError, SubjectError
from privtopk.conformance.subjects.kinds import Abilities, Extra, close

CURES: Final = {
    Extra.NAME: "give its sources a method name(item), which returns a text or a whole number",
    Extra.NAMED: "give it a method named(names, histogram), which returns a source of these items",
    Extra.REWRITE: "give its sources a method rewrite(histogram), which stores other scores of the "
    "same items as another writer would",
}
"""What to do for a subject that lacks an optional method."""


def missing_extra(abilities: Abilities, *wanted: Extra) -> str | None:
    """Return the first optional method that a subject lacks and what to do, or None."""
    for extra in wanted:
        if extra not in abilities.extras:
            return (
                f"the subject does not offer {extra}: {CURES[extra]}, "
                f'and, if the subject is not a class, an attribute extras = ("{extra}",)'
            )
    return None


@contextmanager
def open_source(call: Caller, make: Callable[..., Any], *arguments: object) -> Iterator[Any]:
    """Yield a source and close it afterwards; of two errors the first is raised."""
    source = call(make, *arguments)
    try:
        yield source
    except BaseException:
        with suppress(SubjectError, DeclinedError, AdapterError):
            call(close, source)
        raise
    call(close, source)
