"""The generated pages: all claims, and the errata, with the checks behind them.

They hold nothing that depends on a run, so a test can compare them byte for byte.
"""

from collections.abc import Iterator
from pathlib import Path

from privtopk.spec.claims.table import Claim, Origin, Status
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import Evidence

ENCODING = "utf-8"

_NOTE = (
    "This page is generated from `privtopk.spec.claims.table` by `make docs`; "
    "`make prove` runs every check that it names."
)

_TITLES = {
    Origin.PAPER: "Statements of the paper",
    Origin.ERRATUM: "Errata",
    Origin.OURS: "Statements of our own",
}


def pages(inventory: Inventory) -> dict[str, str]:
    """Return the text of each generated page by its place in the documentation."""
    return {
        "reference/claims.md": "\n".join(_claims_page(inventory)) + "\n",
        "explanation/errata.md": "\n".join(_errata_page(inventory)) + "\n",
    }


def write_pages(inventory: Inventory, folder: Path) -> None:
    """Write the generated pages into a folder."""
    for name, text in pages(inventory).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode(ENCODING))


def stale_pages(inventory: Inventory, folder: Path) -> tuple[str, ...]:
    """Return the names of the pages in a folder that are missing or out of date."""
    return tuple(
        name
        for name, text in pages(inventory).items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != text.encode(ENCODING)
    )


def _claims_page(inventory: Inventory) -> Iterator[str]:
    """Yield the lines of the page of all claims."""
    yield from ("# Claims", "", _NOTE, "", "| status | claims |", "|---|---|")
    for status in Status:
        count = sum(1 for claim in inventory.claims if claim.status is status)
        yield f"| {status.value} | {count} |"
    for origin, title in _TITLES.items():
        yield from ("", f"## {title}")
        for claim in inventory.claims:
            if claim.origin is origin:
                yield from _section(claim, inventory.evidence, level=3)


def _errata_page(inventory: Inventory) -> Iterator[str]:
    """Yield the lines of the page of what does not hold as printed."""
    yield from ("# Errata", "", _NOTE)
    for claim in inventory.claims:
        if claim.origin is Origin.ERRATUM:
            yield from _section(claim, inventory.evidence, level=2)


def _section(claim: Claim, evidence: tuple[Evidence, ...], level: int) -> Iterator[str]:
    """Yield one claim with its standing and its checks."""
    yield from ("", f"{'#' * level} {claim.number}: `{claim.key}`")
    yield from ("", f"> {escape(claim.statement)}", "", f"*Status:* {claim.status.value}.")
    if claim.correction:
        yield from ("", f"*Instead:* {escape(claim.correction)}")
    if claim.witness:
        yield from ("", f"*Witness:* {escape(claim.witness)}")
    cited = [each for each in evidence if claim.key in each.keys]
    if cited:
        yield ""
    for each in cited:
        sentence = escape(each.sentence)
        yield f"- `{each.name}` ({each.method.value}, {each.role.value}): {sentence}"


def escape(text: str) -> str:
    """Return text with the signs that Markdown would take for its own, code spans untouched."""
    parts = " ".join(text.split()).split("`")
    for index in range(0, len(parts), 2):
        for sign in "\\*_<[|":
            parts[index] = parts[index].replace(sign, f"\\{sign}")
    return "`".join(parts)
