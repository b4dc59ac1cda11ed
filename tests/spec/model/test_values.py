"""Facts about the types of the model."""

from fractions import Fraction

from privtopk.spec.model.values import Item, Position, exact_sum, items_of, running_sum, score_of


def test_items_count_from_one() -> None:
    """The domain of size 3 is 1, 2, 3."""
    assert items_of(3) == (1, 2, 3)


def test_domain_of_one_item() -> None:
    """The smallest domain is the item 1 alone."""
    assert items_of(1) == (1,)


def test_score_of_the_first_item_stands_first() -> None:
    """Item 1 has the first score of a histogram."""
    assert score_of((7, 5, 3), Item(1)) == 7


def test_score_of_the_last_item_stands_last() -> None:
    """Item m has the last score of a histogram."""
    assert score_of((7, 5, 3), Item(3)) == 3


def test_every_item_has_its_score() -> None:
    """Reading the scores of all items in order gives the histogram back."""
    histogram = (4, 0, 9, 9)
    assert tuple(score_of(histogram, item) for item in items_of(4)) == histogram


def test_items_and_positions_are_plain_integers_at_run_time() -> None:
    """The two types exist for the type checker only."""
    assert (type(Item(2)), type(Position(2))) == (int, int)


def test_exact_sum_rounds_nothing() -> None:
    """A noise beside a score of 2^60 is kept to its last bit."""
    assert exact_sum((2**60, 0.25)) == Fraction(2**62 + 1, 4)


def test_exact_sum_of_whole_numbers_is_whole() -> None:
    """Whole numbers are added as they are."""
    assert exact_sum((1, 2)) == 3
    assert isinstance(exact_sum((1, 2)), int)


def test_a_running_sum_rounds_after_each_addition() -> None:
    """Ten tenths are less than 1 on every version of Python, whatever its `sum` returns."""
    assert running_sum([0.1] * 10) == 1 - 2.0**-53
