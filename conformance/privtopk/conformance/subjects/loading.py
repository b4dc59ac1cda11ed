"""Addresses of subjects, `python:module:attribute` or `stdio:command`, and the objects there."""

import importlib
from functools import lru_cache
from operator import attrgetter
from typing import Final

from privtopk.conformance.subjects.calls import describe_error, error_text

PYTHON: Final = "python:"
STDIO: Final = "stdio:"


class AddressError(ValueError):
    """An address that leads to no subject: the caller's mistake, not the subject's."""


@lru_cache(maxsize=64)
def load(address: str) -> object:
    """Return the object at an address; a class of selectors is called without arguments."""
    module, name = parts_of(address)
    try:
        home = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise AddressError(f"{address}: cannot import {module}: {import_fault(error)}") from error
    try:
        found = attrgetter(name)(home)
    except AttributeError as error:
        raise AddressError(f"{address}: {module} has no attribute {name}") from error
    return instantiate(found, address)


def import_fault(error: BaseException) -> str:
    """Return why an import failed; a missing module needs no name of its exception."""
    return error_text(error) if isinstance(error, ImportError) else describe_error(error)


def command_of(address: str) -> str | None:
    """Return the command that an address names, or None if it names a Python object."""
    return address.removeprefix(STDIO).strip() if address.startswith(STDIO) else None


def parts_of(address: str) -> tuple[str, str]:
    """Return the module and the attribute that an address names."""
    module, separator, name = address.removeprefix(PYTHON).partition(":")
    if not (address.startswith(PYTHON) and module and separator and name):
        raise AddressError(
            f"a subject is given as python:module:attribute or stdio:command, got {address!r}"
        )
    return module, name


def instantiate(found: object, address: str) -> object:
    """Return a new object if a class of selectors was found, and anything else unchanged."""
    if isinstance(found, type) and (hasattr(found, "select") or hasattr(found, "sample")):
        try:
            return found()
        except (Exception, SystemExit) as error:
            raised = describe_error(error)
            raise AddressError(
                f"{address}: calling the class without arguments raised {raised}"
            ) from error
    return found
