"""Tests of the generated pages."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from privtopk.spec.claims.table import Basis, Claim, EvidenceClass, Origin, Status
from privtopk.spec.proofs.gate.citations import Citation
from privtopk.spec.proofs.gate.coq import CoqTheorem
from privtopk.spec.proofs.gate.documents import escape, pages, stale_pages, write_pages
from privtopk.spec.proofs.gate.inventory import Inventory, take_inventory
from privtopk.spec.proofs.gate.registry import Method, refutes
from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

DOCS = Path(__file__).parents[4] / "docs"


def seen() -> str:
    """The support is [0, 2/5]."""
    return "seen"


CLAIM = Claim(
    "erratum:shift",
    "E1",
    Origin.ERRATUM,
    Status.REFUTED,
    "u_j is a*b.",
    "u_j is a*b + u_r.",
    "m = 3.",
    Basis(EvidenceClass.WRITTEN, "m <= 4, u_l", "facts.md#shift"),
)
FOR_ALL = Basis(EvidenceClass.FOR_ALL, "with symbolic m")
INVENTORY = Inventory(
    (CLAIM, replace(CLAIM, key="thm:one", origin=Origin.PAPER, basis=FOR_ALL)),
    (replace(refutes("erratum:shift", method=Method.EXACT)(seen), name="noise.law.seen"),),
    (),
    (
        SeededBug("no-shift", "x", "y", ("noise.law.seen",), "noise.order"),
        SeededBug("other", "x", "y", ("noise.law.thm_it",), "noise.order"),
    ),
    (
        Citation("erratum:shift", "Deviates", "noise.law"),
        Citation("erratum:shift", "Deviates", "noise.order", "between"),
        Citation("erratum:shift", "Deviates", "proofs.theorems.noise.law", "thm_it"),
        Citation("thm:one", "Paper", "noise.law"),
    ),
)
SOURCE = "../../spec/privtopk/spec"


def test_the_errata_page() -> None:
    """The page of errata has the printed statement, the correction, the witness and the checks."""
    assert pages(INVENTORY)["explanation/errata.md"] == (
        "# Errata\n"
        "\n"
        "This page is generated from `privtopk.spec.claims.table` by `make pages`; `make prove` "
        "runs every check that it names. A seeded bug is a wrong line in a copy of the "
        "specification; the checks that it names must refute it.\n"
        "\n"
        "## E1: `erratum:shift`\n"
        "\n"
        "> u\\_j is a\\*b.\n"
        "\n"
        "*Status:* refuted as printed.\n"
        "\n"
        "*Instead:* u\\_j is a\\*b + u\\_r.\n"
        "\n"
        "*Witness:* m = 3.\n"
        "\n"
        "*Evidence:* [proved in writing](../explanation/facts.md#shift), "
        "checked for m \\<= 4, u\\_l.\n"
        "\n"
        f"*Stated in:* [`noise.order.between`]({SOURCE}/noise/order.py)\n"
        "\n"
        f"- [`noise.law.seen`]({SOURCE}/proofs/checks/noise/law.py) (exact, refutes): "
        "The support is \\[0, 2/5].\n"
        "\n"
        f"*Seeded bugs:* [`no-shift`]({SOURCE}/proofs/bugs/noise/order.py)\n"
    )


def test_a_coq_theorem_is_linked_to_its_file() -> None:
    """The claim of a Coq theorem names it, with a link to the file that proves it."""
    theorem = CoqTheorem(Path("box.v"), "box_is_full", ("thm:one",), "The box is full.")
    page = pages(replace(INVENTORY, coq_theorems=(theorem,)))["reference/claims.md"]
    line = f"- [`coq.box.box_is_full`]({SOURCE}/proofs/coq/box.v) (coq, supports): The box is full."
    assert line in page.splitlines()


def test_the_claims_page_counts_by_status() -> None:
    """The page of claims starts with the claims of each status and class, and the bugs."""
    counts = (
        "| refuted as printed | 2 |\n"
        "| open | 0 |\n"
        "\n"
        "| [evidence](../explanation/gate.md#classes-of-evidence) | claims |\n"
        "|---|---|\n"
        "| for all parameters | 1 |\n"
        "| proved in writing | 1 |\n"
        "| definition | 0 |\n"
        "| examples only | 0 |\n"
        "\n"
        "2 seeded bugs test 1 of 1 checks and theorems. Claims that lack one: 2.\n"
    )
    assert counts in pages(INVENTORY)["reference/claims.md"]


def test_the_claims_page_has_an_index() -> None:
    """A row per claim leads to its section, and to what states it: a function before a module."""
    rows = (
        "| number | statement | status | evidence | stated in |\n"
        "|---|---|---|---|---|\n"
        "| [E1](#e1-erratumshift) | u\\_j is a\\*b. | refuted as printed | proved in writing | "
        f"[`noise.order.between`]({SOURCE}/noise/order.py) |\n"
        "| [E1](#e1-thmone) | u\\_j is a\\*b. | refuted as printed | for all parameters | "
        f"[`noise.law`]({SOURCE}/noise/law.py) |\n"
    )
    assert rows in pages(INVENTORY)["reference/claims.md"]


def test_a_claim_for_all_parameters_says_which() -> None:
    """A claim that is checked for all parameters names them in the words of a check."""
    section = pages(INVENTORY)["reference/claims.md"].split("### E1: `thm:one`")[1]
    assert "\n*Evidence:* for all parameters: with symbolic m.\n" in section


def test_the_claims_page_has_every_claim() -> None:
    """The page of claims has the paper's statements and the errata."""
    text = pages(INVENTORY)["reference/claims.md"]
    assert ("### E1: `thm:one`" in text, "### E1: `erratum:shift`" in text) == (True, True)


def test_code_spans_are_not_escaped() -> None:
    """Characters inside backquotes are not escaped."""
    assert escape("a_b `c_d` <e>") == "a\\_b `c_d` \\<e>"


def test_written_pages_are_up_to_date(tmp_path: Path) -> None:
    """What was written is what is expected."""
    write_pages(INVENTORY, tmp_path / "docs")
    assert stale_pages(INVENTORY, tmp_path / "docs") == ()


def test_missing_and_changed_pages_are_stale(tmp_path: Path) -> None:
    """A page that is missing or differs in a byte is stale."""
    write_pages(INVENTORY, tmp_path)
    (tmp_path / "reference/claims.md").unlink()
    (tmp_path / "explanation/errata.md").write_text("# Errata\n")
    assert stale_pages(INVENTORY, tmp_path) == ("reference/claims.md", "explanation/errata.md")


@pytest.fixture(scope="module")
def real_pages() -> dict[str, str]:
    """Return the pages of the specification itself."""
    return pages(take_inventory())


@pytest.mark.parametrize("name", ["reference/claims.md", "explanation/errata.md"])
def test_every_link_leads_to_a_file(real_pages: dict[str, str], name: str) -> None:
    """Whatever states, checks or tests a claim is a file of the source."""
    targets = re.findall(r"\]\((\.\.[^)#]*)", real_pages[name])
    assert {
        target for target in targets if not (DOCS / name).parent.joinpath(target).is_file()
    } == set()


def test_every_link_to_a_section_has_one(real_pages: dict[str, str]) -> None:
    """The anchors of the index are those of the headings, each in its order."""
    page = real_pages["reference/claims.md"]
    headings = re.findall(r"(?m)^### (.*)$", page)
    anchors = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings]
    assert re.findall(r"\(#(.*?)\)", page) == anchors


def test_every_claim_is_stated_somewhere(real_pages: dict[str, str]) -> None:
    """Every section of the page names the functions or modules that state the claim."""
    sections = real_pages["reference/claims.md"].split("\n### ")[1:]
    assert [
        section.splitlines()[0] for section in sections if "*Stated in:* [" not in section
    ] == []


@pytest.mark.slow
def test_the_pages_in_docs_are_up_to_date() -> None:
    """The generated pages in docs are those of the current claims; `make pages` writes them."""
    assert stale_pages(take_inventory(), DOCS) == ()
