"""Facts about the score list that takes no memory."""

import numpy as np

from privtopk.impl.measurement.implicit import ImplicitPlateau
from privtopk.impl.scores.memory import IndexedScores
from privtopk.spec.upper_bounds.batched import default_prefix


def test_it_answers_like_a_stored_list() -> None:
    """Both doors return what those of a stored list return, on every page."""
    high, everything = default_prefix(40, 2), np.arange(40)
    implicit, stored = ImplicitPlateau(40, 2), IndexedScores(1000 * (everything < high))
    assert implicit.scores(everything).tolist() == stored.scores(everything).tolist()
    for start in range(40):
        for count in range(42):
            ours, theirs = implicit.top(start, count), stored.top(start, count)
            assert ours.items.tolist() == theirs.items.tolist()
            assert ours.scores.tolist() == theirs.scores.tolist()
