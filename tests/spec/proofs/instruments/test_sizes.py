"""Tests of the sizes that enumerations visit."""

from privtopk.spec.proofs.instruments.sizes import pairs_up_to


def test_pairs_are_ordered_by_the_larger_number() -> None:
    """All pairs up to 3 are there, once each."""
    assert list(pairs_up_to(3)) == [(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)]
