"""Facts about the shipped vectors as Python reads them."""

from fractions import Fraction
from types import ModuleType

import pytest

from conformance.support_vectors import refusal_of
from privtopk.conformance.vectors import NAMES, group_named, vectors
from privtopk.conformance.vectors.files import GROUPS, members_of


@pytest.mark.parametrize("module", GROUPS, ids=lambda module: module.__name__.split(".")[-1])
def test_a_group_is_read_as_it_was_generated(module: ModuleType) -> None:
    """Every vector is read as the generator wrote it."""
    made = module.group()
    read = group_named(made.name)
    assert (read.name, read.task, read.operations) == (made.name, made.task, made.operations)
    assert list(map(members_of, read.vectors)) == list(map(members_of, made.vectors))


def test_every_group_has_a_name() -> None:
    """The reader and the generator have the same groups."""
    assert tuple(module.group().name for module in GROUPS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_group_has_at_least_eight_vectors(name: str) -> None:
    """Every group has at least eight vectors."""
    assert len(vectors(name)) >= 8


def test_all_vectors_are_those_of_the_groups() -> None:
    """Without a name the vectors of all groups are read."""
    assert vectors() == tuple(vector for name in NAMES for vector in vectors(name))


def test_numbers_are_numbers() -> None:
    """Fractions are read as fractions."""
    (vector,) = (one for one in vectors("output-laws") if one.id == "ratio-swap")
    assert vector.expected == {"ratio": Fraction(17, 5)}


def test_unknown_groups_are_refused() -> None:
    """The error about an unknown group lists the groups."""
    assert (
        refusal_of(lambda: vectors("no-such-group"))
        == f"a group must be one of {', '.join(NAMES)}, got 'no-such-group'"
    )


def test_every_vector_names_a_bug_of_its_own() -> None:
    """No two vectors of one operation describe their bug in the same words."""
    hunted = [(vector.operation, vector.hunts) for name in NAMES for vector in vectors(name)]
    repeated = {one for one in hunted if hunted.count(one) > 1}
    assert repeated == set()
