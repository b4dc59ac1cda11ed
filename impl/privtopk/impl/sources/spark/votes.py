"""Counts raw votes with Spark, for votes that do not fit on one machine.

A vote is a row with a client and an item. A client counts once per item, however often the pair
occurs. If rows were counted, one client could move a score by any amount, and no guarantee would
hold. Votes for items outside the declared domain are dropped. A vote without a client or an item
is refused, but only when Spark runs the plan, because the plan reads the votes only once.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privtopk.impl.extras import import_extra
from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind, RangeDomain
from privtopk.impl.sources.spark.frame import (
    NULL_CLIENT,
    NULL_ITEM,
    ask_spark,
    column_of,
    kind_of,
    require_frame,
)
from privtopk.impl.sources.table import Declared, require_declared
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

WHOLE: Final = r"^(0|-?[1-9][0-9]*)\z"
"""The plain decimal spelling of a whole number; a domain accepts no other."""

CSV: Final[dict[str, bool | str]] = {
    "header": True,
    "enforceSchema": False,  # every file has the columns of the first, in its order
    "mode": "FAILFAST",
    "escape": '"',  # a quote within quotes is doubled
}


def read_votes(session: "SparkSession", path: Path | str) -> "DataFrame":
    """Return the votes of CSV files with a header, or of Parquet files; the ending decides.

    All CSV columns are texts, and an empty field is NULL.
    """
    is_session = isinstance(session, import_extra("pyspark.sql", "spark").SparkSession)
    if not is_session:
        raise SelectionError(
            Reason.WRONG_TYPE, f"session must be a SparkSession, got {type(session).__name__}"
        )
    endings = [suffix.lower() for suffix in Path(path).suffixes[-2:]]
    if endings[-1:] == [".parquet"]:
        return ask_spark(session, lambda: session.read.parquet(str(path)))
    if ".csv" in endings:  # it may be compressed
        return ask_spark(session, lambda: session.read.options(**CSV).csv(str(path)))
    raise SelectionError(
        Reason.WRONG_TYPE, f"votes must be a .csv or a .parquet, got {Path(path).name!r}"
    )


def histogram(
    votes: "DataFrame",
    *,
    client: str = "client",
    item: str = "item",
    domain: DomainLike | None = None,
) -> "DataFrame":
    """Return the items that got votes and their numbers of clients, as columns item and score.

    Items are written as in the domain: if it consists of numbers, texts are read as numbers. The
    returned frame is a plan, which reads the votes again whenever it runs.
    """
    require_frame(votes)
    declared = require_declared(domain)
    return ask_spark(
        votes.sparkSession, lambda: count_clients(client_item_pairs(votes, client, item, declared))
    )


def client_item_pairs(votes: "DataFrame", client: str, item: str, domain: Declared) -> "DataFrame":
    """Return the pairs of client and item of the domain, and those with a NULL item."""
    given, kind = column_of(votes, item), kind_of(votes, item)
    is_range = isinstance(domain, RangeDomain)
    wanted: Kind = kind if isinstance(domain, str) else int if is_range else domain.kind
    written = given.cast("string") if wanted is str else as_number(given, kind)
    # A text that is not a number becomes NULL here, so its row must be removed first.
    pairs = votes.where(given.isNull() | written.isNotNull()).select(
        column_of(votes, client).alias("client"), written.alias("item")
    )
    return pairs if isinstance(domain, str) else pairs_in_domain(pairs, domain)


def as_number(given: "Column", kind: Kind) -> "Column":
    """Return the whole numbers that a column holds or spells, and NULL for any other text."""
    if kind is int:
        return given.cast("bigint")
    functions = import_extra("pyspark.sql.functions", "spark")
    text = given.cast("string")
    read: Column = functions.when(text.rlike(WHOLE), text.try_cast("bigint"))
    return read


def pairs_in_domain(pairs: "DataFrame", domain: Domain) -> "DataFrame":
    """Return the pairs with an item of the domain or with NULL, which is refused later."""
    item = import_extra("pyspark.sql.functions", "spark").col("item")
    if isinstance(domain, RangeDomain):
        found = pairs.where(item.isNull() | item.between(domain.first, domain.last))
        return found if domain.kind is int else found.withColumn("item", item.cast("string"))
    pyarrow = import_extra("pyarrow", "spark")
    names: list[Any] = [*domain.names(np.arange(domain.size)), None]
    listed = pairs.sparkSession.createDataFrame(pyarrow.table({"listed": names}))
    return pairs.join(listed, item.eqNullSafe(listed["listed"]), "left_semi")


def count_clients(pairs: "DataFrame") -> "DataFrame":
    """Return the number of different clients per item; a NULL raises when the plan runs."""
    functions = import_extra("pyspark.sql.functions", "spark")
    item, client = functions.col("item"), functions.col("client")
    scores = (
        pairs.distinct()
        .groupBy("item")
        .agg(functions.count("*").alias("score"), functions.max(client.isNull()).alias("is_nobody"))
    )
    return scores.select(
        raise_where(item.isNull(), NULL_ITEM, item).alias("item"),
        raise_where(functions.col("is_nobody"), NULL_CLIENT, functions.col("score")).alias("score"),
    )


def raise_where(condition: "Column", message: str, value: "Column") -> "Column":
    """Return a column that raises an error in Spark where a condition holds."""
    functions = import_extra("pyspark.sql.functions", "spark")
    guarded: Column = functions.when(
        condition, functions.raise_error(functions.lit(message))
    ).otherwise(value)
    return guarded
