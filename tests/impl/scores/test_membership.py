"""Facts about which items are in a list."""

import numpy as np
import pytest

from privtopk.impl.scores.membership import MANY, SHORT, is_among


@pytest.mark.parametrize("length", [0, 1, 100, SHORT, SHORT + 1])
@pytest.mark.parametrize("count", [0, 5, MANY - 1, MANY, MANY + 5])
def test_items_are_found_in_lists_of_every_length(length: int, count: int) -> None:
    """For short and long lists, and few and many items, exactly the members are found."""
    generator = np.random.default_rng(length + count)
    listed = np.unique(generator.integers(0, 2**40, size=length))
    near = listed + 2**16 if length else listed  # the same low bits
    items = generator.permutation(
        np.concatenate([listed[:50], near[:50], generator.integers(0, 2**40, size=count)])
    )
    wanted = np.isin(items, listed)
    assert is_among(items, listed).tolist() == wanted.tolist()
