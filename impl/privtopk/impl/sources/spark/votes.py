"""From raw votes to scores with Spark, for those whose votes outgrow one machine.

A vote is a row with a client and an item. A client counts once for an item however often the
pair occurs: if rows were counted, one client could move a score by as much as it likes, and no
guarantee would hold. Votes for items outside the declared domain are dropped. A vote without a
client or an item is refused, but only when Spark runs the plan, because it reads the votes once.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.domain import Domain, Kind, RangeDomain
from privtopk.impl.sources.faults import undeclared
from privtopk.impl.sources.spark.frame import (
    NULL_CLIENT,
    NULL_ITEM,
    asked,
    column,
    kind_of,
    require_frame,
)
from privtopk.impl.sources.table import Declared
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

WHOLE: Final = r"^(0|-?[1-9][0-9]*)\z"
"""How a text writes a whole number without frills; a domain reads no other."""

CSV: Final[dict[str, bool | str]] = {
    "header": True,
    "enforceSchema": False,  # every file has the columns of the first, in its order
    "mode": "FAILFAST",
    "escape": '"',  # a quote within quotes is doubled
}


def read_votes(session: "SparkSession", path: Path | str) -> "DataFrame":
    """Return the votes of a CSV file with a header or of Parquet files, by the end of the name.

    All columns of CSV are texts, and an empty field is NULL.
    """
    is_session = isinstance(session, import_extra("pyspark.sql", "spark").SparkSession)
    if not is_session:
        raise SelectionError(
            Reason.WRONG_TYPE, f"session must be a SparkSession, got {type(session).__name__}"
        )
    endings = [suffix.lower() for suffix in Path(path).suffixes[-2:]]
    if endings[-1:] == [".parquet"]:
        return asked(session, lambda: session.read.parquet(str(path)))
    if ".csv" in endings:  # it may be compressed
        return asked(session, lambda: session.read.options(**CSV).csv(str(path)))
    raise SelectionError(
        Reason.WRONG_TYPE, f"votes must be a .csv or a .parquet, got {Path(path).name!r}"
    )


def histogram(
    votes: "DataFrame",
    *,
    client: str = "client",
    item: str = "item",
    domain: Declared | None = None,
) -> "DataFrame":
    """Return the items that got votes, and from how many clients: the columns item and score.

    Items are written as the domain writes them: where it is made of numbers, a text that is one
    is read as such. It is a plan, which reads the votes anew whenever it is run.
    """
    require_frame(votes)
    if domain is None or (isinstance(domain, str) and domain != "public"):
        raise undeclared()
    return asked(votes.sparkSession, lambda: counted(kept(votes, client, item, domain)))


def kept(votes: "DataFrame", client: str, item: str, domain: Declared) -> "DataFrame":
    """Return who voted for which item of a domain, and for NULL."""
    given, kind = column(votes, item), kind_of(votes, item)
    is_range = isinstance(domain, RangeDomain)
    wanted: Kind = kind if isinstance(domain, str) else int if is_range else domain.kind
    written = given.cast("string") if wanted is str else number(given, kind)
    # A text that should be a number and is none is NULL from here on, so it must go first.
    pairs = votes.where(given.isNull() | written.isNotNull()).select(
        column(votes, client).alias("client"), written.alias("item")
    )
    return pairs if isinstance(domain, str) else inside(pairs, domain)


def number(given: "Column", kind: Kind) -> "Column":
    """Return the whole numbers that a column holds or writes, NULL for every other text."""
    if kind is int:
        return given.cast("bigint")
    functions = import_extra("pyspark.sql.functions", "spark")
    text = given.cast("string")
    read: Column = functions.when(text.rlike(WHOLE), text.try_cast("bigint"))
    return read


def inside(pairs: "DataFrame", domain: Domain) -> "DataFrame":
    """Return the votes for items of a domain, and for NULL, which must not be lost here."""
    item = import_extra("pyspark.sql.functions", "spark").col("item")
    if isinstance(domain, RangeDomain):
        found = pairs.where(item.isNull() | item.between(domain.first, domain.last))
        return found if domain.kind is int else found.withColumn("item", item.cast("string"))
    pyarrow = import_extra("pyarrow", "spark")
    names: list[Any] = [*domain.names(np.arange(domain.size)), None]
    listed = pairs.sparkSession.createDataFrame(pyarrow.table({"listed": names}))
    return pairs.join(listed, item.eqNullSafe(listed["listed"]), "left_semi")


def counted(pairs: "DataFrame") -> "DataFrame":
    """Return how many different clients voted for each item; a NULL raises when it is met."""
    functions = import_extra("pyspark.sql.functions", "spark")
    item, client = functions.col("item"), functions.col("client")
    scores = (
        pairs.distinct()
        .groupBy("item")
        .agg(functions.count("*").alias("score"), functions.max(client.isNull()).alias("is_nobody"))
    )
    return scores.select(
        unless(item.isNull(), NULL_ITEM, item).alias("item"),
        unless(functions.col("is_nobody"), NULL_CLIENT, functions.col("score")).alias("score"),
    )


def unless(is_wrong: "Column", message: str, value: "Column") -> "Column":
    """Return a column that raises where something is wrong."""
    functions = import_extra("pyspark.sql.functions", "spark")
    guarded: Column = functions.when(
        is_wrong, functions.raise_error(functions.lit(message))
    ).otherwise(value)
    return guarded
