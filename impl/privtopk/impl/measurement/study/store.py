"""Finished cells on disk, so that an interrupted study continues where it stopped.

A cell is written completely or not at all. It has a fingerprint of the code that measured it. A
cell of another version is measured again: versions are never mixed.
"""

import hashlib
import json
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

import privtopk.impl
import privtopk.spec
from privtopk.impl.measurement.rows import Row
from privtopk.impl.measurement.study.cell import Cell
from privtopk.spec.console.whole_files import whole_file

IMPLEMENTATION = Path(privtopk.impl.__file__).parent
SPECIFICATION = Path(privtopk.spec.__file__).parent

PRESENTATION = (
    "commands/",
    "console/",
    "measurement/progress",
    *(f"measurement/study/{name}" for name in ("figures/", "page/", "checks", "laws", "tables")),
)
"""Modules that check, show and write measurements: a change in them changes no measurement."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The rows of a cell and the day on which it was measured."""

    rows: list[Row]
    day: str


class CellStore:
    """A folder of finished cells."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is created when the first cell is saved."""
        self._folder = folder

    def load(self, cell: Cell) -> Finished | None:
        """Return the cell if this version has finished it, else None."""
        try:
            kept = json.loads(self._path(cell).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        if (kept["name"], kept["fingerprint"]) != (cell.name, self.fingerprint):
            return None
        return Finished(kept["rows"], kept["day"])

    def save(self, cell: Cell, finished: Finished) -> None:
        """Save a finished cell, unless its database was absent: it is tried again next time."""
        if any(row.get("absent") for row in finished.rows):
            return
        path = self._path(cell)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {
            "name": cell.name,
            "fingerprint": self.fingerprint,
            "day": finished.day,
            "rows": finished.rows,
        }
        with whole_file(path) as unfinished:
            unfinished.write_text(json.dumps(kept, indent=1), encoding="utf-8")

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the code that measures and of the versions of Python and numpy."""
        return fingerprint_of((IMPLEMENTATION, SPECIFICATION))

    def _path(self, cell: Cell) -> Path:
        return self._folder / f"{re.sub(r'[^A-Za-z0-9.-]', '_', cell.name)}.json"


def fingerprint_of(roots: Iterable[Path]) -> str:
    """Return a digest of all modules in the roots that can change a measurement."""
    digest = hashlib.sha256(f"{platform.python_version()} {np.__version__}".encode())
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            place = path.relative_to(root).as_posix()
            if not place.startswith(PRESENTATION) and not place.startswith("proofs/"):
                digest.update(place.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
