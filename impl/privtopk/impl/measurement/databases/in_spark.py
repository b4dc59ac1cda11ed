"""Scores in Parquet files that a local Spark reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet

from privtopk.impl.measurement.databases.stored import SCORES, Stored
from privtopk.impl.measurement.servers.spark import local_spark
from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.spark.scores import SparkScores


@contextmanager
def in_spark(scores: Integers, folder: Path) -> Iterator[Stored]:
    """Yield scores in a file, read by a Spark session that ends with the context."""
    path = folder / "votes.parquet"
    columns = {"item": np.arange(len(scores)), "score": scores}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    session = local_spark(folder)

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
