"""Sources whose items lose their names, or share them."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.mutants.mutant import USUAL_SLIP, mutants
from privtopk.conformance.mutants.right.sources import NamedSource, Page

LONGEST: Final = 255
"""Characters per column."""


class NamesOfTheLastPage(NamedSource):
    """A name is looked up by its place on the last page, not by its item."""

    page: Page = ()

    def top(self, start: int, count: int) -> Page:
        """Return a page, and keep it."""
        self.page = super().top(start, count)
        return self.page

    def name(self, item: int) -> object:
        """Return the name of the item at a place."""
        place = self.page[item - 1][0] if item <= len(self.page) else item
        return super().name(place)


class NamesInOrderOfAsking(NamedSource):
    """A name is a counter that grows with every question."""

    given = 0

    def name(self, item: int) -> object:
        """Return the next number."""
        self.given += 1
        return self.given


class NamesOfThreeDigits(NamedSource):
    """Names have three digits, so the first and the thousandth item share one."""

    def name(self, item: int) -> object:
        """Return the last three digits."""
        return f"item {item % 1000:03}"


class NamesAreBytes(NamedSource):
    """A name is returned as the driver delivers it: as bytes."""

    def name(self, item: int) -> object:
        """Return an encoded name."""
        return str(super().name(item)).encode()


class NamesAreFractions(NamedSource):
    """A number is returned as a double, as a column with missing values stores it."""

    def name(self, item: int) -> object:
        """Return a number as a double."""
        return float(item)


class NamesAreTextsOnceRead(NamedSource):
    """An item's name is its number until a page shows it, and a text after that."""

    def __init__(self, histogram: Sequence[int], names: Sequence[str | int] | None = None) -> None:
        """Start with nothing shown."""
        super().__init__(histogram, names)
        self.shown: set[int] = set()

    def top(self, start: int, count: int) -> Page:
        """Return a page, and note what it shows."""
        page = super().top(start, count)
        self.shown.update(item for item, _ in page)
        return page

    def name(self, item: int) -> object:
        """Return a text or a number."""
        return super().name(item) if item in self.shown else item


class NamesFoldCase(NamedSource):
    """Names that differ only in upper and lower case share one row."""

    def key(self, name: str | int) -> object:
        """Return a name in lower case."""
        return name.casefold() if isinstance(name, str) else name


class MissingNamesFoldCase(NamedSource):
    """A name without votes gets those of a name that differs only in case."""

    def score(self, item: int) -> int:
        """Return the votes of a name, or of one that differs only in case."""
        wanted = str(self.names[item - 1]).casefold()
        alike = (score for name, score in self.named_scores() if str(name).casefold() == wanted)
        return super().score(item) or max(alike)


class NamesAreTrimmed(NamedSource):
    """Spaces at both ends of a name are removed when it is stored."""

    def name(self, item: int) -> object:
        """Return a name without its spaces."""
        name = super().name(item)
        return name.strip(" ") if isinstance(name, str) else name


class NamesComparePadded(NamedSource):
    """Names that differ only in trailing spaces share one row."""

    def key(self, name: str | int) -> object:
        """Return a name as fixed columns compare it."""
        return name.rstrip(" ") if isinstance(name, str) else name


class NamesReadAsNumbers(NamedSource):
    """Names that look like numbers are compared as numbers."""

    def key(self, name: str | int) -> object:
        """Return a number if a name is one."""
        try:
            return int(name)
        except ValueError:
            return name


class NumbersThroughDoubles(NamedSource):
    """Names that are numbers are rounded to doubles."""

    def key(self, name: str | int) -> object:
        """Return a rounded number."""
        return float(name) if isinstance(name, int) else name


class NumbersComeBackAsTexts(NamedSource):
    """A name that is a number is returned as text."""

    def name(self, item: int) -> object:
        """Return a text."""
        return str(super().name(item))


class NamesAreNormalised(NamedSource):
    """Names are normalised to composed letters before they are compared."""

    def key(self, name: str | int) -> object:
        """Return a composed name."""
        return unicodedata.normalize("NFC", name) if isinstance(name, str) else name


class NamesEndAtCodeZero(NamedSource):
    """A name ends at its first null character, as in C."""

    def key(self, name: str | int) -> object:
        """Return the part before the null character."""
        return name.partition("\0")[0] if isinstance(name, str) else name


class NamesAreCut(NamedSource):
    """Names are cut after 255 characters."""

    def key(self, name: str | int) -> object:
        """Return the beginning of a name."""
        return name[:LONGEST] if isinstance(name, str) else name


class QuotesComeBackDoubled(NamedSource):
    """Quotes are doubled for a statement that needs no escaping."""

    def name(self, item: int) -> object:
        """Return a name as a statement has it."""
        name = super().name(item)
        return name.replace("'", "''") if isinstance(name, str) else name


class NamesArePatterns(NamedSource):
    """A lookup treats percent and underscore as wildcards."""

    def score(self, item: int) -> int:
        """Return the score of the first name that matches an item's name."""
        pattern = re.escape(str(self.names[item - 1])).replace("%", ".*").replace("_", ".")
        return next(
            score
            for name, score in self.named_scores()
            if re.fullmatch(pattern, str(name), re.DOTALL)
        )


class NamesInAsciiOnly(NamedSource):
    """Characters outside ASCII become question marks."""

    def key(self, name: str | int) -> object:
        """Return a name in ASCII."""
        return name.encode("ascii", "replace") if isinstance(name, str) else name


class NamesAreLines(NamedSource):
    """Names are stored one per line, so a line break ends a name."""

    def name(self, item: int) -> object:
        """Return a line."""
        name = super().name(item)
        return name.splitlines()[0] if isinstance(name, str) and name.strip() else name


OWN: Final = (
    NamesOfTheLastPage,
    NamesInOrderOfAsking,
    NamesOfThreeDigits,
    NamesAreBytes,
    NamesAreFractions,
    NamesAreTextsOnceRead,
)
GIVEN: Final = (
    NamesFoldCase,
    MissingNamesFoldCase,
    NamesAreTrimmed,
    NamesComparePadded,
    NamesReadAsNumbers,
    NumbersThroughDoubles,
    NumbersComeBackAsTexts,
    NamesAreNormalised,
    NamesEndAtCodeZero,
    NamesAreCut,
    QuotesComeBackDoubled,
    NamesArePatterns,
    NamesInAsciiOnly,
    NamesAreLines,
)
MUTANTS: Final = (
    *mutants(OWN, USUAL_SLIP, "source.names"),
    *mutants(GIVEN, USUAL_SLIP, "source.given-names"),
)
