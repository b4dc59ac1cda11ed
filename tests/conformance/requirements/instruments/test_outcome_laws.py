"""Facts about the laws of selections and the mistakes that explain wrong ones."""

import math

import numpy as np
import pytest

from conformance.support_selectors import Scan
from privtopk.conformance.evidence.decision import DECISIVE
from privtopk.conformance.requirements.instruments.outcome_laws import (
    Law,
    gains,
    law_of,
    usual_mistakes,
)
from privtopk.conformance.requirements.selector.output_law import SETTINGS, experiment_of
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.question import question_at
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind

SCAN = Subject(Scan(), abilities_of(Scan()))


@pytest.mark.parametrize(
    ("rate", "slip"),
    [
        (0.6, None),
        (1.2, "a budget counted once and not for each of the k items"),
        (0.3, "a budget divided by k twice"),
        (1 / 0.6, "noise of scale epsilon instead of 1/epsilon"),
        (0.6 * 50, "almost no noise"),
        (1e-9, "a choice that ignores the scores"),
        (0.6 * 1.4, "noise too small by a factor of 1.4"),
    ],
)
def test_a_mistake_is_named_from_the_counts(rate: float, slip: str | None) -> None:
    """Counts in proportion to the law of a mistake are recognised as that mistake."""
    histogram, k, _ = SETTINGS[2]
    law: Law = experiment_of(SCAN, histogram, question_at(0.6, k)).setting
    right = law_of(histogram, k, rate, NoiseKind.GUMBEL, False)
    counts = [round(20_000 * right[outcome]) for outcome in law.outcomes]
    seen = np.repeat(np.arange(len(counts), dtype=float), counts)
    found = gains(law, seen, usual_mistakes(law))
    best = max(found, key=lambda text: found[text])
    assert (best if found[best] > DECISIVE else None) == slip


@pytest.mark.parametrize("noise", NoiseKind)
@pytest.mark.parametrize(("histogram", "k", "rate"), SETTINGS)
def test_a_law_is_a_law(histogram: tuple[int, ...], k: int, rate: float, noise: NoiseKind) -> None:
    """The probabilities of all sets sum to 1, and there are m over k of them."""
    law = law_of(histogram, k, rate, noise, False)
    assert math.isclose(sum(law.values()), 1, rel_tol=1e-12)
    assert len(law) == math.comb(len(histogram), k)


def test_lists_of_a_set_add_up_to_it() -> None:
    """The probability of a set is the sum over its ranked lists."""
    histogram, k, rate = SETTINGS[4]
    lists = law_of(histogram, k, rate, NoiseKind.GUMBEL, True)
    sets = law_of(histogram, k, rate, NoiseKind.GUMBEL, False)
    assert all(
        math.isclose(p, sum(q for one, q in lists.items() if tuple(sorted(one)) == items))
        for items, p in sets.items()
    )


def test_a_rate_without_a_law_explains_nothing() -> None:
    """A mistake whose law underflows is ignored."""
    law: Law = experiment_of(SCAN, (0, 2), question_at(0.6, 1)).setting
    slips = [("absurd", 1e9, NoiseKind.GUMBEL), ("half", 1.2, NoiseKind.GUMBEL)]
    assert list(gains(law, np.zeros(3), slips)) == ["half"]
