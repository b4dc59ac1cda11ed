"""What a caller may declare as the domain: the items that can be selected, whatever the votes.

An item that is in the data only because one client voted for it would reveal that client as soon
as it is published. So a domain is never taken from the data, unless the caller states that
everybody may know which items there are.
"""

from collections.abc import Hashable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, Literal, TypeAlias

from numpy.typing import NDArray

from privtopk.impl.scores.column import plain_values
from privtopk.impl.scores.domain import ItemDomain, ItemList, RangeDomain
from privtopk.impl.scores.label_order import label_key
from privtopk.spec.model.errors import Reason, SelectionError

DomainLike: TypeAlias = (
    Literal["public"]
    | ItemDomain
    | range
    | list[Any]
    | tuple[Any, ...]
    | AbstractSet[Any]
    | NDArray[Any]
)
"""A list, a set or a range of items, a domain, or "public": everybody may know the items."""

ALLOWED: Final = "a list, a set or a range of items, a domain, or 'public'"


def declared_domain(
    domain: object, listed: type[ItemList] = ItemList
) -> ItemDomain | Literal["public"]:
    """Return the domain that a caller has declared; lists become a domain of the given type."""
    if domain is None:
        raise undeclared_items_error()
    if isinstance(domain, str) and domain == "public":
        return "public"
    if isinstance(domain, ItemDomain):
        return domain
    if isinstance(domain, range) and domain.step == 1:
        return RangeDomain(domain.start, domain.stop - 1)
    if isinstance(domain, str | bytes | Mapping) or not hasattr(domain, "__len__"):
        given = repr(domain) if isinstance(domain, str) else type(domain).__name__
        raise SelectionError(Reason.WRONG_TYPE, f"domain must be {ALLOWED}; got {given}")
    return listed(items_of(domain))


def items_of(collection: Any) -> list[Hashable]:
    """Return the items of a list in its order, and those of a set by their labels."""
    items = plain_values(collection)
    # The order of a set differs from process to process, and so would what a seed selects.
    return sorted(items, key=label_key) if isinstance(collection, AbstractSet) else items


def undeclared_items_error() -> SelectionError:
    """Return the error of scores with names and without a domain."""
    return SelectionError(
        Reason.UNDECLARED_DOMAIN,
        "the items come from the data, so the domain must be declared: pass domain=[...] with all "
        "items that can be selected, or domain='public' if everybody may know which items there "
        "are; an item that is there because one client voted for it would reveal that client",
    )
