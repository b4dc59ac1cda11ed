"""The command `privtopk-conformance`.

Exit codes: 0 if every subject conforms, 1 if one fails a requirement, 2 if nothing can be said
of one, because of the command line, the adapter or the harness. `play` returns 1 if a game
refutes a subject. `vectors --check` returns 1 if the files differ.
"""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import cast

from privtopk.conformance.commands.catalogue import catalogue
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.games import reporting as games
from privtopk.conformance.games.catalogue import match_at, usual_matches
from privtopk.conformance.games.outcome import outcomes_of
from privtopk.conformance.games.playing import play
from privtopk.conformance.mutants.campaign import kill_all
from privtopk.conformance.report import write_reports
from privtopk.conformance.report.terminal import print_run
from privtopk.conformance.running.calibration import calibrate_oracle
from privtopk.conformance.running.console import ConsoleProgress
from privtopk.conformance.running.runner import Run, RunPlan, run
from privtopk.conformance.running.smoke import smoke
from privtopk.conformance.scoreboard.command import ENVIRONMENTS, REPORTS, make_scoreboard
from privtopk.conformance.scoreboard.measuring import ScoreboardSetup
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.subjects.extras import import_extra
from privtopk.conformance.subjects.kinds import Kind, Profile
from privtopk.conformance.subjects.loading import AddressError
from privtopk.conformance.vectors import files


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = command_parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    # Subjects are often modules beside the caller, who is not a package.
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return command(options)
    except (AddressError, AdapterError) as error:
        print(f"privtopk-conformance: {error}", file=sys.stderr)
        return 2


def run_subjects(options: argparse.Namespace) -> int:
    """Test subjects, print the verdicts and write the reports."""
    plan = plan_of(options)
    # The subjects share the error budget, so that it holds for the whole command.
    shared = replace(plan, alarm=plan.alarm / len(options.subjects))
    with ExitStack() as stack:
        executor = stack.enter_context(executor_of(options))
        runs = [run_subject(address, shared, options, executor) for address in options.subjects]
    if options.reports is not None:
        for path in write_reports(runs, Path(options.reports)):
            print(f"wrote {path}", file=sys.stderr)
    return max(map(exit_code, runs))


def run_subject(
    address: str, plan: RunPlan, options: argparse.Namespace, executor: Executor | None
) -> Run:
    """Test one subject and print its verdicts."""
    kind = Kind(options.kind) if options.kind else None
    with ConsoleProgress(address, options.quiet) as progress:
        finished = run(address, plan, kind=kind, executor=executor, progress=progress)
    print_run(finished)
    return finished


def exit_code(finished: Run) -> int:
    """Return what a run is worth to a caller."""
    if finished.count(CaseVerdict.FAIL):
        return 1
    return 0 if finished.is_conforming else 2


def play_games(options: argparse.Namespace) -> int:
    """Let subjects play lower-bound games, and print what became of them."""
    plan = plan_of(options)
    shared = replace(plan, alarm=plan.alarm / len(options.subjects))
    matches = tuple(map(match_at, options.game or ())) or usual_matches()
    codes = []
    with executor_of(options) as executor:
        for address in options.subjects:
            with ConsoleProgress(address, options.quiet) as progress:
                run = play(address, matches, shared, executor=executor, progress=progress)
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
    """Tell whether a subject can be loaded and called at all."""
    kind = Kind(options.kind) if options.kind else None
    lines, is_usable = smoke(options.subject, plan_of(options), kind)
    print("\n".join(lines))
    return 0 if is_usable else 2


def list_requirements(options: argparse.Namespace) -> int:
    """Print the catalogue of requirements."""
    kind = Kind(options.kind) if options.kind else None
    print(catalogue(kind, is_markdown=options.markdown))
    return 0


def run_mutants(options: argparse.Namespace) -> int:
    """Let the oracle kill every wrong implementation that it knows."""
    return kill_all(plan_of(options), tuple(options.names))


def run_calibration(options: argparse.Namespace) -> int:
    """Run right implementations very often and count false alarms."""
    return calibrate_oracle(plan_of(options), tuple(options.subjects), options.runs)


def write_vectors(options: argparse.Namespace) -> int:
    """Write the test vectors into a folder, or compare a folder with what would be written."""
    folder = Path(options.folder)
    try:
        if options.check:
            return _report_differences(files.differences(folder))
        for path in files.write(folder):
            print(f"wrote {path}", file=sys.stderr)
    except OSError as error:
        print(f"privtopk-conformance: {error}", file=sys.stderr)
        return 2
    return 0


def _report_differences(found: Sequence[str]) -> int:
    print("\n".join(found) if found else "the vectors are those that would be written")
    return 1 if found else 0


def make_board(options: argparse.Namespace) -> int:
    """Run the oracle on every library that it knows, and write the scoreboard."""
    setup = ScoreboardSetup(
        Path(options.environments),
        Path(options.reports),
        ("--jobs", str(options.jobs), "--budget", str(options.budget)),
    )
    return make_scoreboard(setup, [Path(page) for page in options.pages], options.names)


def plan_of(options: argparse.Namespace) -> RunPlan:
    """Return how the runs are to be made."""
    return RunPlan(
        seed=options.seed,
        budget=options.budget,
        alarm=options.alarm,
        jobs=options.jobs,
        call_seconds=options.timeout,
        mebibytes=options.memory,
        only=tuple(getattr(options, "only", None) or ()),
        profile=Profile(profile) if (profile := getattr(options, "profile", None)) else None,
    )


def executor_of(options: argparse.Namespace) -> AbstractContextManager[Executor | None]:
    """Return the caller's Dask cluster as an executor, or nothing."""
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


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="privtopk-conformance",
        description="Decide whether an implementation of private top-k selection is right.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    testing = commands.add_parser("run", help="test subjects, given as python:module:attribute")
    testing.set_defaults(command=run_subjects)
    testing.add_argument("subjects", nargs="+", metavar="SUBJECT")
    testing.add_argument("--only", action="append", metavar="PREFIX", help="requirements to run")
    testing.add_argument("--reports", metavar="FOLDER", help="write HTML, JSON Lines and JUnit XML")
    _add_plan(testing)

    playing = commands.add_parser("play", help="play lower-bound games with selectors")
    playing.set_defaults(command=play_games)
    playing.add_argument("subjects", nargs="+", metavar="SUBJECT")
    playing.add_argument(
        "--game", action="append", metavar="GAME", help="such as S3 or S3:m=40000,k=1; all if none"
    )
    playing.add_argument("--json", action="store_true", help="print a line of JSON a game")
    _add_plan(playing, is_for_games=True)

    replaying = commands.add_parser("replay", help="run one requirement again")
    replaying.set_defaults(command=replay)
    replaying.add_argument("subject", metavar="SUBJECT")
    replaying.add_argument("requirement", metavar="REQUIREMENT")
    _add_plan(replaying)

    smoking = commands.add_parser("smoke", help="tell whether a subject can be called at all")
    smoking.set_defaults(command=smoke_test)
    smoking.add_argument("subject", metavar="SUBJECT")
    _add_plan(smoking)

    listing = commands.add_parser("list", help="print the catalogue of requirements")
    listing.set_defaults(command=list_requirements)
    listing.add_argument("--kind", choices=[kind.value for kind in Kind])
    listing.add_argument("--markdown", action="store_true", help="print it as a page")

    killing = commands.add_parser("mutants", help="let the oracle kill wrong implementations")
    killing.set_defaults(command=run_mutants)
    killing.add_argument("names", nargs="*", metavar="NAME", help="some of them; all if none")
    _add_plan(killing)

    calibrating = commands.add_parser("calibrate", help="count false alarms on right subjects")
    calibrating.set_defaults(command=run_calibration)
    calibrating.add_argument("subjects", nargs="+", metavar="SUBJECT")
    calibrating.add_argument(
        "--runs", type=positive_integer, default=1000, help="runs of all subjects"
    )
    _add_plan(calibrating)

    writing = commands.add_parser("vectors", help="write the test vectors as JSON")
    writing.set_defaults(command=write_vectors)
    writing.add_argument("folder", metavar="FOLDER")
    writing.add_argument("--check", action="store_true", help="compare, and write nothing")

    boarding = commands.add_parser("scoreboard", help="test other libraries and write the pages")
    boarding.set_defaults(command=make_board)
    boarding.add_argument("names", nargs="*", metavar="NAME", help="some of them; all if none")
    boarding.add_argument("--pages", nargs="+", default=[], metavar="FILE", help=".md or .html")
    boarding.add_argument("--environments", default=str(ENVIRONMENTS), metavar="FOLDER")
    boarding.add_argument("--reports", default=str(REPORTS), metavar="FOLDER")
    boarding.add_argument("--budget", type=positive_number, default=RunPlan().budget)
    boarding.add_argument("--jobs", type=positive_integer, default=RunPlan().jobs)
    return parser


def _add_plan(parser: argparse.ArgumentParser, *, is_for_games: bool = False) -> None:
    plan = RunPlan()
    if not is_for_games:
        kinds = [kind.value for kind in Kind]
        parser.add_argument("--kind", choices=kinds, help="if it does not say")
        parser.add_argument("--profile", choices=[profile.value for profile in Profile])
    parser.add_argument("--seed", type=int, default=plan.seed, help="of the harness's own coins")
    parser.add_argument(
        "--budget",
        type=positive_number,
        default=plan.budget,
        help="multiplies the numbers of trials",
    )
    parser.add_argument(
        "--alarm",
        type=probability,
        default=plan.alarm,
        help="probability to accuse a right subject",
    )
    parser.add_argument("--jobs", type=positive_integer, default=plan.jobs, help="processes to use")
    parser.add_argument("--dask", metavar="ADDRESS", help="an existing Dask scheduler to use")
    parser.add_argument(
        "--timeout", type=positive_number, default=plan.call_seconds, help="seconds a call may take"
    )
    parser.add_argument(
        "--memory",
        type=positive_integer,
        default=plan.mebibytes,
        help="MiB a subject's process may take",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")


if __name__ == "__main__":
    sys.exit(main())
