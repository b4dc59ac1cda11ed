"""Facts about the findings of a run."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.evidence.e_process import Categories, Uniform
from privtopk.conformance.report.findings import (
    ClaimCitation,
    findings_of,
    replay_command,
)
from privtopk.conformance.running.runner import RunPlan
from privtopk.conformance.subjects.kinds import Kind, Profile
from privtopk.conformance.writing import printable_lines
from sample_runs import (
    HOSTILE,
    breached_case,
    case_of,
    certain_case,
    every_plot,
    numbers,
    run_of,
    skipped_case,
    undecided_case,
)

COINS = Categories((0.5, 0.5), ("head", "tail"))


def test_a_passed_requirement() -> None:
    """The finding of a passed requirement has numbers, claims, streams and the smallest defect."""
    case = case_of({"coins": (COINS, numbers([0, 1] * 200))})
    (finding,) = findings_of(run_of(case)).findings
    (stream,) = finding.streams
    assert (finding.id, finding.verdict, finding.bug) == ("selector.sample", CaseVerdict.PASS, None)
    assert (finding.trials, finding.seconds) == (400, 1.0)
    assert finding.log_evidence == case.log_e
    assert finding.log_needed == pytest.approx(7 * math.log(10))
    assert (stream.experiment, stream.name, stream.null) == ("h=(0, 2)", "coins", "Categories")
    assert stream.observations == 400
    assert finding.finest == finding.coarsest == stream.defect
    assert stream.defect is not None
    assert finding.defect == stream.defect.short


def test_claims_are_cited_with_their_corrections() -> None:
    """A claim that does not hold as printed is cited with its correction."""
    (finding,) = findings_of(run_of(certain_case())).findings
    assert finding.citations[0] == ClaimCitation(
        "algo:one-shot",
        "Algorithm 2",
        "The one-shot algorithm adds noise to every score and returns the k largest.",
        "",
    )
    assert finding.citations[1].sentence.endswith(" Corrected: For b > 0.")


def test_a_failed_requirement_has_a_likely_bug() -> None:
    """A failed requirement has a likely bug, and no smallest defect."""
    case = case_of({"residuals": (Uniform(), np.full(400, 0.3))})
    (finding,) = findings_of(run_of(case)).findings
    assert (finding.verdict, finding.bug) == (CaseVerdict.FAIL, "the answer is wrong")
    assert finding.defect is None


def test_a_certain_requirement_has_no_evidence() -> None:
    """If nothing is random, a breach in a tenth of the trials would have been found."""
    (finding,) = findings_of(run_of(certain_case(trials=22))).findings
    assert (finding.log_evidence, finding.log_needed) == (None, None)
    assert finding.defect == "a breach in 9.9 %"


def test_streams_of_different_lengths_show_different_defects() -> None:
    """A finding has the range of smallest defects, and the number of streams without one."""
    streams = {
        "many": (COINS, numbers([0, 1] * 2000)),
        "few": (COINS, numbers([0, 1] * 100)),
        "none": (COINS, numbers([])),
    }
    (finding,) = findings_of(run_of(case_of(streams))).findings
    many, few, none = (stream.defect for stream in finding.streams)
    assert (finding.finest, finding.coarsest, none) == (many, few, None)
    assert many is not None
    assert few is not None
    assert finding.defect == f"{many.nats:.2g} to {few.nats:.2g} nats"
    assert finding.blind_streams == 1


def test_p_values_are_adjusted_over_the_whole_run() -> None:
    """Holm multiplies the smallest of two p-values by two, whichever requirement has it."""
    uneven = case_of({"coins": (COINS, numbers([0] * 120 + [1] * 80))}, "selector.uneven")
    even = case_of({"coins": (COINS, numbers([0, 1] * 100))}, "selector.even")
    first, second = findings_of(run_of(uneven, certain_case(), even)).findings[::2]
    assert first.streams[0].test is not None
    assert first.streams[0].holm == pytest.approx(2 * first.streams[0].test.p_value)
    assert second.streams[0].holm == 1.0


def test_a_run_is_dated_in_utc() -> None:
    """The findings have a date in UTC and the version of the package."""
    date = datetime(2030, 1, 2, 3, 4, tzinfo=UTC)
    found = findings_of(run_of(certain_case()), date)
    assert (found.date, found.version.count(".")) == (date, 2)
    assert findings_of(run_of()).date.tzinfo is UTC


@pytest.mark.parametrize(
    ("cases", "sentence"),
    [
        (
            (certain_case(), skipped_case()),
            "subject conforms: it passes all 1 requirements that concern it; 1 skipped, 1.5 s.",
        ),
        (
            (certain_case(), breached_case()),
            "subject does not conform: it fails 1 of 2 requirements (selector.breached); "
            "0 skipped, 1.5 s.",
        ),
        (
            (certain_case(), undecided_case()),
            "subject is undecided: 1 of 2 requirements could not be tested; 0 skipped, 1.5 s.",
        ),
        (
            (skipped_case(),),
            "subject is undecided: no requirement was tested; 1 skipped, 1.5 s.",
        ),
    ],
)
def test_the_verdict_in_one_sentence(cases: tuple[Case, ...], sentence: str) -> None:
    """The verdict in one sentence names the requirements that failed."""
    assert findings_of(run_of(*cases)).sentence == sentence


def test_a_case_without_verdict_is_an_error() -> None:
    """A case without a verdict counts as an error."""
    unfinished = Case(certain_case().requirement, (), 0.0)
    (finding,) = findings_of(run_of(unfinished)).findings
    assert finding.verdict is CaseVerdict.ERROR


def test_the_command_that_replays() -> None:
    """The replay command leaves out options that have their default."""
    command = replay_command(run_of(), "selector.shape")
    assert command == (
        "privtopk-conformance replay python:some.module:subject selector.shape --seed 0"
    )


def test_the_command_that_replays_repeats_options() -> None:
    """The replay command has all options that can change the verdict, quoted for a shell."""
    plan = RunPlan(
        seed=7,
        budget=0.2,
        alarm=5e-7,
        call_seconds=0.5,
        mebibytes=512,
        profile=Profile.NOISE_SERVED,
        jobs=8,
    )
    run = run_of(plan=plan, address="python:a b:c", kind=Kind.SOURCE)
    assert replay_command(run, "source.pages") == (
        "privtopk-conformance replay 'python:a b:c' source.pages --seed 7 --kind source "
        "--budget 0.2 --alarm 5e-07 --profile noise-served --timeout 0.5 --memory 512"
    )


def test_what_a_subject_writes_is_made_printable() -> None:
    """Control characters and unpaired surrogates in texts of a subject are escaped."""
    text = "<script>alert('no')</script> & [bold]no\\x1b[31m \\ud800"
    assert printable_lines(HOSTILE) == text
    assert printable_lines("two\nlines\tü\x00") == "two\nlines\\tü\\x00"
    (finding,) = findings_of(run_of(breached_case(HOSTILE))).findings
    assert finding.message == text


def test_counts() -> None:
    """Every verdict of a mixed run is counted."""
    found = findings_of(every_plot())
    counts = {verdict.value: found.count(verdict) for verdict in CaseVerdict}
    assert counts == {"pass": 3, "fail": 2, "skip": 1, "error": 1}
    assert not found.is_conforming
