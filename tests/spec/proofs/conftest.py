"""Small modules of theorems and checks, written for one test each."""

import importlib
import itertools
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

NUMBERS = itertools.count(1)

Writer = Callable[..., ModuleType]


@pytest.fixture
def write_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """Return a function that writes a module, or modules of a package, and imports it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(source: str = "", **modules: str) -> ModuleType:
        name = f"written_{next(NUMBERS)}"
        if modules:
            (tmp_path / name).mkdir()
            (tmp_path / name / "__init__.py").write_text("")
            for module, text in modules.items():
                (tmp_path / name / f"{module}.py").write_text(textwrap.dedent(text))
        else:
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return write
