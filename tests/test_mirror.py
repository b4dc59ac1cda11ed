"""Facts about the folders of tests: they mirror those of the sources."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPECIFICATION = ROOT / "spec" / "privtopk" / "spec"
PROVED = {"checks", "theorems", "bugs", "instruments"}
"""The folders of `proofs` whose modules are run by the gate, and so by its tests."""


@pytest.mark.parametrize("root", ["spec", "impl", "conformance"])
def test_folders_of_tests_are_folders_of_sources(root: str) -> None:
    """Every test stands in a folder that has the name and place of a folder of its root."""
    tests, sources = ROOT / "tests" / root, ROOT / root / "privtopk" / root
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    assert {folder for folder in folders if not (sources / folder).is_dir()} == set()


def test_every_module_of_the_specification_has_its_file_of_tests() -> None:
    """Outside the proofs, `folder/name.py` is tested by `folder/test_name.py`."""
    modules = {path.relative_to(SPECIFICATION) for path in SPECIFICATION.rglob("*.py")}
    expected = {
        module.with_name(f"test_{module.name}")
        for module in modules
        if module.name != "__init__.py" and not PROVED.intersection(module.parts)
    }
    tests = ROOT / "tests" / "spec"
    assert {path for path in expected if not (tests / path).is_file()} == set()
