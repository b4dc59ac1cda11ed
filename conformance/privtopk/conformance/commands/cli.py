"""The command `privtopk-conformance`: its subcommands and their options.

The exit code is 0 if every subject conforms, and 1 if one fails a requirement. It is 2 if there is
no verdict on a subject, because the command line, the adapter or the harness is wrong, and if what
was found cannot be written. It is 130 if the user interrupts the command, and 141 if nobody reads
its output any more. `play` returns 1 if a game refutes a subject. `vectors --check` returns 1 if
the files differ.
"""

import argparse
import math
import sys
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from privtopk.conformance.commands.catalogue import catalogue
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.games import reporting as games
from privtopk.conformance.games.catalogue import match_at, usual_matches
from privtopk.conformance.games.outcome import outcomes_of
from privtopk.conformance.games.playing import play_matches
from privtopk.conformance.mutants.campaign import kill_all
from privtopk.conformance.report import write_reports
from privtopk.conformance.report.terminal import print_run
from privtopk.conformance.running.calibration import calibrate_oracle
from privtopk.conformance.running.console import show_progress
from privtopk.conformance.running.runner import InterruptedRun, Run, RunPlan, run
from privtopk.conformance.running.smoke import smoke
from privtopk.conformance.scoreboard.command import ENVIRONMENTS, REPORTS, make_scoreboard
from privtopk.conformance.scoreboard.measuring import ScoreboardSetup
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.subjects.extras import import_extra
from privtopk.conformance.subjects.kinds import Kind, Profile
from privtopk.conformance.subjects.loading import AddressError
from privtopk.conformance.vectors import files
from privtopk.conformance.writing import printable_lines, require_writable
from privtopk.spec.console.arguments import CommandParser
from privtopk.spec.console.programs import run_program

REFUSALS: Final = (AddressError, AdapterError)
"""Errors whose text is meant for the user: there is no verdict on a subject."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = command_parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    # Subjects are often modules in the current folder that belong to no package.
    if "" not in sys.path:
        sys.path.insert(0, "")
    return run_program("privtopk-conformance", lambda: command(options), *REFUSALS)


def run_subjects(options: argparse.Namespace) -> int:
    """Test subjects, print the verdicts and write the reports, also if the user interrupts it."""
    plan = shared_plan(options)
    folder = None if options.reports is None else Path(options.reports)
    if folder is not None:
        require_writable(folder)
    runs: list[Run] = []
    try:
        with executor_of(options) as executor:
            for address in options.subjects:
                runs.append(run_subject(address, plan, options, executor))
    except InterruptedRun as interruption:
        runs.append(interruption.run)
        write_run_reports(runs, folder)
        raise
    write_run_reports(runs, folder)
    return max(map(exit_code, runs))


def write_run_reports(runs: Sequence[Run], folder: Path | None) -> None:
    """Write the reports into a folder, if there is one, and print their paths."""
    for path in write_reports(runs, folder) if folder is not None else ():
        print(f"wrote {path}", file=sys.stderr)


def run_subject(
    address: str, plan: RunPlan, options: argparse.Namespace, executor: Executor | None
) -> Run:
    """Test one subject and print its verdicts; after an interruption, those that are known."""
    try:
        with show_progress(address, is_quiet=options.quiet) as progress:
            finished = run(
                address, plan, kind=kind_of(options), executor=executor, progress=progress
            )
    except InterruptedRun as interruption:
        print_run(interruption.run)
        raise
    print_run(finished)
    return finished


def exit_code(finished: Run) -> int:
    """Return the exit code of a run."""
    if finished.count(CaseVerdict.FAIL):
        return 1
    return 0 if finished.is_conforming else 2


def play_games(options: argparse.Namespace) -> int:
    """Let subjects play lower-bound games, and print the outcomes."""
    plan = shared_plan(options)
    matches = tuple(map(match_at, options.game or ())) or usual_matches()
    codes = []
    with executor_of(options) as executor:
        for address in options.subjects:
            with show_progress(address, is_quiet=options.quiet) as progress:
                run = play_matches(address, matches, plan, executor=executor, progress=progress)
            outcomes = outcomes_of(run)
            if options.json:
                print(games.games_json(outcomes), end="", flush=True)
            else:
                games.print_games(outcomes)
            codes.append(games.exit_code(outcomes))
    return max(codes)


def replay(options: argparse.Namespace) -> int:
    """Run one requirement again, with the seed of a report."""
    plan = replace(plan_of(options), only=(options.requirement,))
    with executor_of(options) as executor:
        return exit_code(run_subject(options.subject, plan, options, executor))


def smoke_test(options: argparse.Namespace) -> int:
    """Check that a subject can be loaded and called."""
    lines, is_usable = smoke(options.subject, plan_of(options), kind_of(options))
    print("\n".join(map(printable_lines, lines)))
    return 0 if is_usable else 2


def list_requirements(options: argparse.Namespace) -> int:
    """Print the catalogue of requirements."""
    print(catalogue(kind_of(options), is_markdown=options.markdown))
    return 0


def run_mutants(options: argparse.Namespace) -> int:
    """Check that the oracle fails every mutant."""
    return kill_all(plan_of(options), tuple(options.names))


def run_calibration(options: argparse.Namespace) -> int:
    """Run right implementations many times and count false alarms."""
    return calibrate_oracle(plan_of(options), tuple(options.subjects), options.runs)


def write_vectors(options: argparse.Namespace) -> int:
    """Write the test vectors into a folder, or compare the folder with them."""
    folder = Path(options.folder)
    if options.check:
        return _report_differences(files.differences(folder))
    for path in files.write(folder):
        print(f"wrote {path}", file=sys.stderr)
    return 0


def _report_differences(found: Sequence[str]) -> int:
    print("\n".join(found) if found else "the vectors are up to date")
    return 1 if found else 0


def make_board(options: argparse.Namespace) -> int:
    """Run the oracle on other libraries, and write the scoreboard."""
    setup = ScoreboardSetup(
        Path(options.environments),
        Path(options.reports),
        ("--jobs", str(options.jobs), "--budget", str(options.budget)),
    )
    return make_scoreboard(setup, [Path(page) for page in options.pages], options.names)


def plan_of(options: argparse.Namespace) -> RunPlan:
    """Return the plan that the options describe."""
    return RunPlan(
        seed=options.seed,
        budget=options.budget,
        alarm=options.alarm,
        jobs=options.jobs,
        call_seconds=options.timeout,
        mebibytes=options.memory,
        only=tuple(getattr(options, "only", None) or ()),
        profile=Profile(profile) if (profile := getattr(options, "profile", None)) else None,
        is_in_process=options.in_process,
    )


def shared_plan(options: argparse.Namespace) -> RunPlan:
    """Return the plan of one subject; all subjects of a command share the error budget."""
    plan = plan_of(options)
    return replace(plan, alarm=plan.alarm / len(options.subjects))


def kind_of(options: argparse.Namespace) -> Kind | None:
    """Return the kind that was asked for, or None."""
    return Kind(options.kind) if options.kind else None


def executor_of(options: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """Return the caller's Dask cluster as an executor, or None without one."""
    if options.dask is None:
        return nullcontext()
    client = import_extra("distributed", "dask").Client(options.dask)
    return cast("AbstractContextManager[Executor]", client.get_executor())


def positive_number(text: str) -> float:
    """Return a positive finite number of the command line."""
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"must be positive and finite, got {text}")
    return number


def positive_integer(text: str) -> int:
    """Return a positive whole number of the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {text}")
    return number


def probability(text: str) -> float:
    """Return a probability of the command line."""
    number = float(text)
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"must be strictly between 0 and 1, got {text}")
    return number


SUBJECT: Final = "implementation to test: python:module:attribute or stdio:command"

PLAN_OPTIONS: Final[tuple[tuple[str, Callable[[str], float], str, str], ...]] = (
    ("--seed", int, "seed", "seed of the random numbers of the harness"),
    ("--budget", positive_number, "budget", "factor of the number of trials"),
    ("--alarm", probability, "alarm", "largest probability that a right subject fails"),
    ("--jobs", positive_integer, "jobs", "number of processes"),
    ("--timeout", positive_number, "call_seconds", "seconds per call of the subject"),
    ("--memory", positive_integer, "mebibytes", "memory per process of the subject in MiB"),
)
"""Options of the plan of a run: name, type, field of the plan, and help."""


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        prog="privtopk-conformance",
        description="Test whether an implementation of private top-k selection is right.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(
        name: str, command: Callable[[argparse.Namespace], int], text: str
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text)
        added.set_defaults(command=command)
        return added

    testing = add("run", run_subjects, "test subjects and print the verdicts")
    testing.add_argument("subjects", nargs="+", metavar="SUBJECT", help=SUBJECT)
    testing.add_argument(
        "--only",
        action="append",
        metavar="PREFIX",
        help="run only requirements whose id has this prefix; may be repeated",
    )
    testing.add_argument(
        "--reports",
        metavar="FOLDER",
        help="write reports to this folder: HTML, JSON Lines and JUnit XML",
    )
    _add_plan(testing)

    playing = add("play", play_games, "play lower-bound games with selectors")
    playing.add_argument("subjects", nargs="+", metavar="SUBJECT", help=SUBJECT)
    playing.add_argument(
        "--game",
        action="append",
        metavar="GAME",
        help="game, such as S3 or S3:m=40000,k=1; may be repeated; default: all",
    )
    playing.add_argument("--json", action="store_true", help="print one line of JSON per game")
    _add_plan(playing, is_for_games=True)

    replaying = add("replay", replay, "run one requirement again")
    replaying.add_argument("subject", metavar="SUBJECT", help=SUBJECT)
    replaying.add_argument("requirement", metavar="REQUIREMENT", help="id of the requirement")
    _add_plan(replaying)

    smoking = add("smoke", smoke_test, "check that a subject can be loaded and called")
    smoking.add_argument("subject", metavar="SUBJECT", help=SUBJECT)
    _add_plan(smoking)

    listing = add("list", list_requirements, "print the catalogue of requirements")
    kinds = [kind.value for kind in Kind]
    listing.add_argument("--kind", choices=kinds, help="print only this kind of subject")
    listing.add_argument("--markdown", action="store_true", help="print a Markdown page")

    killing = add("mutants", run_mutants, "check that the oracle fails every mutant")
    killing.add_argument("names", nargs="*", metavar="NAME", help="name of a mutant; default: all")
    _add_plan(killing)

    calibrating = add("calibrate", run_calibration, "count false alarms on right subjects")
    calibrating.add_argument("subjects", nargs="+", metavar="SUBJECT", help=SUBJECT)
    calibrating.add_argument(
        "--runs", type=positive_integer, default=1000, help="number of runs, all subjects together"
    )
    _add_plan(calibrating)

    writing = add("vectors", write_vectors, "write the test vectors as JSON")
    writing.add_argument("folder", metavar="FOLDER", help="folder of the files")
    writing.add_argument("--check", action="store_true", help="compare the files and write nothing")

    boarding = add("scoreboard", make_board, "test other libraries and write the scoreboard")
    boarding.add_argument(
        "names", nargs="*", metavar="NAME", help="name of a library; default: all"
    )
    boarding.add_argument(
        "--pages", nargs="+", default=[], metavar="FILE", help="pages to write: .md or .html"
    )
    folders = (
        ("--environments", ENVIRONMENTS, "folder of virtual environments"),
        ("--reports", REPORTS, "folder of the reports"),
    )
    for option, folder, text in folders:
        boarding.add_argument(option, default=str(folder), metavar="FOLDER", help=text)
    _add_plan_options(boarding, ("--budget", "--jobs"))
    return parser


def _add_plan(parser: argparse.ArgumentParser, *, is_for_games: bool = False) -> None:
    if not is_for_games:
        kinds = [kind.value for kind in Kind]
        parser.add_argument(
            "--kind", choices=kinds, help="kind of the subject, if it does not declare one"
        )
        parser.add_argument(
            "--profile",
            choices=[profile.value for profile in Profile],
            help="test only this profile",
        )
    _add_plan_options(parser, [option for option, *_ in PLAN_OPTIONS])
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="run on the Dask scheduler at this address"
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="call Python subjects in the processes of the harness; they can then forge a verdict",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def _add_plan_options(parser: argparse.ArgumentParser, names: Collection[str]) -> None:
    plan = RunPlan()
    for option, convert, field, text in PLAN_OPTIONS:
        if option in names:
            parser.add_argument(option, type=convert, default=getattr(plan, field), help=text)


if __name__ == "__main__":
    sys.exit(main())
