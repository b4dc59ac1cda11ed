"""Files that change during a selection: at every statement, in every way.

Each case is one selection in which a file is changed just before one of the statements. No
selection may return a result, and each error must say that the file was changed.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from duckdb_samples import csv_file, database, parquet_file
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.sources.duckdb.scores import DuckdbScores
from privtopk.impl.sources.duckdb.session import Session
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal

Pair: TypeAlias = Callable[[Path], tuple[Path, Path, str | None]]
Fault: TypeAlias = Callable[[Path, Path], None]
Tampered: TypeAlias = Callable[[int, Callable[[], object]], list[str]]

LEADER = "SELECT range AS item, CASE range WHEN {0} THEN 5000 ELSE 0 END AS score FROM range(1, 51)"
TABLE = "CREATE OR REPLACE TABLE votes AS " + LEADER


def replace(path: Path, other: Path) -> None:
    """Replace a file by another one."""
    os.replace(other, path)


def overwrite(path: Path, other: Path) -> None:
    """Overwrite a file with another file's content."""
    shutil.copyfile(other, path)


def forge(path: Path, other: Path) -> None:
    """Overwrite a file with another file's content, and restore its timestamp."""
    before = path.stat()
    overwrite(path, other)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def truncate(path: Path, other: Path) -> None:
    """Cut a file in half."""
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path, other: Path) -> None:
    """Make a file empty."""
    os.truncate(path, 0)


def delete(path: Path, other: Path) -> None:
    """Delete a file."""
    path.unlink()


def append(path: Path, other: Path) -> None:
    """Append to a file."""
    with path.open("ab") as file:
        file.write(b"7,9000\n")


FAULTS: list[Fault] = [replace, overwrite, forge, truncate, empty, delete, append]


def parquet_pair(folder: Path) -> tuple[Path, Path, None]:
    """Return two Parquet files with different leaders."""
    one = parquet_file(folder / "one.parquet", LEADER.format(3))
    return one, parquet_file(folder / "two.parquet", LEADER.format(4)), None


def csv_pair(folder: Path) -> tuple[Path, Path, None]:
    """Return two CSV files with different leaders."""
    one = csv_file(folder / "one.csv", "item,score", "3,5000", "4,0000")
    return one, csv_file(folder / "two.csv", "item,score", "3,0000", "4,5000"), None


def table_pair(folder: Path) -> tuple[Path, Path, str]:
    """Return two databases with different leaders."""
    one = database(folder, TABLE.format(3)).rename(folder / "one.duckdb")
    return one, database(folder, TABLE.format(4)).rename(folder / "two.duckdb"), "votes"


PAIRS: dict[Pair, int] = {parquet_pair: 8, csv_pair: 8, table_pair: 12}
"""The number of statements of a selection; the last one reads scores of items."""


@dataclass(frozen=True)
class Scene:
    """A file, its content, the content of another file, and the scores in it."""

    path: Path
    one: Path
    two: Path
    scores: DuckdbScores

    def selected(self) -> tuple[object, ...]:
        """Select through both doors, always with the same statements."""
        return top_k(self.scores, 1, epsilon=0.01, engine="rank-free", rng=1).items


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> dict[Pair, Scene]:
    """Each kind of file, written once."""
    return {pair: scene_of(pair, tmp_path_factory.mktemp("scene")) for pair in PAIRS}


def scene_of(pair: Pair, folder: Path) -> Scene:
    """Return scores in a file that will be tampered with."""
    one, two, table = pair(folder)
    path = Path(shutil.copy(one, folder / f"votes{one.suffix}"))
    return Scene(path, one, two, DuckdbScores(path, table, domain=RangeDomain(1, 50)))


@pytest.fixture
def tamper_before(monkeypatch: pytest.MonkeyPatch) -> Tampered:
    """Return a function that calls a fault just before one statement of a selection."""

    def before(number: int, action: Callable[[], object]) -> list[str]:
        seen: list[str] = []

        def watched(method: Callable[..., Any]) -> Callable[..., Any]:
            def called(self: Session, statement: str, parameters: Sequence[Any] = ()) -> Any:
                if len(seen) == number:
                    action()
                seen.append(statement)
                return method(self, statement, parameters)

            return called

        for name in ("run", "rows", "columns"):
            monkeypatch.setattr(Session, name, watched(getattr(Session, name)))
        return seen

    return before


@pytest.mark.parametrize("pair", PAIRS)
def test_a_selection_that_is_left_alone(
    scenes: dict[Pair, Scene], tamper_before: Tampered, pair: Pair
) -> None:
    """Without a fault the leader is found, and the number of statements is as expected."""
    scene = scenes[pair]
    shutil.copyfile(scene.one, scene.path)
    seen = tamper_before(-1, lambda: None)
    assert scene.selected() == (3,)
    assert len(seen) == PAIRS[pair]
    assert "FROM wanted" in seen[-1]


COARSE = (replace, delete)
"""These always run; the others, which take as long again, only in the long runs."""

CASES = [
    pytest.param(
        *(pair, fault, number), marks=pytest.mark.slow if fault in COARSE else pytest.mark.heavy
    )
    for pair, statements in PAIRS.items()
    for fault in FAULTS
    for number in range(statements)
]


@pytest.mark.parametrize(("pair", "fault", "number"), CASES)
def test_a_fault_at_every_statement(
    scenes: dict[Pair, Scene],
    tamper_before: Tampered,
    tmp_path: Path,
    record_faults: Callable[[str, int], None],
    pair: Pair,
    fault: Fault,
    number: int,
) -> None:
    """Whatever happens to the file at whatever statement, nothing is returned."""
    scene = scenes[pair]
    shutil.copyfile(scene.one, scene.path)
    other = Path(shutil.copy(scene.two, tmp_path))
    tamper_before(number, lambda: fault(scene.path, other))
    record_faults("DuckDB", 1)
    assert refusal(scene.selected) == (
        Reason.CHANGED_SOURCE,
        f"{scene.path} was changed while it was read",
    )
