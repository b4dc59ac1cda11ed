"""The registry: every requirement, by kind of subject."""

from typing import Final

from privtopk.conformance.requirement import Requirement
from privtopk.conformance.requirements import (
    access_cost,
    accuracy,
    freshness,
    index,
    known_items,
    leader_count,
    many_items,
    noise_oracle,
    noise_sampler,
    order_statistics,
    output_law,
    peeking,
    privacy,
    replay,
    representation,
    robustness,
    shape,
    source,
    source_names,
    source_snapshot,
    source_sparse,
    tail,
    uniforms,
)
from privtopk.conformance.subjects import Kind

REQUIREMENTS: Final[tuple[Requirement, ...]] = (
    *shape.REQUIREMENTS,
    *replay.REQUIREMENTS,
    *uniforms.REQUIREMENTS,
    *output_law.REQUIREMENTS,
    *peeking.REQUIREMENTS,
    *tail.REQUIREMENTS,
    *leader_count.REQUIREMENTS,
    *freshness.REQUIREMENTS,
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
