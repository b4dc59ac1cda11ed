"""What PostgreSQL's catalogue says of a table, and what its planner makes of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.scores.domain import Kind
from privtopk.impl.sources.faults import unknown_table
from privtopk.impl.sources.postgresql.session import asked, escaped
from privtopk.impl.sources.table import Columns, Facts, Statements, quoted, require_columns
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
"""The types that items may have. Two texts that char(n) or citext call equal can differ."""

WHOLE: Final = ("smallint", "integer", "bigint")
FRACTIONAL: Final = ("numeric", "double precision")
"""The types that scores may have; real cannot count beyond 2^24."""

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
"""Constraints of a table do not bind those that inherit from it, though it shows their rows."""

PARTIAL: Final = """
SELECT c.relname
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
WHERE i.indpred IS NOT NULL
"""
"""An index of a partitioned table goes by other names where it is used."""

LARGE: Final = "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off"
"""In a small table PostgreSQL would not look at an index, though it will when the table grows."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A table, a partitioned table, a materialised view or a view, by its full name."""

    schema: str
    table: str
    kind: str
    """PostgreSQL's letter r, p, m or v; a table that others inherit from is as if partitioned."""

    @property
    def name(self) -> str:
        """The quoted name, which leads to it whatever the search path is."""
        return f"{quoted(self.schema)}.{quoted(self.table)}"

    @property
    def is_lockable(self) -> bool:
        """Whether it can be locked; what a materialised view shows is always of one moment."""
        return self.kind != "m"

    @property
    def is_stored(self) -> bool:
        """Whether it has rows of its own, which an index can find."""
        return self.kind != "v"


@dataclass(frozen=True, slots=True)
class Description:
    """What matters of a table's columns."""

    facts: Facts
    kind: Kind
    """Whether items are numbers or texts."""


def found(connection: "Connection", place: str, schema: str | None, table: str) -> Relation:
    """Return the table, by the search path if no schema is given."""
    name = quoted(table) if schema is None else f"{quoted(schema)}.{quoted(table)}"
    relations = [Relation(*row) for row in asked(connection, RELATION, name=name)]
    for relation in relations:
        # PostgreSQL cuts names to 63 bytes, and may have found the table of what is left.
        if relation.table == table and schema in (None, relation.schema):
            return relation
    raise unknown_table(place, table if schema is None else f"{schema}.{table}")


def described(connection: "Connection", relation: Relation, columns: Columns) -> Description:
    """Return what the catalogue promises at this moment, or refuse columns and types."""
    rows = asked(connection, COLUMNS, name=relation.name)
    types = {name: type_ for name, type_, *_ in rows}
    required = {name for name, _, is_required, _ in rows if is_required}
    unique = {name for name, *_, is_unique in rows if is_unique}
    facts = Facts(
        columns=tuple(types),
        has_whole_scores=types.get(columns.score) in WHOLE,
        has_no_nulls={columns.item, columns.score} <= required,
        has_one_row_an_item=columns.item in unique,
    )
    require_columns(columns, facts)
    require_type("scores", columns.score, types[columns.score], (*WHOLE, *FRACTIONAL))
    require_type("items", columns.item, types[columns.item], tuple(ITEMS))
    return Description(facts, ITEMS[types[columns.item]])


def require_type(what: str, column: str, found: str, known: tuple[str, ...]) -> None:
    """Refuse a column of a type that cannot hold what it should."""
    if found not in known:
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"{what} must be of type {', '.join(known)}, got {found} in column {column!r}; "
            "a view can convert it",
        )


def is_fractional(score: str) -> str:
    """Return the condition that a score is no whole number; NaN equals itself in PostgreSQL."""
    return f"({score} <> floor({score}) OR {score} = 'NaN')"


def missing_indexes(
    connection: "Connection", statements: Statements, relation: Relation
) -> list[str]:
    """Return the statements that would spare both doors a sort or a scan."""
    missing = []
    table, item, score = statements.table, statements.item, statements.score
    if needs_sort(connection, statements.best):
        missing.append(f"CREATE INDEX ON {table} ({score}, {item})")
    if needs_sort(connection, statements.items):
        # A unique index of a partitioned table would have to contain what it is partitioned by.
        unique = "" if relation.kind == "p" else "UNIQUE "
        missing.append(f"CREATE {unique}INDEX ON {table} ({item})")
    return missing


def spared_scans(
    connection: "Connection", statements: Statements, relation: Relation, facts: Facts
) -> list[str]:
    """Return the statements that would spare the look for wrong rows a scan."""
    spared = []
    table, item, score = statements.table, statements.item, statements.score
    if not facts.has_one_row_an_item and relation.kind in "rm":
        spared.append(f"CREATE UNIQUE INDEX ON {table} ({item})")
    condition = is_fractional(score)
    if not facts.has_whole_scores and relation.is_stored:
        names = {name for (name,) in asked(connection, PARTIAL)}
        plan = plan_of(connection, f"SELECT 1 FROM {table} WHERE {condition}")
        if not names.intersection(step.get("Index Name") for step in plan):
            spared.append(f"CREATE INDEX ON {table} ({score}) WHERE {condition}")
    return spared


def needs_sort(connection: "Connection", statement: str) -> bool:
    """Return whether no index has the order of a statement."""
    plan = plan_of(connection, statement)
    return any("Sort" in step["Node Type"] for step in plan)


def plan_of(connection: "Connection", statement: str) -> list[dict[str, Any]]:
    """Return the steps that PostgreSQL would take where indexes were worth their price."""
    asked(connection, LARGE)
    ((plans,),) = asked(connection, escaped(f"EXPLAIN (FORMAT JSON) {statement}"))
    return [step for plan in plans for step in steps(plan["Plan"])]


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a step and those below it."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from steps(below)
