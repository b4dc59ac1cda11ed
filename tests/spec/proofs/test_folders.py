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
    """Each file of theorems and of bugs has the path of a module or Coq file that it is about."""
    files = {path.relative_to(SPECIFICATION) for path in SPECIFICATION.rglob("*.[pv]*")}
    known = {file.with_suffix("").as_posix() for file in files if file.suffix in (".py", ".v")}
    assert set(topics(package)) - known == set()


def test_every_coq_file_has_a_seeded_bug() -> None:
    """Each Coq file has a wrong constant or definition that Coq must reject."""
    files = {f"proofs/coq/{path.stem}" for path in (SPECIFICATION / "proofs" / "coq").glob("*.v")}
    assert files - set(topics("bugs")) == set()


def test_a_topic_of_checks_lies_in_a_folder_of_the_specification() -> None:
    """Checks are grouped by topic, in the folder of the specification that they are about."""
    folders = {topic.rpartition("/")[0] for topic in topics("checks")}
    assert {folder for folder in folders if not (SPECIFICATION / folder).is_dir()} == set()
    assert "" not in folders
