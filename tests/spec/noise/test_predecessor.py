"""Facts about the naive index, the model that a fast one is compared with."""

from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.noise.predecessor import NaiveIndex, PredecessorIndex
from support_index import answers

KEYS = st.lists(st.integers(1, 30), max_size=12)


def index_of(keys: list[int]) -> NaiveIndex:
    """Return an index with these keys."""
    index = NaiveIndex()
    for key in keys:
        index.insert(key)
    return index


def test_empty_index_has_no_neighbours() -> None:
    """Before the first insertion every answer is None or False."""
    assert answers(NaiveIndex(), 5) == (False, None, None, None, None)


def test_neighbours_are_strict() -> None:
    """A member is not its own neighbour."""
    index = index_of([2, 5, 9])
    assert (index.predecessor(5), index.successor(5)) == (2, 9)


def test_ends_have_one_neighbour() -> None:
    """Nothing lies below the minimum or above the maximum."""
    index = index_of([2, 5, 9])
    assert (index.predecessor(2), index.successor(9)) == (None, None)


def test_neighbours_of_other_numbers() -> None:
    """A number need not be a member to have neighbours."""
    index = index_of([2, 5, 9])
    assert [(index.predecessor(k), index.successor(k)) for k in (1, 3, 7, 10)] == [
        (None, 2),
        (2, 5),
        (5, 9),
        (9, None),
    ]


@settings(max_examples=50)
@given(KEYS, st.integers(0, 31))
def test_index_agrees_with_a_sorted_list(keys: list[int], key: int) -> None:
    """Members, neighbours and ends are those of the sorted list of distinct keys."""
    index, ranked = index_of(keys), sorted(set(keys))
    assert answers(index, key) == (
        key in ranked,
        next((k for k in reversed(ranked) if k < key), None),
        next((k for k in ranked if k > key), None),
        ranked[0] if ranked else None,
        ranked[-1] if ranked else None,
    )


@settings(max_examples=50)
@given(KEYS)
def test_adding_a_key_twice_changes_nothing(keys: list[int]) -> None:
    """The index is a set: every question has the same answer after a second insertion."""
    once, twice = index_of(keys), index_of(keys + keys)
    assert [(k in once, once.predecessor(k), once.successor(k)) for k in range(32)] == [
        (k in twice, twice.predecessor(k), twice.successor(k)) for k in range(32)
    ]


def test_neighbouring_key_zero_is_found() -> None:
    """The key 0 is a member like any other, not a missing answer."""
    assert index_of([0]).predecessor(1) == 0


def test_naive_index_is_a_predecessor_index() -> None:
    """The model satisfies the protocol for the type checker and at run time."""
    index: PredecessorIndex = NaiveIndex()
    index.insert(3)
    assert 3 in index
