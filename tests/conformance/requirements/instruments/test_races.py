"""Facts about races: which winners are expected, and which mistake explains others."""

import pytest

from conformance.support_oracle import run_case
from privtopk.conformance.requirements.instruments.races import (
    LeaderRace,
    race_gains,
    race_probabilities,
)
from privtopk.conformance.requirements.selector.tail import Tail
from privtopk.conformance.subjects.question import question_at
from privtopk.impl import subjects


def test_favoured_small_numbers_are_named() -> None:
    """If all other winners lie in the first range, the message says so."""
    race = LeaderRace(100, question_at(0.2, 1), 0.2, 0.5)
    seen = run_case(subjects.batched, Tail(), budget=0.001).values[0, "winner"][0]
    found = race_gains(race, seen.clip(1, 1).repeat(20))
    assert max(found, key=lambda text: found[text]) == "a choice that favours small item numbers"


def test_ranges_have_exact_probabilities() -> None:
    """Of 9 zeros the first range of eight holds two, and each other one."""
    race = LeaderRace(10, question_at(0.2, 1), 0.2, 0.1)
    assert race_probabilities(race, 0.1) == pytest.approx((0.1, 0.2, *[0.1] * 7))
