"""The Spark session of the tests, and helpers to inspect it."""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from privtopk.impl.measurement.servers.spark import local_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def missing_parts() -> str:
    """Return the missing parts of Spark, or an empty text if it can be started."""
    parts = [name for name in ("pyspark", "pyarrow") if find_spec(name) is None]
    return ", ".join(parts if shutil.which("java") else [*parts, "java"])


SPARK: Final = [
    pytest.mark.heavy,
    pytest.mark.skipif(missing_parts() != "", reason=f"Spark needs {missing_parts()}"),
]
"""The marks of a module that starts Spark."""


def spark_session(folder: Path) -> "SparkSession":
    """Return the session of this process, or a new one if there is none or it was stopped.

    The first one takes seconds, because Java starts; it ends with the process. Rows that an
    earlier test has left are released.
    """
    session = local_spark(folder)
    session.catalog.clearCache()
    lose_blocks(session)
    return session


def frame(session: "SparkSession", columns: str, *rows: tuple[Any, ...]) -> "DataFrame":
    """Return rows as a frame; the columns are declared as in SQL."""
    return session.createDataFrame(list(rows), columns)


def sorted_rows(rows: "DataFrame") -> list[tuple[Any, ...]]:
    """Return the sorted rows of a frame."""
    return sorted(tuple(row) for row in rows.collect())


def held_blocks(session: "SparkSession") -> int:
    """Return the number of data sets that Spark keeps."""
    return len(session.sparkContext._jsc.getPersistentRDDs())


def lose_blocks(session: "SparkSession") -> None:
    """Lose all rows that Spark keeps, as happens when executors die."""
    for blocks in list(session.sparkContext._jsc.getPersistentRDDs().values()):
        blocks.unpersist(True)
