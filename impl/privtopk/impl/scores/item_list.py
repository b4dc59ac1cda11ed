"""Lists of distinct items in little memory, which also find the place of an item.

Ten million Python texts with a dictionary take two gigabytes. Here texts are one piece of UTF-8
bytes, and their index is one sorted array of 64-bit keys: the upper bits of a key are those of the
hash of a text, the lower bits are its place. Python's hash is used. It is seeded anew in every
process, so nobody can choose texts that collide, and an index is never sent to another process.
Texts with the same hash are told apart by comparing the texts.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privtopk.impl.randomness.generators import Integers

CHUNK: Final = 2**16
"""Items that are Python objects at the same time, while a list is built."""

ENCODING: Final = ("utf-8", "surrogatepass")
"""A caller's text may contain half of a surrogate pair."""

SEPARATOR: Final = b"\n"
"""One byte between two texts; it makes the lines of a file a list as they are."""

Keys: TypeAlias = NDArray[np.uint64]
Starts: TypeAlias = NDArray[Any]
"""Places in the bytes of a list; 32 bits, where these are enough."""


class TextList:
    """Texts as bytes, with an index by hash."""

    def __init__(self, content: bytes, starts: Starts) -> None:
        """Take texts with one byte between them, and where each starts and one more would start."""
        self.size = len(starts) - 1
        self._content = content
        self._starts = starts
        self._place_bits = np.uint64(self.size.bit_length())
        self._keys = self._sorted_keys()

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out the index, which holds in this process only."""
        return TextList, (self._content, self._starts)

    def names(self, places: Integers) -> list[str]:
        """Return the texts at some places."""
        content, (encoding, errors) = self._content, ENCODING
        starts, ends = self._starts[places].tolist(), (self._starts[places + 1] - 1).tolist()
        return [
            content[start:end].decode(encoding, errors)
            for start, end in zip(starts, ends, strict=True)
        ]

    def find(self, texts: Sequence[Any]) -> Integers | None:
        """Return the places of some texts, or None if one of them is not in the list."""
        hashes = hashes_of(texts) << self._place_bits
        first = np.minimum(np.searchsorted(self._keys, hashes), self.size - 1)
        places = self._places(self._keys[first])
        found, wanted = self.names(places), list(texts)
        if found == wanted:
            return places
        for place, text in enumerate(wanted):
            if found[place] != text:
                other = self._find_among_equals(int(first[place]), text)
                if other is None:
                    return None
                places[place] = other
        return places

    @property
    def different(self) -> int:
        """The number of different texts."""
        ends = [
            start + np.flatnonzero(is_repeated)
            for start in range(0, self.size - 1, CHUNK)
            if (is_repeated := self._repeats_hash(start, start + CHUNK)).any()
        ]
        if not ends:
            return self.size
        repeated = np.concatenate(ends)
        places = np.unique(self._places(self._keys[np.append(repeated, repeated + 1)]))
        return self.size - len(places) + len(set(self.names(places)))

    def _find_among_equals(self, start: int, text: object) -> int | None:
        """Return the place of a text among those that have the hash of a key and follow it."""
        stop = start
        while stop < self.size and self._keys[stop] >> self._place_bits == (
            self._keys[start] >> self._place_bits
        ):
            stop += 1
        places = self._places(self._keys[start:stop])
        names = self.names(places)
        return int(places[names.index(text)]) if text in names else None

    def _sorted_keys(self) -> Keys:
        """Return the index: one key per text, sorted by hash."""
        keys = np.empty(self.size, dtype=np.uint64)
        for start in range(0, self.size, CHUNK):
            stop = min(start + CHUNK, self.size)
            places = np.arange(start, stop, dtype=np.uint64)
            keys[start:stop] = hashes_of(self._piece(start, stop)) << self._place_bits | places
        keys.sort()
        return keys

    def _piece(self, start: int, stop: int) -> list[str]:
        """Return consecutive texts; splitting is fastest, unless a text has the separator."""
        first, last = self._starts[[start, stop]].tolist()
        texts = self._content[first : last - 1].decode(*ENCODING).split(SEPARATOR.decode())
        return texts if len(texts) == stop - start else self.names(np.arange(start, stop))

    def _repeats_hash(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Return for each of some keys whether the next key has the same hash."""
        hashes = self._keys[start : stop + 1] >> self._place_bits
        is_repeated: NDArray[np.bool_] = hashes[1:] == hashes[:-1]
        return is_repeated

    def _places(self, keys: Keys) -> Integers:
        """Return the places in some keys."""
        return (keys & ((np.uint64(1) << self._place_bits) - np.uint64(1))).astype(np.int64)


class NumberList:
    """Whole numbers of 64 bits, with the order in which they ascend, if they are not sorted."""

    def __init__(self, numbers: Integers) -> None:
        """Take the numbers."""
        self.size = len(numbers)
        self._numbers = numbers
        is_sorted = bool((numbers[1:] > numbers[:-1]).all())
        self._order = None if is_sorted else np.argsort(numbers)

    def names(self, places: Integers) -> list[int]:
        """Return the numbers at some places."""
        numbers: list[int] = self._numbers[places].tolist()
        return numbers

    def find(self, numbers: Integers) -> Integers | None:
        """Return the places of some numbers, or None if one of them is not in the list."""
        found = np.searchsorted(self._numbers, numbers, sorter=self._order)
        places = np.minimum(found, self.size - 1)
        if self._order is not None:
            places = self._order[places]
        return places if bool((self._numbers[places] == numbers).all()) else None

    @property
    def different(self) -> int:
        """The number of different numbers."""
        if self._order is None:
            return self.size
        ascending = self._numbers[self._order]
        return 1 + int(np.count_nonzero(ascending[1:] != ascending[:-1]))


def text_list(texts: Iterable[str]) -> TextList:
    """Return some texts, at least one, as a list."""
    pieces, lengths = [], []
    for chunk in chunks_of(texts):
        encoded = [text.encode(*ENCODING) for text in chunk]
        pieces.append(SEPARATOR.join(encoded))
        lengths.append(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)))
    content = SEPARATOR.join(pieces)
    starts = np.cumsum(np.concatenate([[0], *lengths]) + 1) - 1
    return TextList(content, starts.astype(start_type(content)))


def start_type(content: bytes) -> type[np.uint32] | type[np.int64]:
    """Return the type of the places in a piece of bytes, with one more place after its end."""
    return np.uint32 if len(content) < 2**32 - 1 else np.int64


def line_starts(content: bytes, start: int) -> Starts:
    """Return where the lines of a file begin, from a place on, and where one more would begin."""
    is_complete = content.endswith(SEPARATOR)
    count = content.count(SEPARATOR, start) + (not is_complete)
    starts: Starts = np.empty(count + 1, dtype=start_type(content))
    starts[0], known = start, 1
    for place in range(start, len(content), CHUNK):
        piece = np.frombuffer(content, np.uint8, min(CHUNK, len(content) - place), place)
        ends = np.flatnonzero(piece == SEPARATOR[0])
        starts[known : known + len(ends)] = ends + (place + 1)
        known += len(ends)
    if not is_complete:
        starts[known] = len(content) + 1
    return starts


def hashes_of(texts: Sequence[Any]) -> Keys:
    """Return Python's hashes of some texts."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts)).view(np.uint64)


def chunks_of(items: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield items in lists of limited length."""
    remaining = iter(items)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk
