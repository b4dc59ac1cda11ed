"""The command `python -m privtopk.spec`: runs every check and prints the claims."""

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from privtopk.spec.console.arguments import CommandParser
from privtopk.spec.console.programs import run_program

EXTRA = {
    "crosshair": "crosshair-tool",
    "z3": "z3-solver",
    "sympy": "sympy",
    "flint": "python-flint",
}
"""Modules that the checks import, with the names of their distributions."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if the checks confirm the status of every claim."""
    return run_program("privtopk.spec", lambda: run_command(arguments))


def run_command(arguments: Sequence[str] | None) -> int:
    """Carry out the command, or print what to install to run it."""
    options = command_parser().parse_args(arguments)
    missing = [name for module, name in EXTRA.items() if importlib.util.find_spec(module) is None]
    if missing:
        needed = ", ".join(missing)
        print(f"the checks need {needed}: pip install 'privtopk[prove]'", file=sys.stderr)
        return 2
    from privtopk.spec.proofs.gate.command import GateOptions, carry_out

    return carry_out(
        GateOptions(
            only=options.only,
            is_quick=options.quick,
            is_json=options.json,
            is_list=options.list,
            write_docs=options.write_docs,
            check_docs=options.check_docs,
            jobs=options.jobs,
        )
    )


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        prog="python -m privtopk.spec", description="Run the checks of every claim."
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="leave out slow and symbolic checks, searches and seeded bugs",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=(),
        metavar="NAME",
        help="run only checks, theorems and bugs with this name or claim; * and ? are wildcards",
    )
    parser.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="number of processes; default: one per processor",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="print the names and run nothing")
    action.add_argument("--write-docs", type=Path, metavar="DIR", help="write the generated pages")
    action.add_argument(
        "--check-docs", type=Path, metavar="DIR", help="fail if a generated page is out of date"
    )
    return parser


def _positive(text: str) -> int:
    """Return a number of processes."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


if __name__ == "__main__":
    sys.exit(main())
