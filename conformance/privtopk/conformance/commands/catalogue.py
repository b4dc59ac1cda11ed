"""The catalogue of requirements, for a terminal and as a page of the documentation."""

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.registry import requirements_for
from privtopk.conformance.subjects.kinds import Kind

INTRODUCTION = """# The requirements

<!-- Written by `make docs`; do not edit. -->

What a conforming implementation must satisfy. The ids are stable: a requirement may become
stricter in a new version, but an id never comes to mean something else. *Share* is the part of
the error budget (1e-6 per run) that a requirement may spend; a requirement without a share does
not depend on chance. Each follows from the named claims, see [the claims](claims.md).
"""


def catalogue(kind: Kind | None, *, is_markdown: bool) -> str:
    """Return all requirements, or those of one kind."""
    kinds = [kind] if kind else list(Kind)
    if not is_markdown:
        return "\n".join(line_of(one) for each in kinds for one in requirements_for(each))
    return "\n".join([INTRODUCTION, *(section_of(each) for each in kinds)])


def line_of(requirement: Requirement) -> str:
    """Return a requirement in one line."""
    return f"{requirement.id:<32} {requirement.statement}"


def section_of(kind: Kind) -> str:
    """Return the requirements of a kind as a section of a page."""
    rows = [
        f"| `{one.id}` | {one.statement} | {one.profile} | {share_of(one)} "
        f"| {', '.join(f'`{key}`' for key in one.claims)} | {one.bug} |"
        for one in requirements_for(kind)
    ]
    head = ("| id | requirement | profile | share | claims | what fails it |", "|---" * 6 + "|")
    return "\n".join([f"## {kind}\n", *head, *rows, ""])


def share_of(requirement: Requirement) -> str:
    """Return the share of the error budget as text."""
    return f"{requirement.share} %" if requirement.share else "none"
