"""Facts about the registry of requirements."""

import pytest

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements.registry import (
    REQUIREMENTS,
    requirement_of,
    requirements_for,
)
from privtopk.conformance.subjects.kinds import Kind
from privtopk.spec.claims.table import CLAIMS

KEYS = {claim.key for claim in CLAIMS}


def test_ids_are_unique() -> None:
    """No two requirements have the same id, and each is found by its id."""
    assert [requirement_of(one.id) for one in REQUIREMENTS] == list(REQUIREMENTS)


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda one: one.id)
def test_a_requirement_is_documented(requirement: Requirement) -> None:
    """A requirement is named after its kind, cites claims, and has a statement and a bug."""
    assert requirement.id.startswith(f"{requirement.kind}.")
    assert requirement.claims
    assert set(requirement.claims) <= KEYS
    assert requirement.statement.endswith(".")
    assert requirement.bug


@pytest.mark.parametrize("kind", Kind)
def test_the_shares_of_a_kind_do_not_exceed_the_budget(kind: Kind) -> None:
    """All requirements of a kind together have at most the whole error budget."""
    assert 0 <= sum(one.share for one in requirements_for(kind)) <= 100


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_requirements(kind: Kind) -> None:
    """Every kind of subject has a requirement."""
    assert requirements_for(kind)
