"""Scores that Spark has counted, written where selections read them.

The rows are held still and looked over first. They go to a sibling of the place, which takes its
name when it is finished, so nobody meets half of them and a failure leaves nothing behind.
"""

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.spark.frame import asked, failed, require_frame, scored
from privtopk.impl.sources.spark.rows import SoundRows, sound_rows
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

DATABASES: Final = (".db", ".sqlite", ".sqlite3")


def write_scores(histogram: "DataFrame", place: Path | str) -> None:
    """Write the columns item and score to a place that does not exist yet.

    A name that ends in .parquet becomes a folder with the best rows first, which all executors
    must be able to reach as the driver does; one in .db, .sqlite or .sqlite3 a database with
    the table `scores`, through the driver, a partition at a time.
    """
    path = Path(place).absolute()
    require_frame(histogram)
    if path.suffix not in (".parquet", *DATABASES):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"scores are written to .parquet, {', '.join(DATABASES)}, got {path.name!r}",
        )
    require_free(path)
    scores, _ = asked(histogram.sparkSession, lambda: scored(histogram, "item", "score"))
    write = write_parquet if path.suffix == ".parquet" else write_sqlite
    with sound_rows(scores, None) as rows, finished(path) as unfinished:
        write(rows, unfinished)


@contextmanager
def finished(path: Path) -> Iterator[Path]:
    """Yield a place for unfinished work, which gets its name at the end or is removed."""
    unfinished = path.with_name(f".{secrets.token_hex(8)}.{path.name}")
    try:
        yield unfinished
        require_free(path)
        unfinished.rename(path)
    except (OSError, sqlite3.Error) as error:
        raise unwritten(path, str(error)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.unlink(missing_ok=True)


def write_parquet(rows: SoundRows, folder: Path) -> None:
    """Write a folder of files, the best rows first."""
    functions = import_extra("pyspark.sql.functions", "spark")
    order = functions.desc("score"), functions.desc("item")
    # Without a scheme it would be a path of the cluster's own file system.
    place = f"file://{folder}"
    asked(rows.frame.sparkSession, lambda: rows.frame.orderBy(*order).write.parquet(place))
    metadata = import_extra("pyarrow.parquet", "spark").read_metadata
    if sum(metadata(part).num_rows for part in folder.glob("*.parquet")) != rows.count:
        raise OSError("an executor wrote to a file system of its own; the driver sees another")


def write_sqlite(rows: SoundRows, path: Path) -> None:
    """Write a database with one table and the index that selections need."""
    kind = "INTEGER" if dict(rows.frame.dtypes)["item"] == "bigint" else "TEXT"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute(
            f"CREATE TABLE scores (item {kind} PRIMARY KEY NOT NULL, score INTEGER NOT NULL) STRICT"
        )
        connection.executemany("INSERT INTO scores VALUES (?, ?)", by_item(rows))
        connection.execute("CREATE INDEX by_score ON scores (score, item)")
        connection.execute("COMMIT")


def by_item(rows: SoundRows) -> Iterator[tuple[Any, ...]]:
    """Yield rows by ascending item, which a primary key takes fastest, a partition at a time."""
    try:
        yield from rows.frame.orderBy("item").toLocalIterator()
    except Exception as error:
        raise failed(rows.frame.sparkSession, error) from error


def require_free(path: Path) -> None:
    """Refuse to write over something."""
    if os.path.lexists(path):
        raise unwritten(path, "it exists already")


def unwritten(path: Path, cause: str) -> SelectionError:
    """Return the error of a place that cannot be written."""
    return SelectionError(Reason.UNREACHABLE_SOURCE, f"{path} cannot be written: {cause}")
