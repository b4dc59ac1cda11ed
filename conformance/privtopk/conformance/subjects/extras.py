"""What to install when an extra is missing, in one line that names it."""

import importlib
from typing import Any

from privtopk.conformance.subjects.calls import AdapterError


def installation_advice(error: ModuleNotFoundError, extra: str) -> str:
    """Return which extra brings a missing package; a missing module of our own is a bug."""
    if (error.name or "").startswith("privtopk"):
        raise error
    return f"{error}; pip install 'privtopk[{extra}]'"


def import_extra(module: str, extra: str) -> Any:
    """Return a module that only an extra installs, or say which one."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise AdapterError(installation_advice(error, extra)) from error
