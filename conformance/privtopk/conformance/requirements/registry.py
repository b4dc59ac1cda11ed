"""The registry of all requirements."""

from typing import Final

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.requirements import index
from privtopk.conformance.requirements.noise import known_items, order_statistics, representation
from privtopk.conformance.requirements.noise import oracle as noise_oracle
from privtopk.conformance.requirements.noise import sampler as noise_sampler
from privtopk.conformance.requirements.selector import (
    access_cost,
    accuracy,
    freshness,
    leader_count,
    many_items,
    output_law,
    peeking,
    privacy,
    replay,
    robustness,
    set_order,
    shape,
    tail,
    uniforms,
)
from privtopk.conformance.requirements.source import histogram as source
from privtopk.conformance.requirements.source import names as source_names
from privtopk.conformance.requirements.source import snapshot as source_snapshot
from privtopk.conformance.requirements.source import sparse as source_sparse
from privtopk.conformance.subjects.kinds import Kind

REQUIREMENTS: Final[tuple[Requirement, ...]] = (
    *shape.REQUIREMENTS,
    *replay.REQUIREMENTS,
    *uniforms.REQUIREMENTS,
    *output_law.REQUIREMENTS,
    *peeking.REQUIREMENTS,
    *tail.REQUIREMENTS,
    *leader_count.REQUIREMENTS,
    *freshness.REQUIREMENTS,
    *set_order.REQUIREMENTS,
    *access_cost.REQUIREMENTS,
    *privacy.REQUIREMENTS,
    *many_items.REQUIREMENTS,
    *accuracy.REQUIREMENTS,
    *robustness.REQUIREMENTS,
    *noise_oracle.REQUIREMENTS,
    *known_items.REQUIREMENTS,
    *order_statistics.REQUIREMENTS,
    *noise_sampler.REQUIREMENTS,
    *representation.REQUIREMENTS,
    *index.REQUIREMENTS,
    *source.REQUIREMENTS,
    *source_sparse.REQUIREMENTS,
    *source_snapshot.REQUIREMENTS,
    *source_names.REQUIREMENTS,
)

_BY_ID: Final = {requirement.id: requirement for requirement in REQUIREMENTS}


def requirement_of(name: str) -> Requirement:
    """Return the requirement with an id."""
    return _BY_ID[name]


def requirements_for(kind: Kind, prefixes: tuple[str, ...] = ()) -> tuple[Requirement, ...]:
    """Return the requirements of a kind whose id begins with one of the prefixes, if any."""
    return tuple(
        requirement
        for requirement in REQUIREMENTS
        if requirement.kind is kind and (not prefixes or requirement.id.startswith(prefixes))
    )
