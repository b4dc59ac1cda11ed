"""Files of users: domains and CSV files with any bytes."""

import csv
import io
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from fuzz.properties import require_line
from privtopk.impl.scores.domain import listed_in
from privtopk.impl.sources.duckdb.scores import DuckdbScores
from privtopk.impl.sources.opening import parse_domain
from privtopk.impl.sources.votes import DuckdbVotes
from privtopk.spec.model.errors import SelectionError


@cache
def _folder() -> TemporaryDirectory[str]:
    """Return the folder of this process, in memory if the system has such a place."""
    memory = Path("/dev/shm")
    return TemporaryDirectory(dir=memory if memory.is_dir() else None)


def written(name: str, data: bytes) -> Path:
    """Write a file into the folder of this process, and return its path."""
    path = Path(_folder().name, name)
    path.write_bytes(data)
    return path


def domain_file(data: bytes) -> None:
    """A file is a domain whose items can be written and read again, or is refused."""
    try:
        domain = listed_in(written("domain.txt", data))
    except SelectionError as error:
        require_line(str(error))
        return
    names = domain.names(np.arange(domain.size))
    again = listed_in(written("again.txt", "\n".join(names).encode("utf-8-sig")))
    assert again.names(np.arange(again.size)) == names


def domain_text(data: bytes) -> None:
    """The text of `--domain` is a range, the word public or a file, or is refused."""
    text = data.decode("utf-8", "surrogateescape")
    if "/" in text:  # a file of the machine
        return
    try:
        parse_domain(text)
    except SelectionError as error:
        require_line(str(error))


def csv_scores(data: bytes) -> None:
    """A CSV file is refused, or has the scores that Python's reader finds in it."""
    path = written("scores.csv", data)
    try:
        store = DuckdbScores(path, domain="public")
        with store.snapshot() as source:
            page = source.top(0, store.size)
            names = [str(source.name(item)) for item in page.items.tolist()]
    except SelectionError as error:
        require_line(str(error))
        return
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    item, score = header.index("item"), header.index("score")
    found = dict(zip(names, page.scores.tolist(), strict=True))
    assert found == {row[item]: int(row[score].partition(".")[0]) for row in rows if row}


def csv_votes(data: bytes) -> None:
    """A CSV file of votes is counted or refused."""
    path = written("votes.csv", data)
    try:
        votes = DuckdbVotes(path, domain="public")
    except SelectionError as error:
        require_line(str(error))
        return
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    pairs = {(row["client"], row["item"]) for row in rows}
    assert int(votes.top(0, votes.size).scores.sum()) == len(pairs)
