"""The kept inputs of all fuzz targets, and a fixed number of changes of them, as ordinary tests."""

from pathlib import Path
from random import Random

import pytest

from fuzz.running import figures_of, fuzz
from fuzz.targets import CORPUS, TARGETS, Target, kept_inputs

FEW = {"csv_scores": 5, "csv_votes": 5, "select_arguments": 40, "sample_arguments": 40}
"""The number of changed inputs of slow targets; others have 300."""


@pytest.mark.parametrize(
    ("target", "path"),
    [pytest.param(target, path, id=f"{target.name}-{path.name}") for target, path in kept_inputs()],
)
def test_a_kept_input(target: Target, path: Path) -> None:
    """Every input of the corpus keeps the property of its target."""
    target.check(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs(name: str) -> None:
    """Inputs that differ from kept ones in up to three places keep the property."""
    target, random = TARGETS[name], Random(name)
    kept = [path.read_bytes() for path in sorted(target.corpus.iterdir())]
    for _ in range(FEW.get(name, 300)):
        data = random.choice(kept)
        for _ in range(random.randint(1, 3)):
            data = target.mutate(data, random)
        target.check(data)


def test_every_folder_belongs_to_a_target() -> None:
    """The corpus has one folder per target, and no input is larger than 8 KiB."""
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
    assert max(path.stat().st_size for _, path in kept_inputs()) <= 8192


def test_a_violation_is_reported() -> None:
    """If the engine ends with an error, the end of its output is the failure."""
    lines = ["#7\tNEW cov: 12 ft: 3\n", "AssertionError: a message is empty\n"]
    figures = figures_of("wire_message", lines, 77)
    assert (figures.coverage, figures.failure) == (12, "".join(lines))


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("name", TARGETS)
def test_a_part_of_the_campaign(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine finds no violation in a fiftieth of the cases of `make fuzz`."""
    pytest.importorskip("atheris")
    monkeypatch.chdir(tmp_path)
    cases = max(200, TARGETS[name].cases // 50)
    figures = fuzz(TARGETS[name], cases, lambda done: None)
    assert (figures.failure, figures.cases) == ("", cases)
