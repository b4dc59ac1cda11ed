"""Imports of packages that only an extra installs."""

import importlib
from typing import Any

from privtopk.spec.model.errors import Reason, SelectionError


def import_extra(module: str, extra: str) -> Any:
    """Return a module, or raise an error that names the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise SelectionError(
            Reason.MISSING_PACKAGE,
            f"{error.name} is not installed; pip install 'privtopk[{extra}]'",
        ) from error
