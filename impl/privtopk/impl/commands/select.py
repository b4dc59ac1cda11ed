"""The command `privtopk select`: a private selection from a file or a database.

What may be published goes to the standard output. The plan and the audit go to the error stream,
and only on request: the audit depends on the votes and is not private.
"""

import argparse
import csv
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from privtopk.impl.engines.choice import Engine
from privtopk.impl.plan import plan
from privtopk.impl.scores.protocols import Source, Store, costs_of, require_k_of
from privtopk.impl.selection import Audit, Selection
from privtopk.impl.sources.opening import ReadRequest, open_scores, open_votes, parse_domain
from privtopk.impl.sources.table import Declared
from privtopk.impl.top_k import top_k
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.parameters import (
    require_at_least,
    require_delta,
    require_epsilon,
    require_k,
)
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind

WARNING: Final = "NOT PRIVATE: what follows depends on the votes, do not publish it"


def add_select_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=run_select)
    parser.add_argument(
        "place",
        metavar="FILE_OR_URL",
        help="SQLite, DuckDB, CSV or Parquet file, or postgresql://... or redis://...",
    )
    parser.add_argument("--table", metavar="NAME", help="table of the database, or key in Redis")
    parser.add_argument("--item", metavar="COLUMN", default="item", help="column of the items")
    content = parser.add_mutually_exclusive_group()
    content.add_argument("--score", metavar="COLUMN", default="score", help="column of the scores")
    content.add_argument(
        "--client", metavar="COLUMN", help="column of the clients; the rows are votes"
    )
    parser.add_argument(
        "--domain",
        metavar="ITEMS",
        help="all items: a file with one item per line, a number n for 1..n, first..last, "
        "or 'public' if it is no secret which items the table has",
    )
    parser.add_argument("-k", type=int, required=True, help="number of items to select")
    parser.add_argument(
        "--epsilon", type=number, required=True, help="epsilon of the whole selection"
    )
    parser.add_argument(
        "--delta", type=number, default=0, help="delta of the whole selection; 0 is pure privacy"
    )
    add_mechanism_arguments(parser)
    parser.add_argument(
        "--engine", choices=values(Engine), default=Engine.AUTO.value, help="way to select"
    )
    parser.add_argument(
        "--format", choices=["table", "json", "csv"], default="table", help="format of the output"
    )
    parser.add_argument(
        "--explain", action="store_true", help="print the plan to the error stream first"
    )
    parser.add_argument(
        "--audit",
        action="store_true",
        help="print the costs, which are not private, to the error stream",
    )


def add_mechanism_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the noise and the neighbour relation."""
    parser.add_argument(
        "--noise",
        choices=values(NoiseKind),
        default=NoiseKind.GUMBEL.value,
        help="distribution of the noise",
    )
    parser.add_argument(
        "--neighbours",
        choices=values(Relation),
        default=Relation.ADD_REMOVE.value,
        help="neighbour relation of the guarantee",
    )


def run_select(options: argparse.Namespace) -> int:
    """Select, and print what may be published."""
    domain = parse_domain(options.domain)
    require_parameters(options, domain)
    with warnings.catch_warnings(record=True) as caught, show_progress(options) as progress:
        warnings.simplefilter("always")
        scores = open_source(options, domain, progress)
        require_k_of(scores, options.k)
        if options.explain:
            explain(options, scores)
        selection = top_k(
            scores,
            options.k,
            epsilon=options.epsilon,
            delta=options.delta,
            noise=options.noise,
            neighbours=options.neighbours,
            engine=options.engine,
        )
    for warning in caught:
        print(f"privtopk: warning: {warning.message}", file=sys.stderr)
    PRINTERS[options.format](selection)
    if options.audit:
        print_audit(selection.audit)
    return 0


def require_parameters(options: argparse.Namespace, domain: Declared) -> None:
    """Refuse invalid parameters before anything is opened."""
    require_epsilon(options.epsilon)
    require_delta(options.delta)
    if isinstance(domain, str):
        require_at_least("k", options.k, 1)
    else:
        require_k(options.k, domain.size)


def open_source(
    options: argparse.Namespace, domain: Declared, progress: Callable[[float], None]
) -> Source | Store:
    """Return the scores or the counted votes that the options name."""
    request = ReadRequest(options.place, options.table, options.item, domain)
    if options.client is not None:
        return open_votes(request, options.client, progress)
    return open_scores(request, options.score)


def explain(options: argparse.Namespace, source: Source | Store) -> None:
    """Print the costs and the guarantee in advance; they depend on parameters only."""
    figures = plan(
        source.size,
        options.k,
        epsilon=options.epsilon,
        delta=options.delta,
        noise=NoiseKind(options.noise),
        neighbours=Relation(options.neighbours),
        costs=costs_of(source),
    )
    print(figures.as_text(), file=sys.stderr, flush=True)


@contextmanager
def show_progress(options: argparse.Namespace) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on a terminal; yield the function that moves it."""
    what = "reading scores" if options.client is None else "counting votes"
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(what, total=None)
        yield lambda share: bar.update(task, total=1.0, completed=share)


def print_table(selection: Selection) -> None:
    """Print the items and the guarantee for people."""
    for place, item in enumerate(selection.items, start=1):
        print(f"{place:>4}  {item}" if selection.is_ranked else f"   -  {item}")
    order = "best first" if selection.is_ranked else "in no order"
    print(f"{len(selection.items)} items, {order}; {selection.guarantee.statement}")
    for condition in selection.guarantee.conditions:
        print(condition)


def print_json(selection: Selection) -> None:
    """Print the items and the guarantee for machines."""
    print(json.dumps(selection.as_json(), indent=2, ensure_ascii=False))


def print_csv(selection: Selection) -> None:
    """Print one item per row, with its rank if the items are ranked."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    if selection.is_ranked:
        rows.writerow(["rank", "item"])
        rows.writerows(enumerate(selection.items, start=1))
    else:
        rows.writerow(["item"])
        rows.writerows([item] for item in selection.items)


PRINTERS: Final = {"table": print_table, "json": print_json, "csv": print_csv}


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


def number(text: str) -> Number:
    """Return an exact number: both 0.1 and 1/10 are one tenth."""
    try:
        return Fraction(text)
    except ValueError:
        return float(text)


def values(kind: type[Engine] | type[NoiseKind] | type[Relation]) -> list[str]:
    """Return the values of an enumeration."""
    return [member.value for member in kind]
