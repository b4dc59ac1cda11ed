"""Scores in Parquet files that a local Spark reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

from privtopk.impl.bench.sources.stored import SCORES, Stored
from privtopk.impl.domain import RangeDomain
from privtopk.impl.randomness import Integers
from privtopk.impl.source import Page
from privtopk.impl.sources.spark_scores import SparkScores

SETTINGS: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@contextmanager
def in_spark(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a file, read by a session that ends with its folder."""
    path = folder / "votes.parquet"
    columns = {"item": np.arange(len(scores)), "score": scores}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.config("spark.local.dir", str(folder / "blocks")).getOrCreate()

    def fetch() -> Page:
        table = session.read.parquet(str(path)).toArrow()
        return Page(
            table["item"].to_numpy().astype(SCORES), table["score"].to_numpy().astype(SCORES)
        )

    try:
        frame = session.read.parquet(str(path))
        yield Stored(SparkScores(frame, domain=RangeDomain(0, len(scores) - 1)), fetch)
    finally:
        session.stop()
