"""Facts about findings that are written as JSON Lines and read back."""

from dataclasses import replace

import numpy as np

from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.report.findings import Frequency, findings_of
from privtopk.conformance.report.json_lines import json_lines
from privtopk.conformance.report.json_reading import read_json_lines
from privtopk.conformance.subjects.kinds import Abilities, Mechanism, Profile
from privtopk.spec.noise.distributions import NoiseKind
from sample_runs import breached_case, case_of, certain_case, every_plot, numbers, run_of


def test_what_was_written_is_read_back() -> None:
    """Findings of every verdict and every stream come back whole, one run after another."""
    written = [findings_of(every_plot()), findings_of(run_of(certain_case(), breached_case()))]
    assert list(read_json_lines(json_lines(written))) == written


def test_what_a_subject_says_of_itself_is_read_back() -> None:
    """What a subject declares is read back as the same members of enumerations."""
    abilities = Abilities(
        mechanism=Mechanism.PERMUTE_AND_FLIP,
        noises=tuple(NoiseKind),
        profiles=tuple(Profile),
        is_sampler=True,
    )
    written = findings_of(replace(run_of(certain_case()), abilities=abilities))
    (read,) = read_json_lines(json_lines([written]))
    assert repr(read.abilities) == repr(abilities)


def test_infinite_evidence_is_read_back() -> None:
    """The string "Infinity" is read as a number."""
    case = case_of({"sets": (Categories((1.0, 0.0), ("a", "b")), numbers([0, 1]))}, pieces=1)
    written = findings_of(run_of(case))
    assert read_json_lines(json_lines([written])) == (written,)


def test_a_failure_says_what_came_how_often() -> None:
    """The failed experiment is named, with every category's expected and observed count."""
    null = Categories((0.75, 0.25), ("a", "b"))
    case = case_of({"sets": (null, np.ones(400))})
    (finding,) = findings_of(run_of(case)).findings
    (stream,) = finding.streams
    n = stream.observations
    assert finding.experiment == "h=(0, 2)"
    assert stream.frequencies == (Frequency("a", 0.75 * n, 0), Frequency("b", 0.25 * n, n))


def test_a_pass_lists_no_frequencies() -> None:
    """An experiment that did not fail has no frequencies."""
    null = Categories((0.5, 0.5), ("a", "b"))
    (finding,) = findings_of(run_of(case_of({"sets": (null, numbers([0, 1] * 20))}))).findings
    assert (finding.experiment, finding.streams[0].frequencies) == (None, ())
