"""What PostgreSQL's catalogue and its planner say about a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.scores.domain import Kind
from privtopk.impl.sources.faults import unknown_table_error
from privtopk.impl.sources.postgresql.session import escape_colons, fetch_rows
from privtopk.impl.sources.table import (
    Columns,
    Facts,
    Statements,
    quote_identifier,
    require_columns,
)
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from sqlalchemy import Connection

ITEMS: Final[dict[str, Kind]] = {
    "smallint": int,
    "integer": int,
    "bigint": int,
    "text": str,
    "character varying": str,
}
"""The types that items may have; char(n) and citext treat different texts as equal."""

WHOLE: Final = ("smallint", "integer", "bigint")
FRACTIONAL: Final = ("numeric", "double precision")
"""The types that scores may have; real is exact up to 2^24 only."""

RELATION: Final = """
SELECT
    n.nspname,
    c.relname,
    CASE WHEN c.relkind = 'r' AND c.relhassubclass THEN 'p' ELSE CAST(c.relkind AS text) END
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = to_regclass(:name) AND c.relkind IN ('r', 'p', 'm', 'v')
"""

COLUMNS: Final = """
SELECT
    a.attname,
    format_type(COALESCE(NULLIF(t.typbasetype, CAST(0 AS oid)), t.oid), NULL),
    a.attnotnull AND NOT c.has_children,
    NOT c.has_children AND EXISTS (
        SELECT 1 FROM pg_catalog.pg_index i
        WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
        AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
    )
FROM (
    SELECT oid, relkind = 'r' AND relhassubclass AS has_children FROM pg_catalog.pg_class
) c
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE c.oid = to_regclass(:name) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
"""
"""A table shows the rows of the tables that inherit from it, but its constraints do not hold there.
"""

PARTIAL_INDEXES: Final = """
SELECT c.relname
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
WHERE i.indpred IS NOT NULL
"""
"""All tables are searched: the plan of a partitioned table names the indexes of its partitions."""

PREFER_INDEXES: Final = "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off"
"""Makes the planner use indexes even for a small table, as it will when the table grows."""


@dataclass(frozen=True, slots=True)
class TableOrView:
    """A table, a partitioned table, a materialised view or a view."""

    schema: str
    table: str
    kind: str
    """PostgreSQL's letter r, p, m or v; a table that others inherit from counts as partitioned."""

    @property
    def name(self) -> str:
        """The quoted name with its schema, which does not depend on the search path."""
        return f"{quote_identifier(self.schema)}.{quote_identifier(self.table)}"

    @property
    def is_lockable(self) -> bool:
        """Whether it can be locked; a materialised view cannot, and is always consistent."""
        return self.kind != "m"

    @property
    def is_stored(self) -> bool:
        """Whether it has rows of its own, so that it can have an index."""
        return self.kind != "v"


@dataclass(frozen=True, slots=True)
class Description:
    """The facts about a table, and the type of its items."""

    facts: Facts
    kind: Kind
    """Whether the items are numbers or texts."""


def find_relation(
    connection: "Connection", place: str, schema: str | None, table: str
) -> TableOrView:
    """Return the table or view; without a schema the search path decides."""
    name = ".".join(map(quote_identifier, [table] if schema is None else [schema, table]))
    relations = [TableOrView(*row) for row in fetch_rows(connection, RELATION, name=name)]
    for relation in relations:
        # PostgreSQL cuts names to 63 bytes, so it may have found a table with a shorter name.
        if relation.table == table and schema in (None, relation.schema):
            return relation
    raise unknown_table_error(place, table if schema is None else f"{schema}.{table}")


def describe_columns(
    connection: "Connection", relation: TableOrView, columns: Columns
) -> Description:
    """Return what the catalogue guarantees at this moment, or refuse the columns or their types."""
    rows = fetch_rows(connection, COLUMNS, name=relation.name)
    types = {name: type_ for name, type_, *_ in rows}
    required = {name for name, _, is_required, _ in rows if is_required}
    unique = {name for name, *_, is_unique in rows if is_unique}
    facts = Facts(
        columns=tuple(types),
        has_whole_scores=types.get(columns.score) in WHOLE,
        has_no_nulls={columns.item, columns.score} <= required,
        has_one_row_per_item=columns.item in unique,
    )
    require_columns(columns, facts)
    require_type("scores", columns.score, types[columns.score], (*WHOLE, *FRACTIONAL))
    require_type("items", columns.item, types[columns.item], tuple(ITEMS))
    return Description(facts, ITEMS[types[columns.item]])


def require_type(what: str, column: str, found: str, known: tuple[str, ...]) -> None:
    """Refuse a column of an unsuitable type."""
    if found not in known:
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"{what} must be of type {', '.join(known)}, got {found} in column {column!r}; "
            "a view can convert it",
        )


def fractional_condition(score: str) -> str:
    """Return the condition that a score is not a whole number; in PostgreSQL NaN equals NaN."""
    return f"({score} <> floor({score}) OR {score} = 'NaN')"


def missing_indexes(
    connection: "Connection", statements: Statements, relation: TableOrView
) -> list[str]:
    """Return the statements that create the indexes that the two doors lack."""
    missing = []
    table, item, score = statements.table, statements.item, statements.score
    if needs_sort(connection, statements.best):
        missing.append(f"CREATE INDEX ON {table} ({score}, {item})")
    if needs_sort(connection, statements.items):
        # A unique index of a partitioned table must contain the partition key.
        unique = "" if relation.kind == "p" else "UNIQUE "
        missing.append(f"CREATE {unique}INDEX ON {table} ({item})")
    return missing


def missing_check_indexes(
    connection: "Connection", statements: Statements, relation: TableOrView, facts: Facts
) -> list[str]:
    """Return the statements that save the check of the rows a scan."""
    missing = []
    table, item, score = statements.table, statements.item, statements.score
    if not facts.has_one_row_per_item and relation.kind in "rm":
        missing.append(f"CREATE UNIQUE INDEX ON {table} ({item})")
    condition = fractional_condition(score)
    if not facts.has_whole_scores and relation.is_stored:
        names = {name for (name,) in fetch_rows(connection, PARTIAL_INDEXES)}
        plan = plan_of(connection, f"SELECT 1 FROM {table} WHERE {condition}")
        if not names.intersection(step.get("Index Name") for step in plan):
            missing.append(f"CREATE INDEX ON {table} ({score}) WHERE {condition}")
    return missing


def needs_sort(connection: "Connection", statement: str) -> bool:
    """Return whether no index has the order that a statement needs."""
    plan = plan_of(connection, statement)
    return any("Sort" in step["Node Type"] for step in plan)


def plan_of(connection: "Connection", statement: str) -> list[dict[str, Any]]:
    """Return the steps of the query plan, as for a large table."""
    fetch_rows(connection, PREFER_INDEXES)
    ((plans,),) = fetch_rows(connection, escape_colons(f"EXPLAIN (FORMAT JSON) {statement}"))
    return [step for plan in plans for step in steps(plan["Plan"])]


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a step of a plan and all steps below it."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from steps(below)
