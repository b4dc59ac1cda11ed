"""What must not be among rows that DuckDB finds, and the domain that they make up if it is public.

The rows have the columns item, score, is_foreign and is_fractional. Conditions on plain columns
are answered by the statistics of a table or of a Parquet file, without a scan.
"""

from typing import Any, Final

from privtopk.impl.scores.domain import Domain, Kind, RangeDomain
from privtopk.impl.sources.duckdb.relation import Relation
from privtopk.impl.sources.duckdb.session import Session
from privtopk.impl.sources.faults import undeclared
from privtopk.impl.sources.rows import fractional, twice
from privtopk.impl.sources.table import Declared, Facts, Statements, beyond, flaws, null, resolved
from privtopk.spec.model.errors import Reason, SelectionError

LARGEST_BITMAP: Final = 2**27
"""Up to so many numbers, items that come twice are found by one bit for each number."""


def require_declared(domain: Declared | None) -> Declared:
    """Return the domain that a caller declares, or refuse to guess one."""
    if domain is None or (isinstance(domain, str) and domain != "public"):
        raise undeclared()
    return domain


def require_sound(
    opened: Session, statements: Statements, relation: Relation, domain: Domain
) -> None:
    """Refuse rows that are wrong; what the catalogue promises is not looked for."""
    item, score = relation.columns
    facts = Facts(
        columns=(),
        has_whole_scores=True,
        has_no_nulls=item.is_required and score.is_required,
        has_one_row_an_item=True,
    )
    wrong = [("WHERE is_foreign", beyond(domain)), ("WHERE is_fractional", fractional())]
    require_none(opened, statements, wrong + flaws(statements, facts, domain, ""))
    if not item.is_unique and opened.rows(has_repeats(statements, domain)) == [(True,)]:
        raise twice()


def require_none(
    opened: Session, statements: Statements, wrong: list[tuple[str, SelectionError]]
) -> None:
    """Refuse the first condition that a row meets; most are answered by DuckDB's statistics."""
    (answers,) = opened.rows(statements.exist([condition for condition, _ in wrong]))
    for is_met, (_, error) in zip(answers, wrong, strict=True):
        if is_met:
            raise error


def has_repeats(statements: Statements, domain: Domain) -> str:
    """Return the statement that says whether an item of the domain has two rows.

    A bit for each number of a range is set in a tenth of the time that grouping takes.
    """
    if isinstance(domain, RangeDomain) and domain.kind is int and domain.size <= LARGEST_BITMAP:
        bits = f"bitstring_agg(CAST(item AS BIGINT), {domain.first}, {domain.last})"
        return f"SELECT bit_count({bits}) <> COUNT(*) FROM {statements.table}"
    return statements.exist(["GROUP BY item HAVING COUNT(*) > 1"])


def public_domain(opened: Session, statements: Statements, kind: Kind) -> Domain:
    """Return the domain of all items that have a row."""
    excessive = SelectionError(Reason.UNKNOWN_ITEM, "every item must fit 64 bits or be a text")
    no_item = null("item", Reason.UNKNOWN_ITEM)
    wrong = [("WHERE is_foreign", excessive), ("WHERE item IS NULL", no_item)]
    require_none(opened, statements, wrong)
    (ends,) = opened.rows(statements.ends)

    def asked(statement: str) -> list[Any]:
        values: list[Any] = opened.columns(statement)[0].tolist()
        return values

    return resolved("public", None if ends == (None, None) else kind, ends, asked, statements)
