"""Facts about the requirements on names, and how wrong sources are found."""

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.right.sources import NamedSource, Page
from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.mutants.source import names as source_names
from privtopk.conformance.requirements.source.names import GIVEN, GivenNames, Names, splits
from privtopk.impl.subjects import memory, sparse_memory, sqlite

NAMES, GIVEN_NAMES = Names(), GivenNames()


class Answering(NamedSource):
    """Has items whose names are truth values."""

    def name(self, item: int) -> object:
        """Return a truth value."""
        return item > 1


class RenamedByLookups(NamedSource):
    """Renames its first item when items are looked up."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return scores, and forget a name."""
        if self.size > 1:
            self.names[0] = "nobody"
        return super().scores(items)


class Backwards(NamedSource):
    """Changes names when items are queried in descending order."""

    last, steps = 0, 0

    def name(self, item: int) -> object:
        """Return another name after two steps down."""
        self.steps = self.steps + 1 if item == self.last - 1 else 0
        self.last = item
        return f"{item} again" if self.steps >= 2 else f"{item}"


class Unlisted(NamedSource):
    """Lists every item with the score of the next."""

    def top(self, start: int, count: int) -> Page:
        """Return the wrong scores."""
        items = self.order[start - 1 :][:count]
        return [(item, self.histogram[item % self.size]) for item in items]


class Batched(NamedSource):
    """Answers a lookup of several items with the score of the first."""

    def scores(self, items: Sequence[int]) -> Sequence[int]:
        """Return one score for all."""
        return [*super().scores(items)[:1]] * len(items)


class Choosy(NamedSource):
    """Declines names with characters of code 0."""

    @classmethod
    def named(cls, names: Sequence[str | int], histogram: Sequence[int]) -> "NamedSource":
        """Decline what it cannot store."""
        if any("\0" in str(name) for name in names):
            raise NotImplementedError("texts end at code 0")
        return super().named(names, histogram)


class Refusing(NamedSource):
    """Raises on names that are not ASCII."""

    @classmethod
    def named(cls, names: Sequence[str | int], histogram: Sequence[int]) -> "NamedSource":
        """Raise on names that it cannot store."""
        for name in names:
            str(name).encode("ascii")
        return super().named(names, histogram)


@pytest.mark.parametrize("source", [NamedSource, memory, sparse_memory, sqlite])
def test_right_names_pass(source: Any) -> None:
    """Sources with texts and with numbers as names pass."""
    case = run_case(source, NAMES)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    "source", [NamedSource, memory, pytest.param(sqlite, marks=pytest.mark.slow)]
)
def test_a_source_that_keeps_names_passes(source: Any) -> None:
    """An index in memory and a table return the names that they are given."""
    case = run_case(source, GIVEN_NAMES)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


def test_without_names_both_are_skipped() -> None:
    """The reason to skip a source without names says how to offer them."""
    cases = [run_case(HistogramSource, requirement) for requirement in (NAMES, GIVEN_NAMES)]
    assert [case.verdict for case in cases] == [CaseVerdict.SKIP, CaseVerdict.SKIP]
    assert cases[0].message.startswith("the subject does not offer name: ")
    assert cases[1].message.startswith("the subject does not offer named: ")


def test_names_of_its_own_do_not_make_it_take_others() -> None:
    """A source that numbers its items is not given other names."""
    case = run_case(sparse_memory, GIVEN_NAMES)
    assert case.verdict is CaseVerdict.SKIP
    assert case.message.startswith("the subject does not offer named: ")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (Answering, "a name must be a text or a whole number, item 1 has False"),
        (
            source_names.NamesAreBytes,
            "a name must be a text or a whole number, item 1 has b'item 1'",
        ),
        (source_names.NamesAreFractions, "a name must be a text or a whole number, item 1 has 1.0"),
        (source_names.NamesOfThreeDigits, "items 1 and 1001 are both called 'item 001'"),
        (
            source_names.NamesInOrderOfAsking,
            "item 1 must be 1 after the page at rank 1, got 2",
        ),
        (RenamedByLookups, "item 1 must be 'item 1' after a lookup, got 'nobody'"),
        (Backwards, "item 5 must be '5' asked in another order, got '5 again'"),
    ],
)
def test_a_wrong_name_is_reported(source: Any, message: str) -> None:
    """The message about a wrong name has the item and the name."""
    case = run_case(source, NAMES)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (source_names.NamesAreTrimmed, "item 3 must be 'a ' as it was given, got 'a'"),
        (source_names.NumbersComeBackAsTexts, "item 1 must be 0 as it was given, got '0'"),
        (source_names.NamesFoldCase, "item 'a' must have score 1, alone it has [2]"),
        (Batched, "item 'pear' must have score 2, together it has [1]"),
        (Unlisted, "item 'apple' must have score 1, listed it has [2]"),
    ],
)
def test_a_name_that_is_not_kept_is_reported(source: Any, message: str) -> None:
    """The message about a changed name has the returned name, or the wrong score."""
    case = run_case(source, GIVEN_NAMES)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def test_names_that_a_store_cannot_have_are_declined() -> None:
    """A source that declines a kind of names is not tested with it, and the report says so."""
    case = run_case(Choosy, GIVEN_NAMES)
    assert (case.verdict, case.message) == (
        CaseVerdict.PASS,
        "declined 1 of 9 experiments: NotImplementedError: texts end at code 0",
    )


def test_names_that_are_refused_otherwise_are_a_failure() -> None:
    """An error other than a decline is a fault."""
    case = run_case(Refusing, GIVEN_NAMES)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.startswith("the subject raised UnicodeEncodeError: 'ascii' codec ")


@pytest.mark.parametrize("mutant", source_names.MUTANTS, ids=lambda mutant: mutant.name)
def test_mutants_are_killed(mutant: Any) -> None:
    """Every mutant that loses names is killed by its own requirement."""
    requirement = NAMES if mutant.killer == NAMES.id else GIVEN_NAMES
    assert (
        run_case(getattr(source_names, mutant.attribute), requirement).verdict is CaseVerdict.FAIL
    )


@pytest.mark.parametrize("names", GIVEN.values(), ids=GIVEN.keys())
def test_given_names_differ(names: Sequence[str | int]) -> None:
    """No name is given twice, and all of one list are texts or all are numbers."""
    assert len(set(names)) == len(names)
    assert len({type(name) for name in names}) == 1


@pytest.mark.parametrize("m", [1, 2, 7, 8, 39])
def test_of_every_two_names_each_is_once_without_votes(m: int) -> None:
    """Votes that go to a similar name are found in both directions."""
    everyone, *some = splits(m)
    seen = {
        (a, b) for votes in some for a in votes for b in range(1, m + 1) if a and b not in votes
    }
    assert everyone == tuple(range(1, m + 1))
    assert seen == {(a, b) for a in everyone for b in everyone if a != b}
