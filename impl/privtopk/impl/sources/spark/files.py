"""Writes scores that Spark has counted to files from which selections read.

The rows are copied and checked first. They are written to a temporary name beside the target,
which is renamed at the end. So nobody sees half of them, and a failure leaves nothing behind.
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
from privtopk.impl.sources.faults import first_line, replace_errors
from privtopk.impl.sources.spark.frame import (
    ask_spark,
    require_frame,
    score_columns,
    translate_driver_errors,
)
from privtopk.impl.sources.spark.rows import SoundRows, sound_rows
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

DATABASES: Final = (".db", ".sqlite", ".sqlite3")


def write_scores(histogram: "DataFrame", place: Path | str) -> None:
    """Write the columns item and score to a path that does not exist yet.

    A name that ends in .parquet becomes a folder with the best rows first; all executors must
    reach it by the same path as the driver. A name that ends in .db, .sqlite or .sqlite3 becomes
    a SQLite database with the table `scores`; the driver writes it, one partition at a time.
    """
    path = Path(place).absolute()
    require_frame(histogram)
    if path.suffix not in (".parquet", *DATABASES):
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"scores are written to .parquet, {', '.join(DATABASES)}, got {path.name!r}",
        )
    require_free(path)
    scores, _ = ask_spark(histogram.sparkSession, lambda: score_columns(histogram, "item", "score"))
    write = write_parquet if path.suffix == ".parquet" else write_sqlite
    with sound_rows(scores, None) as rows, rename_when_finished(path) as unfinished:
        write(rows, unfinished)


@contextmanager
def rename_when_finished(path: Path) -> Iterator[Path]:
    """Yield a temporary path, and rename it to `path` at the end, or remove it after an error."""
    unfinished = path.with_name(f".{secrets.token_hex(8)}.{path.name}")
    try:
        with replace_errors(
            (OSError, sqlite3.Error), lambda error: unwritable_error(path, first_line(error))
        ):
            yield unfinished
            require_free(path)
            unfinished.rename(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.unlink(missing_ok=True)


def write_parquet(rows: SoundRows, folder: Path) -> None:
    """Write a folder of files, the best rows first."""
    functions = import_extra("pyspark.sql.functions", "spark")
    order = functions.desc("score"), functions.desc("item")
    # Without a scheme the path would be in the file system of the cluster.
    place = f"file://{folder}"
    ask_spark(rows.frame.sparkSession, lambda: rows.frame.orderBy(*order).write.parquet(place))
    metadata = import_extra("pyarrow.parquet", "spark").read_metadata
    if sum(metadata(part).num_rows for part in folder.glob("*.parquet")) != rows.count:
        raise OSError("an executor wrote to its own file system; all must share the path")


def write_sqlite(rows: SoundRows, path: Path) -> None:
    """Write a SQLite database with one table and the index that selections need."""
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
    """Yield rows by ascending item, the fastest order for a primary key, partition by partition."""
    with translate_driver_errors(rows.frame.sparkSession):
        yield from rows.frame.orderBy("item").toLocalIterator()


def require_free(path: Path) -> None:
    """Refuse to overwrite anything."""
    if os.path.lexists(path):
        raise unwritable_error(path, "it exists already")


def unwritable_error(path: Path, cause: str) -> SelectionError:
    """Return the error of a path that cannot be written."""
    return SelectionError(Reason.UNREACHABLE_SOURCE, f"{path} cannot be written: {cause}")
