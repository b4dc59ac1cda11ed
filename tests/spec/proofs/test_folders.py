"""The folders of the proofs mirror those of the specification."""

from pathlib import Path

import pytest

from privtopk.spec import proofs
from privtopk.spec.proofs.gate.registry import PROOFS, modules_of

SPECIFICATION = Path(proofs.__file__).parents[1]


def topics(package: str) -> list[str]:
    """Return folder and file of every module of a package, for example `model/access`."""
    start = len(f"{PROOFS}{package}.")
    return [module.__name__[start:].replace(".", "/") for module in modules_of(PROOFS + package)]


@pytest.mark.parametrize("package", ["theorems", "bugs"])
def test_a_file_is_named_for_its_module(package: str) -> None:
    """Each file of theorems and of bugs has the path of a module of the specification."""
    astray = [topic for topic in topics(package) if not (SPECIFICATION / f"{topic}.py").is_file()]
    assert astray == []


def test_a_topic_of_checks_lies_in_a_folder_of_the_specification() -> None:
    """Checks are grouped by topic, in the folder of the specification that they are about."""
    folders = {topic.rpartition("/")[0] for topic in topics("checks")}
    assert {folder for folder in folders if not (SPECIFICATION / folder).is_dir()} == set()
    assert "" not in folders
