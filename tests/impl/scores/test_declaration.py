"""Facts about what callers may declare as a domain."""

from typing import Any

import numpy as np
import pytest

from privtopk.impl.scores.declaration import declared_domain
from privtopk.impl.scores.domain import ItemList, ListedDomain, RangeDomain
from privtopk.spec.model.errors import Reason
from support import refusal

ALLOWED = "a list, a set or a range of items, a domain, or 'public'"


def items_of(domain: object) -> list[Any]:
    """Return the items of a declared domain, in the order of their numbers."""
    declared = declared_domain(domain)
    assert not isinstance(declared, str)
    return declared.names(np.arange(declared.size))


@pytest.mark.parametrize(
    "domain",
    [
        ["fig", 3, ("a", 1)],
        ("fig", 3, ("a", 1)),
        {"fig": 0, 3: 0, ("a", 1): 0}.keys(),
        np.array(["fig", 3, ("a", 1)], dtype=object),
    ],
    ids=lambda domain: type(domain).__name__,
)
def test_items_of_any_type_may_be_listed(domain: object) -> None:
    """A list, a tuple, the keys of a mapping and an array declare their items."""
    assert set(items_of(domain)) == {"fig", 3, ("a", 1)}


def test_a_list_keeps_its_order_and_a_set_gets_one() -> None:
    """The items of a set are numbered by their labels, and so alike in every process."""
    assert items_of(["pear", "fig", 3]) == ["pear", "fig", 3]
    assert items_of({"pear", "fig", 3}) == [3, "fig", "pear"]
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert items_of(frozenset(letters)) == items_of(set(letters)) == [*letters]


def test_items_of_arrays_are_plain() -> None:
    """The items of an array are Python values."""
    assert [type(item) for item in items_of(np.array([3, 5]))] == [int, int]


def test_a_range_takes_no_memory() -> None:
    """A range of 2^62 numbers is a domain; one with a step is a list."""
    domain = declared_domain(range(1, 1 + 2**62))
    assert isinstance(domain, RangeDomain)
    assert (domain.first, domain.size) == (1, 2**62)
    assert items_of(range(0, 9, 3)) == [0, 3, 6]


@pytest.mark.parametrize("domain", [RangeDomain(1, 5), ListedDomain(["fig"]), ItemList([2.5])])
def test_a_domain_is_a_domain(domain: object) -> None:
    """A domain is left as it is."""
    assert declared_domain(domain) is domain


def test_public_is_a_statement() -> None:
    """The word "public" is left as it is."""
    assert declared_domain("public") == "public"


def test_a_database_has_domains_of_its_own() -> None:
    """Lists become domains of the type that the caller needs."""
    assert isinstance(declared_domain(["fig"], ListedDomain), ListedDomain)


def test_no_domain_is_guessed() -> None:
    """Without a declaration the error says what to write, and why."""
    assert refusal(lambda: declared_domain(None)) == (
        Reason.UNDECLARED_DOMAIN,
        "the items come from the data, so the domain must be declared: pass domain=[...] with all "
        "items that can be selected, or domain='public' if everybody may know which items there "
        "are; an item that is there because one client voted for it would reveal that client",
    )


@pytest.mark.parametrize(
    ("domain", "given"),
    [
        ("publik", "'publik'"),
        ("unknown", "'unknown'"),
        ("", "''"),
        (b"public", "bytes"),
        ({"fig": 3}, "dict"),
        (5, "int"),
        (iter(["fig"]), "list_iterator"),
        (True, "bool"),
    ],
)
def test_other_words_and_types_are_refused(domain: object, given: str) -> None:
    """The error lists what is allowed; a mapping may be the votes themselves."""
    assert refusal(lambda: declared_domain(domain)) == (
        Reason.WRONG_TYPE,
        f"domain must be {ALLOWED}; got {given}",
    )


@pytest.mark.parametrize(
    ("domain", "reason", "message"),
    [
        ([], Reason.EMPTY_DOMAIN, "a domain must have items, got an empty list"),
        (
            range(3, 3),
            Reason.SIZE_OUT_OF_RANGE,
            f"a range must hold between 1 and {2**62} items, got 3..2",
        ),
        (
            ["fig", "fig"],
            Reason.DUPLICATE_ITEM,
            "items must be distinct, got 2 items of which 1 differ",
        ),
        (["fig", None], Reason.UNKNOWN_ITEM, "no item may be missing: None, NaN or NaT"),
    ],
)
def test_bad_lists_are_refused(domain: object, reason: Reason, message: str) -> None:
    """A declared domain has distinct items with names, and at least one."""
    assert refusal(lambda: declared_domain(domain)) == (reason, message)
