"""The command `privtopk`: its subcommands and their options."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from privtopk.impl.commands.select import add_mechanism_arguments, add_select_arguments
from privtopk.impl.plan import plan
from privtopk.impl.sources.sample_votes import write_votes
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 on success, 1 on a missed target and 2 on an error."""
    options = command_parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except SelectionError as error:
        print(f"privtopk: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print("privtopk: not enough memory", file=sys.stderr)
        return 2


def run_plan(options: argparse.Namespace) -> int:
    """Print the costs and the guarantee of a selection."""
    figures = plan(
        options.m,
        options.k,
        epsilon=options.epsilon,
        delta=options.delta,
        noise=NoiseKind(options.noise),
        neighbours=Relation(options.neighbours),
        costs=(options.sorted_cost, options.random_cost),
    )
    print(json.dumps(figures.as_json(), indent=2) if options.json else figures.as_text())
    return 0


def run_bench(options: argparse.Namespace) -> int:
    """Measure the engines or the databases against their targets."""
    try:
        from privtopk.impl.commands.bench import bench, bench_sources
        from privtopk.impl.measurement.bench.sizes import DEFAULT, FULL
    except ModuleNotFoundError as error:
        print(f"privtopk: {error}; pip install 'privtopk[bench]'", file=sys.stderr)
        return 2
    if options.sources or options.only:
        return bench_sources(options.json, options.only)
    return bench(FULL if options.full else DEFAULT, options.json)


def run_evaluate(options: argparse.Namespace) -> int:
    """Measure the costs and compare them with every proven bound."""
    try:
        from privtopk.impl.commands.evaluate import evaluate
    except ModuleNotFoundError as error:
        print(f"privtopk: {error}; pip install 'privtopk[evaluate]'", file=sys.stderr)
        return 2
    return evaluate(options.folder, options.pages, options.quick)


def run_sample(options: argparse.Namespace) -> int:
    """Write generated votes, and print where they are."""
    domain = write_votes(options.file, options.votes, options.clients, options.items, options.seed)
    print(f"{options.votes:,} votes in {options.file}, {options.items:,} items in {domain}")
    return 0


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="privtopk", description="Select the top k items with differential privacy."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_select_arguments(commands.add_parser("select", help="select from a file or a database"))
    _add_plan(commands.add_parser("plan", help="print the cost and the guarantee of a selection"))
    _add_bench(commands.add_parser("bench", help="measure the engines against targets"))
    _add_evaluate(commands.add_parser("evaluate", help="compare measured costs with proven bounds"))
    _add_sample(commands.add_parser("sample", help="write generated votes to a file"))
    return parser


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_bench)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--full", action="store_true", help="use larger domains and repeat more often"
    )
    parser.add_argument(
        "--sources",
        action="store_true",
        help="measure the databases instead; compare them with fetching all scores",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="DATABASE",
        help="measure only this database, such as postgresql; may be repeated",
    )


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_evaluate)
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("build/evaluation"),
        help="folder of data and figures; finished parts that it has are not measured again",
    )
    parser.add_argument(
        "--pages", type=Path, help="write evaluation.md and its figures to this folder too"
    )
    parser.add_argument("--quick", action="store_true", help="run a small study of a few seconds")


def _add_sample(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_sample)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="CSV file to write, with columns client and item"
    )
    parser.add_argument("--votes", type=int, default=1_000_000, help="number of votes")
    parser.add_argument("--clients", type=int, default=100_000, help="number of clients")
    parser.add_argument("--items", type=int, default=20_000, help="number of items")
    parser.add_argument("--seed", type=int, default=1, help="seed of the votes")


def _add_plan(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run_plan)
    parser.add_argument("-m", type=int, required=True, help="number of items in the domain")
    parser.add_argument("-k", type=int, required=True, help="number of items to select")
    parser.add_argument(
        "--epsilon", type=float, required=True, help="epsilon of the whole selection"
    )
    parser.add_argument(
        "--delta", type=float, default=0.0, help="delta of the whole selection; 0 is pure privacy"
    )
    add_mechanism_arguments(parser)
    for door in ("sorted", "random"):
        price = f"price of one {door} access"
        parser.add_argument(f"--{door}-cost", type=float, default=1.0, metavar="PRICE", help=price)
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")


if __name__ == "__main__":
    sys.exit(main())
