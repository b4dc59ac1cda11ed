"""The declared domain: all items that can be selected, with or without votes.

The engines number items 0, ..., m - 1; a database has its own whole numbers or texts for them, and
scores in memory may have any labels. A domain translates. It is public. It must not be taken from
the votes: an item with a single vote would then reveal its client. If everybody may know which
items have votes, the domain may be taken from there, and `is_public` says that it was.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.column import distinct_items
from privtopk.impl.scores.protocols import LARGEST_DOMAIN, source_fault
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_between

Kind: TypeAlias = type[int] | type[str]
"""The type of a store's items: whole numbers or texts."""

LARGEST_NUMBER: Final = 2**62
"""Items that are numbers are between this and its negative; differences then fit 64 bits."""


@runtime_checkable
class ItemDomain(Protocol):
    """Items with labels of any type, in a fixed order."""

    @property
    def size(self) -> int:
        """The number m of items."""

    def names(self, numbers: Integers) -> list[Any]:
        """Return the labels of the items 0 <= number < m."""

    def numbers(self, names: Sequence[Any]) -> Integers:
        """Return the numbers of items; raise if one is not in the domain."""


@runtime_checkable
class Domain(ItemDomain, Protocol):
    """The items of a database, in a fixed order."""

    @property
    def kind(self) -> Kind:
        """Whether items are whole numbers or texts."""

    def of_kind(self, kind: Kind) -> "Domain":
        """Return the same items as numbers or as texts; raise if a text is not a number."""


class RangeDomain:
    """The whole numbers first, ..., last, stored as numbers or as texts."""

    def __init__(self, first: int, last: int, kind: Kind = int, *, is_public: bool = False) -> None:
        """Take both ends, which belong to the domain; is_public: they come from the votes."""
        self.first = require_between("first", first, -LARGEST_NUMBER, LARGEST_NUMBER)
        self.last = require_between("last", last, -LARGEST_NUMBER, LARGEST_NUMBER)
        self.kind = kind
        self.is_public = is_public
        self.size = last - first + 1
        if not 1 <= self.size <= LARGEST_DOMAIN:
            raise SelectionError(
                Reason.SIZE_OUT_OF_RANGE,
                f"a range must hold between 1 and {LARGEST_DOMAIN} items, got {first}..{last}",
            )

    def __repr__(self) -> str:
        """Return the range as people write it."""
        return f"{self.first}..{self.last}"

    def names(self, numbers: Integers) -> list[Any]:
        """Return the store's names of the items."""
        names: list[Any] = (numbers + self.first).tolist()
        return names if self.kind is int else list(map(str, names))

    def numbers(self, names: Sequence[Any]) -> Integers:
        """Return the numbers of items."""
        items = whole_items(names) if self.kind is int else read_items(names)
        if len(items) and not (items.min() >= self.first and items.max() <= self.last):
            raise outside_error()
        return items - self.first

    def of_kind(self, kind: Kind) -> "RangeDomain":
        """Return the same range as numbers or as texts."""
        if kind is self.kind:
            return self
        return RangeDomain(self.first, self.last, kind, is_public=self.is_public)


class ItemList:
    """A list of distinct items, with labels of any hashable type."""

    def __init__(self, items: Iterable[Hashable], *, is_public: bool = False) -> None:
        """Take the items; is_public: they come from the votes."""
        self._items: Sequence[Any] = distinct_items(items)
        self.is_public = is_public
        self.size = len(self._items)
        if self.size == 0:
            raise SelectionError(Reason.EMPTY_DOMAIN, "a domain must have items, got an empty list")

    def __repr__(self) -> str:
        """Return the number of listed items, as text."""
        return f"{self.size} listed items"

    def names(self, numbers: Integers) -> list[Any]:
        """Return the labels of the items, as Python values."""
        found = (self._items[number] for number in numbers.tolist())
        return [one.item() if isinstance(one, np.generic) else one for one in found]

    def numbers(self, names: Sequence[Any]) -> Integers:
        """Return the numbers of items."""
        try:
            found = [self._places[name] for name in names]
        except KeyError:
            raise outside_error() from None
        return np.array(found, dtype=np.int64)

    @cached_property
    def _places(self) -> dict[Any, int]:
        """The number of each item, computed at first use."""
        return {item: number for number, item in enumerate(self._items)}


class ListedDomain(ItemList):
    """A list of items that a database can hold: all of them texts, or all of them whole numbers."""

    def __init__(self, items: Iterable[Any], *, is_public: bool = False) -> None:
        """Take the items, which must be distinct; is_public: they come from the votes."""
        super().__init__(items, is_public=is_public)
        kinds = {type(item) for item in self._items}
        if kinds not in ({int}, {str}):
            raise SelectionError(
                Reason.WRONG_TYPE,
                "the items of a domain must be all texts or all whole numbers, got "
                + ", ".join(sorted(kind.__name__ for kind in kinds)),
            )
        self.kind: Kind = kinds.pop()
        if self.kind is int and max(map(abs, self._items)) > LARGEST_NUMBER:
            raise SelectionError(
                Reason.UNKNOWN_ITEM,
                f"items that are numbers must lie between -2^62 and 2^62 = {LARGEST_NUMBER}",
            )

    def of_kind(self, kind: Kind) -> "ListedDomain":
        """Return the same items as numbers or as texts."""
        if kind is self.kind:
            return self
        items = map(str, self._items) if kind is str else read_items(self._items).tolist()
        return ListedDomain(items, is_public=self.is_public)


def listed_in(path: Path) -> ListedDomain:
    """Return the domain in a file with one item per line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SelectionError(
            Reason.UNREACHABLE_SOURCE, f"the domain in {path} cannot be read: {error}"
        ) from error
    lines = text.removesuffix("\n").split("\n") if text else []
    if "" in lines:
        raise SelectionError(
            Reason.UNKNOWN_ITEM,
            f"every line of the domain in {path} must hold an item, "
            f"line {lines.index('') + 1} is empty",
        )
    return ListedDomain(lines)


def whole_items(names: Sequence[Any]) -> Integers:
    """Return items that a store holds as numbers; raise if they are not whole."""
    items = np.asarray(names if len(names) else np.empty(0, dtype=np.int64))
    if items.dtype.kind not in "iu":
        raise source_fault("the items must be whole numbers, because the items of the domain are")
    if items.dtype.kind == "u" and len(items) and items.max() > LARGEST_NUMBER:
        raise outside_error()
    return items.astype(np.int64, copy=False)


def read_items(names: Sequence[Any]) -> Integers:
    """Return whole numbers that are stored as texts; each text must be str(n) of its number n."""
    try:
        items = list(map(int, names))
    except (TypeError, ValueError):
        raise outside_error() from None
    if list(map(str, items)) != list(names) or max(map(abs, items), default=0) > LARGEST_NUMBER:
        raise outside_error()
    return np.array(items, dtype=np.int64)


def outside_error() -> SelectionError:
    """Return the error for an item that is not in the domain."""
    return SelectionError(Reason.UNKNOWN_ITEM, "there is an item outside the declared domain")
