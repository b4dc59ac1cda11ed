"""Prints a selection as a table, as JSON or as CSV, and its costs to the error stream.

An item may be hostile text. The table escapes what a terminal would obey; JSON and CSV are exact.
JSON is ASCII and CSV is UTF-8, whatever the locale says.
"""

import io
import json
import sys
from typing import Final

from privtopk.impl.selection import Audit, Selection
from privtopk.spec.console.escaping import printable
from privtopk.spec.model.errors import Reason, SelectionError

WARNING: Final = "NOT PRIVATE: what follows depends on the votes, do not publish it"

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet runs a cell that begins with one of these as a formula."""


def print_table(selection: Selection) -> None:
    """Print the items, the guarantee and what it assumes, for people."""
    for place, item in enumerate(selection.items, start=1):
        mark = place if selection.is_ranked else "-"
        print(f"{mark:>4}  {printable(str(item))}")
    order = "best first" if selection.is_ranked else "in no order"
    print(f"{len(selection.items)} items, {order}; {selection.guarantee.statement}")
    for condition in selection.guarantee.conditions:
        print(condition)


def print_json(selection: Selection) -> None:
    """Print the items and the guarantee for machines."""
    print(json.dumps(selection.as_json(), indent=2))


def print_csv(selection: Selection) -> None:
    """Print one item per row, with its rank if the items are ranked."""
    print_rows(selection, [str(item) for item in selection.items])


def print_spreadsheet(selection: Selection) -> None:
    """Print CSV without formulas: a text that could be one gets a leading apostrophe."""
    print_rows(selection, [inert_cell(item) for item in selection.items])


def print_rows(selection: Selection, cells: list[str]) -> None:
    """Print the header and the cells of the items as CSV."""
    rows = [quote_cell(cell) for cell in cells]
    if selection.is_ranked:
        rows = [f"{rank},{row}" for rank, row in enumerate(rows, start=1)]
    text = "\n".join(["rank,item" if selection.is_ranked else "item", *rows])
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(text)


def inert_cell(item: object) -> str:
    """Return an item as a cell that no spreadsheet runs; a number is no formula."""
    text = str(item)
    return f"'{text}" if isinstance(item, str) and text.startswith(FORMULA_STARTS) else text


def quote_cell(text: str) -> str:
    """Return a cell of a CSV file, in quotes if readers could otherwise change or split it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SelectionError(
            Reason.UNKNOWN_ITEM,
            f"item {text!r} is not Unicode, so CSV cannot hold it; use --format json",
        ) from None
    is_plain = text == printable(text).strip() != "" and not set(',"') & set(text)
    return text if is_plain else '"' + text.replace('"', '""') + '"'


PRINTERS: Final = {
    "table": print_table,
    "json": print_json,
    "csv": print_csv,
    "spreadsheet": print_spreadsheet,
}
"""How each format is printed."""


def print_audit(audit: Audit) -> None:
    """Print the costs of the selection to the error stream, after a warning."""
    lines = (
        ("engine", f"{audit.engine} ({audit.reason})"),
        ("sorted accesses", f"{audit.sorted_accesses:,}"),
        ("random accesses", f"{audit.random_accesses:,}"),
        ("round trips", f"{audit.round_trips:,}"),
        ("noise draws", f"{audit.noise_draws:,}"),
        ("seconds", f"{audit.seconds:.4g}"),
    )
    print(WARNING, file=sys.stderr)
    for name, value in lines:
        print(f"{name:<16} {value}", file=sys.stderr)
