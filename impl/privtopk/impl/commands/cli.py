"""The command `privtopk`."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from privtopk.impl.commands.select import add_arguments as add_select
from privtopk.impl.plan import as_text, plan
from privtopk.impl.sources.sample_votes import write_votes
from privtopk.spec.model.errors import SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 on success, 1 on a missed target and 2 on a refusal."""
    options = command_parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except SelectionError as error:
        print(f"privtopk: {error}", file=sys.stderr)
        return 2


def run_plan(options: argparse.Namespace) -> int:
    """Print what a selection will cost and promise."""
    figures = plan(
        options.m,
        options.k,
        epsilon=options.epsilon,
        delta=options.delta,
        noise=NoiseKind(options.noise),
        neighbours=Relation(options.neighbours),
        costs=(options.sorted_cost, options.random_cost),
    )
    print(json.dumps(figures.as_json(), indent=2) if options.json else as_text(figures))
    return 0


def run_bench(options: argparse.Namespace) -> int:
    """Measure what the engines promise."""
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
    """Measure costs against every proven bound."""
    try:
        from privtopk.impl.commands.evaluate import evaluate
    except ModuleNotFoundError as error:
        print(f"privtopk: {error}; pip install 'privtopk[evaluate]'", file=sys.stderr)
        return 2
    return evaluate(options.folder, options.pages, options.quick)


def run_sample(options: argparse.Namespace) -> int:
    """Write votes that look real, and say where."""
    domain = write_votes(options.file, options.votes, options.clients, options.items, options.seed)
    print(f"{options.votes:,} votes in {options.file}, {options.items:,} items in {domain}")
    return 0


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="privtopk", description="Private top-k selection.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_select(commands.add_parser("select", help="select from a file or a database"))
    _add_plan(commands.add_parser("plan", help="what a selection will cost and promise"))
    _add_bench(commands.add_parser("bench", help="measure what the engines promise"))
    _add_evaluate(commands.add_parser("evaluate", help="measured costs against proven bounds"))
    _add_sample(commands.add_parser("sample", help="write made-up votes to try things with"))
    return parser


def _add_bench(benching: argparse.ArgumentParser) -> None:
    benching.set_defaults(run=run_bench)
    benching.add_argument("--json", action="store_true", help="print the findings for machines")
    benching.add_argument("--full", action="store_true", help="larger domains, more repetitions")
    benching.add_argument(
        "--sources", action="store_true", help="databases against fetching everything instead"
    )
    benching.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="DATABASE",
        help="of the databases only this one, like postgresql; may be given several times",
    )


def _add_evaluate(evaluating: argparse.ArgumentParser) -> None:
    evaluating.set_defaults(run=run_evaluate)
    evaluating.add_argument(
        "--folder",
        type=Path,
        default=Path("build/evaluation"),
        help="where data and figures go; finished parts found there are not measured again",
    )
    evaluating.add_argument(
        "--pages", type=Path, help="also write evaluation.md, with its figures, to this folder"
    )
    evaluating.add_argument("--quick", action="store_true", help="a few seconds, to try it out")


def _add_sample(sampling: argparse.ArgumentParser) -> None:
    sampling.set_defaults(run=run_sample)
    sampling.add_argument("file", type=Path, metavar="FILE", help="a CSV file of client and item")
    sampling.add_argument("--votes", type=int, default=1_000_000)
    sampling.add_argument("--clients", type=int, default=100_000)
    sampling.add_argument("--items", type=int, default=20_000)
    sampling.add_argument("--seed", type=int, default=1)


def _add_plan(planning: argparse.ArgumentParser) -> None:
    planning.set_defaults(run=run_plan)
    planning.add_argument("-m", type=int, required=True, help="number of items of the domain")
    planning.add_argument("-k", type=int, required=True, help="number of items to select")
    planning.add_argument("--epsilon", type=float, required=True, help="total budget")
    planning.add_argument("--delta", type=float, default=0.0)
    planning.add_argument(
        "--noise", choices=[kind.value for kind in NoiseKind], default=NoiseKind.GUMBEL.value
    )
    planning.add_argument(
        "--neighbours",
        choices=[relation.value for relation in Relation],
        default=Relation.ADD_REMOVE.value,
    )
    planning.add_argument("--sorted-cost", type=float, default=1.0, metavar="PRICE")
    planning.add_argument("--random-cost", type=float, default=1.0, metavar="PRICE")
    planning.add_argument("--json", action="store_true", help="print the plan for machines")


if __name__ == "__main__":
    sys.exit(main())
