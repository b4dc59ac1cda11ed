"""Facts about what is printed on a terminal."""

import io

from rich.console import Console

from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.report.terminal import explanation, print_run
from privtopk.conformance.running.runner import Run
from sample_runs import (
    HOSTILE,
    breached_case,
    case_of,
    certain_case,
    every_plot,
    numbers,
    run_of,
    skipped_case,
)


def printed_lines(run: Run, width: int = 100) -> list[str]:
    """Return the lines that a run prints."""
    stream = io.StringIO()
    print_run(run, Console(file=stream, width=width))
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_the_table() -> None:
    """There is one row per requirement that was tried; reasons of skipped ones follow."""
    assert printed_lines(run_of(certain_case(), skipped_case())) == [
        "python:some.module:subject",
        "requirement       verdict  trials    time  evidence of needed  smallest defect",
        "selector.certain  pass         22  0.50 s                   –  a breach in 9.9 %",
        "1 skipped, for the reasons below",
        "",
        "skip  selector.skipped: it has no ranking",
        "",
        "subject conforms: it passes all 1 requirements that concern it; 1 skipped, 1.5 s.",
    ]


def test_evidence_is_printed_beside_what_is_needed() -> None:
    """Evidence and needed evidence are printed side by side, as powers of ten."""
    case = case_of({"coins": (Categories((0.5, 0.5), ("a", "b")), numbers([0, 1] * 50))})
    row = printed_lines(run_of(case))[2]
    assert f"10^−{-case.log_e / 2.302585:.1f} of 10^7.0" in row


def test_a_failure_is_explained() -> None:
    """An explanation has the requirement, message, likely bug, claims, seed and command."""
    run = run_of(breached_case("returned 3 items"))
    assert explanation(run, run.cases[0]).splitlines() == [
        "fail  selector.breached",
        "  required  The answer is right.",
        "  happened  returned 3 items",
        "  likely    the answer is wrong",
        "  claim     Algorithm 2 (algo:one-shot): The one-shot algorithm adds noise to every score "
        "and returns the k largest.",
        "  claim     Definition 3.1 (def:noise): For b in R, Laplace(b) and Gumbel(b) have the "
        "printed densities. Corrected: For b > 0.",
        "  seed      0",
        "  again     privtopk-conformance replay python:some.module:subject selector.breached "
        "--seed 0",
    ]


def test_an_explanation_of_several_lines_is_indented() -> None:
    """A message of several lines keeps them, indented."""
    run = run_of(breached_case("ended\nwith two lines"))
    assert "  happened  ended\n            with two lines\n" in explanation(run, run.cases[0])


def test_what_a_subject_writes_is_no_markup() -> None:
    """Neither markup of the console nor control characters have an effect."""
    text = "\n".join(printed_lines(run_of(breached_case(HOSTILE))))
    assert "[bold]no\\x1b[31m" in text
    assert "\x1b" not in text


def test_a_command_is_never_wrapped() -> None:
    """A command can be copied from a narrow terminal."""
    lines = printed_lines(run_of(breached_case()), width=40)
    command = "privtopk-conformance replay python:some.module:subject selector.breached --seed 0"
    assert f"  again     {command}" in lines


def test_failures_come_last_before_the_verdict() -> None:
    """Errors, failures and the verdict come last, nearest to the prompt."""
    lines = printed_lines(every_plot())
    error = lines.index("error  selector.broken")
    assert error < lines.index("fail  selector.wrong") < lines.index("fail  selector.breached")
    assert lines[-1].startswith("subject does not conform: it fails 2 of 6 requirements (")
