"""The generated pages: all claims, and the errata, with links to what states and checks them.

Nothing in them depends on a run, so a test can compare them byte for byte.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from privtopk.spec.claims.table import Basis, Claim, EvidenceClass, Origin, Status
from privtopk.spec.console.whole_files import whole_file
from privtopk.spec.proofs.gate.citations import Citation
from privtopk.spec.proofs.gate.coq import PLACE, CoqTheorem
from privtopk.spec.proofs.gate.inventory import Inventory
from privtopk.spec.proofs.gate.registry import Evidence
from privtopk.spec.proofs.gate.seeded_bugs import BUGS, SPECIFICATION, evidence_reference

ENCODING = "utf-8"

_NOTE = (
    "This page is generated from `privtopk.spec.claims.table` by `make pages`; `make prove` runs "
    "every check that it names. A seeded bug is a wrong line in a copy of the specification; the "
    "checks that it names must refute it."
)

_TITLES = {
    Origin.PAPER: "Statements of the paper",
    Origin.ERRATUM: "Errata",
    Origin.OURS: "Statements of our own",
}


def pages(inventory: Inventory) -> dict[str, str]:
    """Return the text of each generated page, by its path in the documentation."""
    return {
        "reference/claims.md": "\n".join(_claims_page(inventory)) + "\n",
        "explanation/errata.md": "\n".join(_errata_page(inventory)) + "\n",
    }


def write_pages(inventory: Inventory, folder: Path) -> None:
    """Write the generated pages into a folder."""
    for name, text in pages(inventory).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        with whole_file(folder / name) as unfinished:
            unfinished.write_bytes(text.encode(ENCODING))


def stale_pages(inventory: Inventory, folder: Path) -> tuple[str, ...]:
    """Return the names of the pages in a folder that are missing or out of date."""
    return tuple(
        name
        for name, text in pages(inventory).items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != text.encode(ENCODING)
    )


def _claims_page(inventory: Inventory) -> Iterator[str]:
    """Yield the lines of the page of all claims: counts, index, then a section per claim."""
    yield from ("# Claims", "", _NOTE, "", "| status | claims |", "|---|---|")
    for status in Status:
        count = sum(1 for claim in inventory.claims if claim.status is status)
        yield f"| {status.value} | {count} |"
    yield from (
        "",
        "| [evidence](../explanation/gate.md#classes-of-evidence) | claims |",
        "|---|---|",
    )
    for each in EvidenceClass:
        count = sum(1 for claim in inventory.claims if claim.basis.evidence_class is each)
        yield f"| {each.value} | {count} |"
    yield from ("", _count_of_bugs(inventory), "", "## Index", "")
    yield from ("| number | statement | status | evidence | stated in |", "|---|---|---|---|---|")
    for claim in inventory.claims:
        link = f"[{escape(claim.number)}](#{_anchor(_title(claim))})"
        words = f"{claim.status.value} | {claim.basis.evidence_class.value}"
        places = ", ".join(_stating_places(claim, inventory.citations))
        yield f"| {link} | {escape(claim.statement)} | {words} | {places} |"
    for origin, title in _TITLES.items():
        yield from ("", f"## {title}")
        for claim in inventory.claims:
            if claim.origin is origin:
                yield from _section(claim, inventory, level=3)


def _count_of_bugs(inventory: Inventory) -> str:
    """Return how many checks have a seeded bug, and how many claims have none."""
    killers = {killer for bug in inventory.bugs for killer in bug.killers}
    tested = sum(1 for each in inventory.evidence if each.name in killers)
    bare = sum(1 for claim in inventory.claims if inventory.uncontrolled_roles(claim))
    return (
        f"{len(inventory.bugs)} seeded bugs test {tested} of {len(inventory.evidence)} checks and "
        f"theorems. Claims that lack one: {bare}."
    )


def _errata_page(inventory: Inventory) -> Iterator[str]:
    """Yield the lines of the page of what does not hold as printed."""
    yield from ("# Errata", "", _NOTE)
    for claim in inventory.claims:
        if claim.origin is Origin.ERRATUM:
            yield from _section(claim, inventory, level=2)


def _section(claim: Claim, inventory: Inventory, level: int) -> Iterator[str]:
    """Yield one claim with its status, and links to what states, checks and tests it."""
    yield from ("", f"{'#' * level} {_title(claim)}", "", f"> {escape(claim.statement)}")
    yield from _fact("Status", f"{claim.status.value}.")
    yield from _fact("Instead", escape(claim.correction))
    yield from _fact("Witness", escape(claim.witness))
    yield from _fact("Evidence", _reach(claim.basis))
    yield from _fact("Stated in", ", ".join(_stating_places(claim, inventory.citations)))
    checks = inventory.evidence_of(claim)
    if checks:
        yield ""
    for each in checks:
        link = _evidence_link(each)
        yield f"- {link} ({each.method.value}, {each.role.value}): {escape(each.sentence)}"
    links = (_link(bug.name, f"{BUGS}.{bug.module}") for bug in inventory.controls_of(claim))
    yield from _fact("Seeded bugs", ", ".join(links) or "none.")


def _reach(basis: Basis) -> str:
    """Return the class of evidence with its written proof and what machines have covered."""
    name = basis.evidence_class.value
    linked = f"[{name}](../explanation/{basis.proof})" if basis.proof else name
    return f"{linked}{escape(basis.reach).removeprefix(name)}."


def _fact(word: str, fact: str) -> Iterator[str]:
    """Yield a paragraph, if there is something to say."""
    if fact:
        yield from ("", f"*{word}:* {fact}")


def _title(claim: Claim) -> str:
    return f"{claim.number}: `{claim.key}`"


def _anchor(title: str) -> str:
    """Return the anchor that code hosts and MyST give to a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _stating_places(claim: Claim, citations: Iterable[Citation]) -> Iterator[str]:
    """Yield links to the functions that cite a claim, or to the modules if no function does."""
    cited = [each for each in citations if each.key == claim.key and each.is_in_specification]
    for each in [each for each in cited if each.name] or cited:
        name = f"{each.module}.{each.name}".removesuffix(".")
        yield _link(name, f"{SPECIFICATION}.{each.module}")


def _evidence_link(evidence: Evidence) -> str:
    """Return a link to the file of a check, a theorem or a Coq theorem."""
    if isinstance(evidence, CoqTheorem):
        return _link(evidence.name, f"{SPECIFICATION}.{PLACE}.{evidence.file.stem}", ".v")
    return _link(evidence.name, evidence_reference(evidence.name)[0])


def _link(text: str, module: str, suffix: str = ".py") -> str:
    """Return a link from a page in a folder of `docs` to the source of a module or Coq file."""
    return f"[`{text}`](../../spec/{module.replace('.', '/')}{suffix})"


def escape(text: str) -> str:
    """Return text in which Markdown's special characters are escaped, except in code spans."""
    parts = " ".join(text.split()).split("`")
    for index in range(0, len(parts), 2):
        for sign in "\\*_<[|":
            parts[index] = parts[index].replace(sign, f"\\{sign}")
    return "`".join(parts)
