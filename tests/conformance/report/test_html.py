"""The page: complete, self-contained, and safe whatever a subject writes."""

import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.evidence.e_process import Uniform
from privtopk.conformance.report.findings import findings_of
from privtopk.conformance.report.html import page
from privtopk.conformance.report.requirement_section import STREAMS_DRAWN
from privtopk.conformance.running.runner import Run
from privtopk.conformance.subjects.kinds import Kind
from sample_runs import (
    HOSTILE,
    breached_case,
    case_of,
    certain_case,
    every_plot,
    run_of,
    skipped_case,
    undecided_case,
)


class Outline(HTMLParser):
    """The elements of a page in their order, with their attributes."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        self.elements.append((tag, dict(attrs)))

    def of(self, name: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements with a name."""
        return [attributes for tag, attributes in self.elements if tag == name]


def page_of(*runs: Run) -> str:
    """Return the page about some runs."""
    return page([findings_of(run) for run in runs], runs)


PAGE = page_of(every_plot(), run_of(certain_case()))


def test_nothing_is_loaded() -> None:
    """The page loads no script, image, style sheet or font."""
    outline = Outline(PAGE)
    names = {tag for tag, _ in outline.elements}
    assert not names & {"script", "img", "iframe", "object", "embed", "base"}
    linked = [
        value
        for _, attributes in outline.elements
        for key, value in attributes.items()
        if key in ("src", "href", "srcset", "action")
    ]
    assert {value for value in linked if value and not value.startswith("#")} == {"data:,"}
    assert "url(" not in PAGE
    assert "@import" not in PAGE


def test_the_security_policy_loads_nothing() -> None:
    """The security policy forbids everything but the page's own style."""
    policies = [
        attributes["content"]
        for attributes in Outline(PAGE).of("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_what_a_subject_writes_is_text() -> None:
    """The errors, address, experiments and categories of a subject cannot become elements."""
    text = page_of(run_of(breached_case(HOSTILE), address=f"python:m:{HOSTILE}"))
    assert "<script" not in text
    assert "&lt;script&gt;alert(&#x27;no&#x27;)&lt;/script&gt;" in text
    text.encode("utf-8")


def test_the_page_is_accessible() -> None:
    """The page has a language, a title, a width and one first heading; every picture has a name."""
    outline = Outline(PAGE)
    assert outline.of("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in outline.of(
        "meta"
    )
    assert len(outline.of("h1")) == 1
    assert all(attributes["role"] == "img" for attributes in outline.of("svg"))
    pictures = len(outline.of("svg"))
    assert len(re.findall(r"<svg[^>]*><title>[^<]+</title><desc>[^<]+</desc>", PAGE)) == pictures


def test_headings_descend_one_level_at_a_time() -> None:
    """Headings descend one level at a time."""
    levels = [int(tag[1]) for tag, _ in Outline(PAGE).elements if re.fullmatch(r"h\d", tag)]
    steps = [after - before for before, after in pairwise(levels)]
    assert levels[0] == 1
    assert max(steps) == 1


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    """Ids are unique, and every link of the overview leads to a subject."""
    outline = Outline(PAGE)
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert [link["href"] for link in outline.of("a")] == ["#subject-1", "#subject-2"]
    assert {"subject-1", "subject-2"} < set(ids)


def test_failures_come_first_and_open() -> None:
    """Failures come first, then undecided, passed (folded) and skipped requirements."""
    details = re.findall(r'<details( open="")?><summary><span class="verdict (\w+)', PAGE)
    shown = [(verdict, bool(opened)) for opened, verdict in details[:7]]
    assert shown == [
        ("fail", True),
        ("fail", True),
        ("error", True),
        ("pass", False),
        ("pass", False),
        ("pass", False),
        ("skip", False),
    ]


def test_verdicts_are_words() -> None:
    """Every verdict is written as a word, not only as a colour."""
    words = re.findall(r'class="verdict (\w+)">([^<]+)<', PAGE)
    assert {word for _, word in words} >= {"pass", "fail", "error", "skip", "does not conform"}


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (run_of(certain_case()), "conforms"),
        (run_of(breached_case()), "does not conform"),
        (run_of(undecided_case()), "undecided"),
        (run_of(skipped_case()), "undecided"),
    ],
)
def test_the_verdict_on_a_subject(run: Run, verdict: str) -> None:
    """The verdict on a subject stands in the overview and beside its name."""
    assert page_of(run).count(f">{verdict}</span>") == 2


def test_only_some_of_many_streams_are_drawn() -> None:
    """The page says how many streams are not drawn."""
    streams = {f"s{i}": (Uniform(), np.random.default_rng(i).random(50)) for i in range(8)}
    text = page_of(run_of(case_of(streams)))
    assert Outline(text).of("figure") == [{}] * (STREAMS_DRAWN[CaseVerdict.PASS] + 1)
    assert "The 3 streams with the most evidence are drawn; 5 more are in the table." in text


def test_other_kinds_are_described_by_their_name() -> None:
    """For other kinds of subjects, the page leaves out what only selectors declare."""
    text = page_of(run_of(certain_case(), kind=Kind.SOURCE))
    assert "A source. Seed 0, budget 1, false alarm 1e-06." in text


def test_no_runs_make_a_page() -> None:
    """A report without runs is a valid page."""
    assert "0 of 0 subjects conform." in page_of()


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "raised"])
@pytest.mark.parametrize("ink", ["ink", "quiet", "accent", "pass", "fail", "error", "skip"])
def test_contrast_is_sufficient(scheme: int, ground: str, ink: str) -> None:
    """Text has a contrast of at least 4.5 to 1 on every ground, as WCAG AA asks."""
    found = re.findall(r"--(\w+): (#[0-9a-f]{6});", PAGE)
    colours = dict(found[: len(found) // 2] if scheme == 0 else found[len(found) // 2 :])
    bright, dark = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 4.5
