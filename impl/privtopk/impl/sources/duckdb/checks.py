"""Checks of the rows that DuckDB reads, and the public domain that their items form.

The rows have the columns item, score, is_foreign and is_fractional. DuckDB answers conditions on
plain columns from the statistics of a table or of a Parquet file, without a scan.
"""

from typing import Any, Final

from privtopk.impl.scores.domain import Domain, Kind, RangeDomain
from privtopk.impl.sources.duckdb.session import Session
from privtopk.impl.sources.duckdb.table_reference import TableReference
from privtopk.impl.sources.rows import duplicate_item_error, fractional_score_error
from privtopk.impl.sources.table import (
    Facts,
    Statements,
    forbidden_conditions,
    null_error,
    outside_domain_error,
    require_no_flaw,
    stored_domain,
)
from privtopk.spec.model.errors import Reason, SelectionError

LARGEST_BITMAP: Final = 2**27
"""Ranges of up to 2^27 numbers are checked for repeated items with one bit per number."""


def require_sound(
    session: Session, statements: Statements, reference: TableReference, domain: Domain
) -> None:
    """Refuse invalid rows; what the catalogue rules out is not checked."""
    item, score = reference.columns
    facts = Facts(
        columns=(),
        has_whole_scores=True,
        has_no_nulls=item.is_required and score.is_required,
        has_one_row_per_item=True,
    )
    flaws = [
        ("WHERE is_foreign", outside_domain_error(domain)),
        ("WHERE is_fractional", fractional_score_error()),
        *forbidden_conditions(statements, facts, domain, ""),
    ]
    require_no_flaw(flaws, statements, session.row)
    if not item.is_unique and session.row(repeats_statement(statements, domain)) == (True,):
        raise duplicate_item_error()


def repeats_statement(statements: Statements, domain: Domain) -> str:
    """Return the statement that reports whether an item of the domain has two rows.

    Setting one bit per number of a range takes a tenth of the time of grouping.
    """
    if isinstance(domain, RangeDomain) and domain.kind is int and domain.size <= LARGEST_BITMAP:
        bits = f"bitstring_agg(CAST(item AS BIGINT), {domain.first}, {domain.last})"
        return f"SELECT bit_count({bits}) <> COUNT(*) FROM {statements.table}"
    return statements.exist(["GROUP BY item HAVING COUNT(*) > 1"])


def public_domain(session: Session, statements: Statements, kind: Kind) -> Domain:
    """Return the domain of all items that have a row."""
    large_item = SelectionError(Reason.UNKNOWN_ITEM, "every item must fit 64 bits or be a text")
    no_item = null_error("item", Reason.UNKNOWN_ITEM)
    flaws = [("WHERE is_foreign", large_item), ("WHERE item IS NULL", no_item)]
    require_no_flaw(flaws, statements, session.row)
    first, last = session.row(statements.ends)

    def fetch_column(statement: str) -> list[Any]:
        values: list[Any] = session.columns(statement)[0].tolist()
        return values

    known = None if first is None else kind
    return stored_domain(known, (first, last), fetch_column, statements)
