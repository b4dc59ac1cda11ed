"""A table of scores in an SQL database: the statements and checks that all dialects share.

Identifiers cannot be bound as parameters. They are first compared with the catalogue and then
quoted, so a statement contains only names of things that exist.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from privtopk.impl.scores.declaration import DomainLike, declared_domain
from privtopk.impl.scores.domain import Domain, Kind, ListedDomain, RangeDomain
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.sources.faults import undeclared_domain_error, unknown_column_error
from privtopk.impl.sources.rows import duplicate_item_error, fractional_score_error
from privtopk.spec.model.errors import Reason, SelectionError

Declared: TypeAlias = Domain | Literal["public"]
"""A domain, or the statement that the items of the table are public knowledge."""

Flaw: TypeAlias = tuple[str, SelectionError]
"""A condition that no row may meet, and the error if a row meets it."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The table that holds the scores, and its columns of items and scores."""

    table: str
    item: str
    score: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a catalogue guarantees about a table; the rows need not be checked for that."""

    columns: tuple[str, ...]
    """The names of all columns."""

    has_whole_scores: bool
    """Whether the type of the scores allows whole numbers only."""

    has_no_nulls: bool
    """Whether neither items nor scores may be NULL."""

    has_one_row_per_item: bool
    """Whether no item can have two rows."""


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements about one table; all identifiers are quoted."""

    table: str
    item: str
    score: str

    @property
    def all(self) -> str:
        """All rows."""
        return f"SELECT {self.item}, {self.score} FROM {self.table}"

    @property
    def best(self) -> str:
        """All rows, best first; an index on (score, item), read backwards, has this order."""
        return f"{self.all} ORDER BY {self.score} DESC, {self.item} DESC"

    @property
    def ends(self) -> str:
        """The smallest and the largest item; two subqueries, so that an index answers each."""
        ends = (f"(SELECT {end}({self.item}) FROM {self.table})" for end in ("MIN", "MAX"))
        return f"SELECT {', '.join(ends)}"

    @property
    def count(self) -> str:
        """The number of rows."""
        return f"SELECT COUNT(*) FROM {self.table}"

    @property
    def items(self) -> str:
        """All items, in order."""
        return f"SELECT {self.item} FROM {self.table} ORDER BY {self.item}"

    def exist(self, conditions: list[str]) -> str:
        """Return one statement that reports for each condition whether a row meets it."""
        found = (f"EXISTS (SELECT 1 FROM {self.table} {condition})" for condition in conditions)
        return f"SELECT {', '.join(found)}"


def quote_identifier(name: str) -> str:
    """Return an identifier as standard SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


def require_columns(columns: Columns, facts: Facts) -> None:
    """Refuse columns that the table does not have."""
    for name in (columns.item, columns.score):
        if name not in facts.columns:
            raise unknown_column_error(columns.table, name, facts.columns)


def forbidden_conditions(
    statements: Statements, facts: Facts, domain: Domain, fractional_condition: str
) -> list[Flaw]:
    """Return the conditions that no row may meet, except those that the catalogue rules out.

    Most of them can be answered by an index.
    """
    item, score = statements.item, statements.score
    flaws = []
    if not facts.has_no_nulls:
        flaws.append((f"WHERE {score} IS NULL", null_error("score", Reason.MISSING_SCORE)))
        flaws.append((f"WHERE {item} IS NULL", null_error("item", Reason.UNKNOWN_ITEM)))
    if not facts.has_whole_scores:
        flaws.append((f"WHERE {fractional_condition}", fractional_score_error()))
    flaws.append((f"WHERE {score} < 0", negative_score_error()))
    flaws.append((f"WHERE {score} > {LARGEST_SCORE}", large_score_error()))
    if not facts.has_one_row_per_item:
        flaws.append((f"GROUP BY {item} HAVING COUNT(*) > 1", duplicate_item_error()))
    if isinstance(domain, RangeDomain) and domain.kind is int:
        flaws.append((f"WHERE {item} < {domain.first}", outside_domain_error(domain)))
        flaws.append((f"WHERE {item} > {domain.last}", outside_domain_error(domain)))
    return flaws


def require_no_flaw(
    flaws: list[Flaw], statements: Statements, fetch_row: Callable[[str], Sequence[Any]]
) -> None:
    """Refuse rows with a flaw; one statement looks for all flaws at once."""
    answers = fetch_row(statements.exist([condition for condition, _ in flaws]))
    raise_first([error for _, error in flaws], answers)


def raise_first(errors: list[SelectionError], is_met: Sequence[Any]) -> None:
    """Raise the first of the errors whose condition is met."""
    for error, is_raised in zip(errors, is_met, strict=True):
        if is_raised:
            raise error


def require_declared(domain: DomainLike | None) -> Declared:
    """Return the domain that a caller has declared, or refuse to guess one."""
    if domain is None:
        raise undeclared_domain_error()
    declared = declared_domain(domain, ListedDomain)
    if isinstance(declared, str | Domain):
        return declared
    return ListedDomain(declared.names(np.arange(declared.size)))


def resolve_domain(
    domain: DomainLike | None,
    kind: Kind | None,
    ends: tuple[Any, Any],
    fetch_column: Callable[[str], list[Any]],
    statements: Statements,
) -> Domain:
    """Return the domain with items as the table writes them; kind is None if the table is empty.

    A public domain of consecutive numbers is a range, and its items need not be fetched.
    """
    declared = require_declared(domain)
    if not isinstance(declared, str):
        return declared if kind is None else declared.of_kind(kind)
    if kind is None:
        raise SelectionError(Reason.EMPTY_DOMAIN, "the table is empty, so it declares no domain")
    first, last = ends
    if kind is int and fetch_column(statements.count) == [last - first + 1]:
        return RangeDomain(first, last, is_public=True)
    return ListedDomain(fetch_column(statements.items), is_public=True)


def negative_score_error() -> SelectionError:
    """Return the error of a negative score."""
    return SelectionError(Reason.NEGATIVE_SCORE, "no score may be negative")


def large_score_error() -> SelectionError:
    """Return the error of a score above 2^53, the limit of exact doubles."""
    return SelectionError(Reason.SCORE_OUT_OF_RANGE, f"no score may exceed 2^53 = {LARGEST_SCORE}")


def null_error(what: str, reason: Reason) -> SelectionError:
    """Return the error of a NULL."""
    return SelectionError(reason, f"no {what} may be NULL")


def outside_domain_error(domain: Domain) -> SelectionError:
    """Return the error of a table with items that the declared domain lacks."""
    return SelectionError(
        Reason.UNKNOWN_ITEM, f"the table has an item outside the declared domain {domain!r}"
    )
