"""Imports packages that an extra installs; a missing one is reported with the extra's name."""

import importlib
from typing import Any

from privtopk.conformance.subjects.calls import AdapterError


def installation_advice(error: ModuleNotFoundError, extra: str) -> str:
    """Return which extra installs a missing package; a missing module of our own is a bug."""
    if (error.name or "").startswith("privtopk"):
        raise error
    return f"{error}; pip install 'privtopk[{extra}]'"


def import_extra(module: str, extra: str) -> Any:
    """Return a module that an extra installs, or raise an error that names the extra."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise AdapterError(installation_advice(error, extra)) from error
