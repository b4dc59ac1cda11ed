"""Facts about declared domains: one name per number, and other items are refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.impl.scores.domain import Domain, ItemList, ListedDomain, RangeDomain, listed_in
from privtopk.spec.model.errors import Reason
from support import refusal

DOMAINS = [
    RangeDomain(1, 5),
    RangeDomain(-2, 2),
    RangeDomain(-1, 3, str),
    ListedDomain(["fig", "", 'a "b"', "Ö", "7"]),
    ListedDomain([7, -3, 0, 2**61, 5]),
]

OUTSIDE = (Reason.UNKNOWN_ITEM, "there is an item outside the declared domain")


@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
@given(numbers=st.lists(st.integers(0, 4)))
def test_names_and_numbers_are_inverse(domain: Domain, numbers: list[int]) -> None:
    """A number has a name of the right type, and the name has this number."""
    names = domain.names(np.array(numbers, dtype=np.int64))
    assert {type(name) for name in names} <= {domain.kind}
    assert domain.numbers(names).tolist() == numbers


@pytest.mark.parametrize(
    ("domain", "stranger"),
    [
        (RangeDomain(1, 5), 0),
        (RangeDomain(1, 5), 6),
        (RangeDomain(1, 5, str), "6"),
        (RangeDomain(1, 5, str), "03"),
        (RangeDomain(1, 5, str), " 3"),
        (RangeDomain(1, 5, str), "fig"),
        (RangeDomain(1, 5, str), "9" * 30),
        (RangeDomain(1, 5, str), "-" + "9" * 30),
        (ListedDomain(["fig"]), "pear"),
        (ListedDomain([3]), 4),
    ],
)
def test_strangers_are_refused(domain: Domain, stranger: object) -> None:
    """An item outside the domain has no number, and a number has one form as a text."""
    assert refusal(lambda: domain.numbers([domain.names(np.array([0]))[0], stranger])) == OUTSIDE


@pytest.mark.parametrize("stranger", ["3", 3.5, None])
def test_a_range_of_numbers_has_numbers(stranger: object) -> None:
    """Texts, fractions and NULL in a column of items are refused if the domain is a range."""
    assert refusal(lambda: RangeDomain(1, 5).numbers([1, stranger])) == (
        Reason.FAULTY_SOURCE,
        "the items must be whole numbers, because the items of the domain are",
    )


def test_kinds_are_changed_where_nothing_is_lost() -> None:
    """A list of texts becomes numbers if the table has numbers, and the reverse."""
    everything = np.arange(2)
    assert ListedDomain(["7", "-3"]).of_kind(int).names(everything) == [7, -3]
    assert ListedDomain([7, -3]).of_kind(str).names(everything) == ["7", "-3"]
    assert RangeDomain(1, 2).of_kind(str).names(everything) == ["1", "2"]
    assert refusal(lambda: ListedDomain(["7", "fig"]).of_kind(int)) == OUTSIDE


@pytest.mark.parametrize("is_public", [False, True])
def test_a_public_domain_stays_public(is_public: bool) -> None:
    """A domain that was taken from the votes says so, also after a change of kind."""
    numbers, texts = RangeDomain(1, 2, is_public=is_public), ListedDomain("7", is_public=is_public)
    assert (numbers.is_public, numbers.of_kind(str).is_public) == (is_public, is_public)
    assert (texts.is_public, texts.of_kind(int).is_public) == (is_public, is_public)


def test_items_of_a_list_may_have_any_type() -> None:
    """A list for scores in memory has labels of any types, in its order."""
    items = ItemList([("a", 1), 2.5, "fig"])
    assert items.names(np.array([2, 0])) == ["fig", ("a", 1)]
    assert items.numbers(["fig", 2.5]).tolist() == [2, 1]
    assert refusal(lambda: items.numbers(["fig", "pear"])) == OUTSIDE


@pytest.mark.parametrize(("first", "last"), [(2, 1), (-(2**62), 2**62)])
def test_a_range_has_a_size_that_can_be_handled(first: int, last: int) -> None:
    """An empty range is refused, and so is one of more than 2^62 items."""
    assert refusal(lambda: RangeDomain(first, last)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"a range must hold between 1 and {2**62} items, got {first}..{last}",
    )


def test_the_ends_of_a_range_fit_64_bits() -> None:
    """Ends are between -2^62 and 2^62."""
    assert refusal(lambda: RangeDomain(2**62 + 1, 2**62 + 2)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"first must be between {-(2**62)} and {2**62}, got {2**62 + 1}",
    )


def test_an_item_is_listed_once() -> None:
    """A list with a repeated item is refused."""
    assert refusal(lambda: ListedDomain(["fig", "pear", "fig"])) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 3 items of which 2 differ",
    )


def test_a_list_has_items() -> None:
    """An empty list is refused."""
    assert refusal(lambda: ListedDomain([])) == (
        Reason.EMPTY_DOMAIN,
        "a domain must have items, got an empty list",
    )


def test_a_list_is_of_one_kind() -> None:
    """Items are all numbers or all texts, and nothing else."""
    assert refusal(lambda: ListedDomain(["fig", 3])) == (
        Reason.WRONG_TYPE,
        "the items of a domain must be all texts or all whole numbers, got int, str",
    )


def test_a_file_lists_one_item_a_line(tmp_path: Path) -> None:
    """Lines are items, including their spaces; the last line break is optional."""
    path = tmp_path / "domain.txt"
    path.write_text("fig\n pear \nquince")
    assert listed_in(path).names(np.arange(3)) == ["fig", " pear ", "quince"]


def test_only_newlines_end_an_item(tmp_path: Path) -> None:
    """Other line separators and spaces belong to the item; a byte-order mark does not."""
    path = tmp_path / "domain.txt"
    path.write_bytes("\ufefffig\u2028x\r\npear\x0b \n".encode())
    assert listed_in(path).names(np.arange(2)) == ["fig\u2028x", "pear\x0b "]


def test_an_empty_line_is_no_item(tmp_path: Path) -> None:
    """The message names the empty line."""
    path = tmp_path / "domain.txt"
    path.write_text("fig\n\npear\n")
    assert refusal(lambda: listed_in(path)) == (
        Reason.UNKNOWN_ITEM,
        f"every line of the domain in {path} must hold an item, line 2 is empty",
    )


def test_an_empty_file_lists_nothing(tmp_path: Path) -> None:
    """A domain must have items."""
    path = tmp_path / "domain.txt"
    path.touch()
    assert refusal(lambda: listed_in(path))[0] is Reason.EMPTY_DOMAIN


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The message names a missing file."""
    path = tmp_path / "domain.txt"
    assert refusal(lambda: listed_in(path)) == (
        Reason.UNREACHABLE_SOURCE,
        f"the domain in {path} cannot be read: [Errno 2] No such file or directory: '{path}'",
    )


def test_numbers_beyond_64_bits_are_not_negative() -> None:
    """An unsigned number that a signed one cannot hold is outside every domain."""
    assert refusal(lambda: RangeDomain(-5, 5).numbers([np.uint64(2**64 - 1)])) == OUTSIDE


@pytest.mark.parametrize("item", [2**62 + 1, -(2**62) - 1])
def test_listed_numbers_have_bounds(item: int) -> None:
    """Differences of items fit 64 bits."""
    assert refusal(lambda: ListedDomain([1, item])) == (
        Reason.UNKNOWN_ITEM,
        "items that are numbers must lie between -2^62 and 2^62 = 4611686018427387904",
    )
