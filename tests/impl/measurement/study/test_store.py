"""Facts about finished cells on disk."""

import json
from pathlib import Path

import pytest

from privtopk.impl.measurement.study.store import CellStore, Finished, fingerprint_of
from support_evaluation import DrawnCell

KEPT = Finished([{"place": 1, "number": 0.1}], "2026-01-02")


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """A saved cell is loaded unchanged, also by another store on the same folder."""
    CellStore(tmp_path).save(DrawnCell(1), KEPT)
    assert CellStore(tmp_path).load(DrawnCell(1)) == KEPT
    assert CellStore(tmp_path).load(DrawnCell(2)) is None


def test_nothing_is_left_half_written(tmp_path: Path) -> None:
    """Saving writes one file, and a truncated file is not a finished cell."""
    store = CellStore(tmp_path)
    store.save(DrawnCell(1), KEPT)
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text()[:20])
    assert store.load(DrawnCell(1)) is None


@pytest.mark.parametrize("key", ["name", "fingerprint"])
def test_another_version_is_not_mixed_in(tmp_path: Path, key: str) -> None:
    """A cell of other code, and another cell, are not finished."""
    store = CellStore(tmp_path)
    store.save(DrawnCell(1), KEPT)
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), key: "other"}))
    assert store.load(DrawnCell(1)) is None


def test_what_was_absent_is_tried_again(tmp_path: Path) -> None:
    """A cell with an absent database is not saved: it is tried again."""
    store = CellStore(tmp_path)
    store.save(DrawnCell(1), Finished([{"absent": "no server"}], "2026-01-02"))
    assert store.load(DrawnCell(1)) is None


def test_the_fingerprint_is_that_of_the_measuring_code(tmp_path: Path) -> None:
    """A change of an engine changes the fingerprint, a change of a figure does not."""
    (tmp_path / "measurement" / "study" / "figures").mkdir(parents=True)
    before = fingerprint_of([tmp_path])
    (tmp_path / "measurement" / "study" / "figures" / "style.py").write_text("1")
    assert fingerprint_of([tmp_path]) == before
    (tmp_path / "engine.py").write_text("1")
    assert fingerprint_of([tmp_path]) != before
