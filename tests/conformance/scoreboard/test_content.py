"""Facts about the content of the scoreboard for given results."""

from dataclasses import replace

from conformance.support_scoreboard import (
    DATE,
    LEFT_OUT,
    MISSING,
    WRONG,
    right_result,
    wrong_result,
)
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.report.findings import Frequency
from privtopk.conformance.scoreboard.content import (
    evidence_text,
    failure_facts,
    failure_sections,
    frequencies_text,
    provenance,
    scoreboard_blocks,
    subject_sections,
    subject_table,
    verdict_table,
)
from privtopk.conformance.scoreboard.document import Code, FactList, Heading, Paragraph, Table

RESULTS = [right_result(), wrong_result()]


def test_the_page_says_when_and_with_what_it_was_made() -> None:
    """The page has the versions of privtopk and of Python, the false alarm and the budget."""
    assert provenance(RESULTS, DATE) == (
        "Made on 16 November 2026, 12:30 UTC with privtopk 0.1.0 and Python 3.11.7, 3.12.1; "
        "false alarm 1e-06 per subject, budget 1."
    )


def test_a_subject_has_its_figures_in_a_row() -> None:
    """Counts, trials, the time of the run and that of a selection are those of the run."""
    table = subject_table(RESULTS)
    assert table.names == (
        "Subject",
        "Version",
        "Pass",
        "Fail",
        "Error",
        "Skip",
        "Trials",
        "Run",
        "10 of 1,000",
    )
    assert table.rows == (
        ("1. right_library", "1.5", "1", "0", "0", "2", "22", "1.50 s", "1.23 ms"),
        ("2. wrong library", "1.0", "0", "2", "0", "1", "103", "1.50 s", "250 ms"),
    )


def test_verdicts_stand_requirement_by_subject() -> None:
    """A requirement that all skip has no row; one that is missing in a run counts as skipped."""
    assert verdict_table(RESULTS) == Table(
        "Requirement by subject",
        ("Requirement", "1", "2"),
        (
            ("selector.shape", CaseVerdict.PASS, CaseVerdict.FAIL),
            ("selector.set-law", CaseVerdict.SKIP, CaseVerdict.FAIL),
        ),
        1,
    )


def test_a_subject_is_described_as_its_entry_says() -> None:
    """The section of a subject has its call, law, neighbours, scale, reading and arithmetic."""
    _, head, facts, *_ = subject_sections(RESULTS)
    assert head == Heading(3, "1. right_library")
    assert facts == FactList(
        (
            ("Call", "right.select(scores, k)"),
            ("Claimed law", "noisy top-k"),
            ("Neighbours", "add-remove"),
            ("Scale from", "the library"),
            ("Reads", "every score"),
            ("Arithmetic", "exact | rationals"),
        )
    )


def test_a_failure_is_reported_in_full() -> None:
    """The smallest program and its output come first, then each failure with its command."""
    head, small, program, printed, breach, facts, again, law, *_ = list(failure_sections(RESULTS))[
        1:
    ]
    assert head == Heading(3, "wrong library, wrong 1.0")
    assert small == Paragraph(
        "The smallest program that shows the failure, without the oracle, and its output:"
    )
    assert (program, printed) == (Code("print(1)", "py"), Code("1", "text"))
    assert (breach, law) == (Heading(4, "selector.shape"), Heading(4, "selector.set-law"))
    assert facts == FactList(
        (
            ("Required", "The answer is right."),
            ("Call", "right.select(scores, k)"),
            ("Claimed law", "noisy top-k"),
            ("Setting", "m=5"),
            ("Observed", "the subject raised ValueError: NaN | <b>"),
            ("Samples", "3"),
            ("E-value", "– (a certain breach)"),
        )
    )
    assert again == Code(
        "build/environments/wrong-1.0/bin/privtopk-conformance replay python:some.module:subject "
        "selector.shape --seed 0",
        "sh",
    )


def test_a_statistical_failure_has_its_counts_and_its_e_value() -> None:
    """The facts have the expected and the seen counts instead of a message."""
    *_, facts, _ = failure_sections(RESULTS)
    assert isinstance(facts, FactList)
    facts_by_term = dict(facts.pairs)
    assert facts_by_term["Expected and seen, outcomes"] == "1: 75.0 and 0; 2: 25.0 and 100"
    assert facts_by_term["Samples"] == "100, of 100 in all settings"
    assert facts_by_term["E-value"] == "10^54.5; 10^7.0 is enough to fail"
    assert "Observed" not in facts_by_term


def test_a_breach_needs_no_evidence() -> None:
    """A law that failed because the subject raised has no counts."""
    lawful = wrong_result().findings.findings[1]
    raised = replace(lawful, log_evidence=0.1, message="the subject raised ValueError")
    facts_by_term = dict(failure_facts(wrong_result(), raised))
    assert facts_by_term["Observed"] == "the subject raised ValueError"
    assert facts_by_term["E-value"] == "– (a certain breach)"
    assert "Expected and seen, outcomes" not in facts_by_term


def test_a_seen_impossibility_is_infinite_evidence() -> None:
    """An observed outcome of probability 0 is reported as infinite evidence."""
    finding = replace(wrong_result().findings.findings[1], log_evidence=float("inf"))
    assert evidence_text(finding) == "infinite: an outcome of probability 0 was seen"


def test_many_outcomes_are_reported_by_their_difference() -> None:
    """The twelve that differ most are listed, and the others are counted."""
    stream = wrong_result().findings.findings[1].streams[0]
    crowd = tuple(Frequency(str(n), 10.0, 10 + n) for n in range(14))
    text = frequencies_text(replace(stream, frequencies=crowd))
    assert text.startswith("13: 10.0 and 23; 12: 10.0 and 22; ")
    assert text.endswith("2: 10.0 and 12; and 2 more")


def test_a_board_without_failures_says_so() -> None:
    """A board without failures says so."""
    assert list(failure_sections([right_result()])) == [Heading(2, "Failures"), Paragraph("None.")]


def test_what_was_not_run_is_named() -> None:
    """An entry without its environment, and libraries that were left out, have their reasons."""
    blocks = scoreboard_blocks([right_result(), MISSING], LEFT_OUT, DATE)
    titles = [block.text for block in blocks if isinstance(block, Heading)]
    assert titles == [
        "Scoreboard",
        "Requirement by subject",
        "Failures",
        "What was called, and what it cannot do",
        "1. right_library",
        "Not run",
        "Not on the board",
    ]
    *_, missing, _, left_out = blocks
    assert isinstance(missing, Table)
    assert isinstance(left_out, Table)
    assert missing.rows == (("missing library", "there is no environment idle"),)
    assert left_out.rows == (("idle", "2.0", "It does not select."),)


def test_a_failing_entry_without_a_program_shows_none() -> None:
    """A failing entry without a smallest program shows none."""
    silent = replace(wrong_result(), entry=replace(WRONG, minimal=""))
    languages = [block.language for block in failure_sections([silent]) if isinstance(block, Code)]
    assert languages == ["sh", "sh"]
