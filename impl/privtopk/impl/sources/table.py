"""A table of scores in a database that speaks SQL: what is asked of it, in every dialect.

Identifiers cannot be bound as parameters. They are compared with the catalogue first and quoted
then, so what reaches a statement is the name of something that exists.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from privtopk.impl.scores.domain import Domain, Kind, ListedDomain, RangeDomain
from privtopk.impl.scores.protocols import LARGEST_SCORE
from privtopk.impl.sources.faults import undeclared, unknown_column
from privtopk.impl.sources.rows import fractional, twice
from privtopk.spec.model.errors import Reason, SelectionError

Declared: TypeAlias = Domain | Literal["public"]
"""A domain, or the statement that the items of the table are public knowledge."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which table holds scores, and in which columns."""

    table: str
    item: str
    score: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a catalogue says of a table; what it promises need not be looked for in the rows."""

    columns: tuple[str, ...]
    """The names of all columns."""

    has_whole_scores: bool
    """Whether the type of the scores admits whole numbers only."""

    has_no_nulls: bool
    """Whether neither items nor scores may be NULL."""

    has_one_row_an_item: bool
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
        """The smallest and the largest item; apart, so that an index has them at its ends."""
        ends = (f"(SELECT {end}({self.item}) FROM {self.table})" for end in ("MIN", "MAX"))
        return f"SELECT {', '.join(ends)}"

    @property
    def count(self) -> str:
        """How many rows there are."""
        return f"SELECT COUNT(*) FROM {self.table}"

    @property
    def items(self) -> str:
        """All items, in order."""
        return f"SELECT {self.item} FROM {self.table} ORDER BY {self.item}"

    def exist(self, conditions: list[str]) -> str:
        """One statement that says for each condition whether a row meets it."""
        found = (f"EXISTS (SELECT 1 FROM {self.table} {condition})" for condition in conditions)
        return f"SELECT {', '.join(found)}"


def quoted(name: str) -> str:
    """Return an identifier as standard SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


def require_columns(columns: Columns, facts: Facts) -> None:
    """Refuse columns that the table does not have."""
    for name in (columns.item, columns.score):
        if name not in facts.columns:
            raise unknown_column(columns.table, name, facts.columns)


def flaws(
    statements: Statements, facts: Facts, domain: Domain, is_fractional: str
) -> list[tuple[str, SelectionError]]:
    """Return conditions on rows that must not be met, each with the error if it is.

    The cheap ones are answered by an index. What the catalogue promises is not asked again.
    """
    item, score = statements.item, statements.score
    wanted = []
    if not facts.has_no_nulls:
        wanted.append((f"WHERE {score} IS NULL", null("score", Reason.MISSING_SCORE)))
        wanted.append((f"WHERE {item} IS NULL", null("item", Reason.UNKNOWN_ITEM)))
    if not facts.has_whole_scores:
        wanted.append((f"WHERE {is_fractional}", fractional()))
    wanted.append((f"WHERE {score} < 0", negative()))
    wanted.append((f"WHERE {score} > {LARGEST_SCORE}", excessive()))
    if not facts.has_one_row_an_item:
        wanted.append((f"GROUP BY {item} HAVING COUNT(*) > 1", twice()))
    if isinstance(domain, RangeDomain) and domain.kind is int:
        wanted.append((f"WHERE {item} < {domain.first}", beyond(domain)))
        wanted.append((f"WHERE {item} > {domain.last}", beyond(domain)))
    return wanted


def resolved(
    declared: Declared | None,
    kind: Kind | None,
    ends: tuple[Any, Any],
    asked: Callable[[str], list[Any]],
    statements: Statements,
) -> Domain:
    """Return the domain as the table writes items; kind is None if it has none to look at.

    A public domain of consecutive numbers is a range, and its items need not be fetched.
    """
    if declared is None or (isinstance(declared, str) and declared != "public"):
        raise undeclared()
    if not isinstance(declared, str):
        return declared if kind is None else declared.of_kind(kind)
    if kind is None:
        raise SelectionError(Reason.EMPTY_DOMAIN, "the table is empty, so it declares no domain")
    first, last = ends
    if kind is int and asked(statements.count) == [last - first + 1]:
        return RangeDomain(first, last)
    return ListedDomain(asked(statements.items))


def negative() -> SelectionError:
    """Return the error of a negative score."""
    return SelectionError(Reason.NEGATIVE_SCORE, "no score may be negative")


def excessive() -> SelectionError:
    """Return the error of a score that doubles do not hold exactly."""
    return SelectionError(Reason.SCORE_OUT_OF_RANGE, f"no score may exceed 2^53 = {LARGEST_SCORE}")


def null(what: str, reason: Reason) -> SelectionError:
    """Return the error of a NULL."""
    return SelectionError(reason, f"no {what} may be NULL")


def beyond(domain: Domain) -> SelectionError:
    """Return the error of a table with items that the declared domain lacks."""
    return SelectionError(
        Reason.UNKNOWN_ITEM, f"the table has an item outside the declared domain {domain!r}"
    )
