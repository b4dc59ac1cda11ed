"""Facts about the three source roots that share the name `privtopk`."""

import importlib
from pathlib import Path

import pytest

import privtopk

ROOTS = {
    name: Path(__file__).parents[1] / name / "privtopk" for name in ("spec", "impl", "conformance")
}
"""The folder of each root that contributes to the namespace."""


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_root_has_no_init(root: Path) -> None:
    """No root has an `__init__.py` beside its package, which would hide the other two roots."""
    assert not (root / "__init__.py").exists()


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_root_holds_its_package_only(root: Path) -> None:
    """Each root contributes one package, named like the root, and no loose module."""
    packages = [path.name for path in root.iterdir() if path.name != "__pycache__"]
    assert packages == [root.parent.name]


@pytest.mark.parametrize(("name", "root"), ROOTS.items())
def test_package_is_typed(name: str, root: Path) -> None:
    """Each package ships the empty file `py.typed`, which makes type checkers read it."""
    assert (root / name / "py.typed").read_bytes() == b""


@pytest.mark.parametrize(("name", "root"), ROOTS.items())
def test_package_is_imported_from_its_root(name: str, root: Path) -> None:
    """All three packages can be imported side by side, each from its own root."""
    package = importlib.import_module(f"privtopk.{name}")
    assert package.__file__ is not None
    assert Path(package.__file__).resolve() == (root / name / "__init__.py").resolve()


def test_namespace_has_no_file_of_its_own() -> None:
    """`privtopk` is a namespace package: it has a path over three roots and no file."""
    found = {Path(entry).resolve() for entry in privtopk.__path__}
    assert getattr(privtopk, "__file__", None) is None
    assert {root.resolve() for root in ROOTS.values()} <= found
