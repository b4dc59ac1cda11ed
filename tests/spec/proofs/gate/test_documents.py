"""Tests of the generated pages."""

from dataclasses import replace
from pathlib import Path

import pytest

from privtopk.spec.claims.table import Claim, Origin, Status
from privtopk.spec.proofs.gate.documents import escape, pages, stale_pages, write_pages
from privtopk.spec.proofs.gate.inventory import Inventory, take_inventory
from privtopk.spec.proofs.gate.registry import Method, refutes

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
)
INVENTORY = Inventory(
    (CLAIM, replace(CLAIM, key="thm:one", origin=Origin.PAPER)),
    (replace(refutes("erratum:shift", method=Method.EXACT)(seen), name="shift.seen"),),
    (),
    (),
)


def test_the_errata_page() -> None:
    """The page of errata has the printed statement, the correction, the witness and the checks."""
    assert pages(INVENTORY)["explanation/errata.md"] == (
        "# Errata\n"
        "\n"
        "This page is generated from `privtopk.spec.claims.table` by `make docs`; "
        "`make prove` runs every check that it names.\n"
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
        "- `shift.seen` (exact, refutes): The support is \\[0, 2/5].\n"
    )


def test_the_claims_page_counts_by_status() -> None:
    """The page of claims starts with the number of claims of each status."""
    assert "| refuted as printed | 2 |\n| open | 0 |\n" in pages(INVENTORY)["reference/claims.md"]


def test_the_claims_page_has_every_claim() -> None:
    """The page of claims has the paper's statements and the errata."""
    text = pages(INVENTORY)["reference/claims.md"]
    assert ("### E1: `thm:one`" in text, "### E1: `erratum:shift`" in text) == (True, True)


def test_code_spans_are_not_escaped() -> None:
    """Signs inside backquotes stay as they are."""
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


@pytest.mark.slow
def test_the_pages_in_docs_are_up_to_date() -> None:
    """The generated pages in docs are those of the current claims; `make docs` writes them."""
    assert stale_pages(take_inventory(), DOCS) == ()
