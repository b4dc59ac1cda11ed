"""Facts about the uniforms to which noise is mapped."""

import math
import random

import numpy as np
import pytest

from privtopk.conformance.evidence.trial import Experiment, Trial, ViolationError
from privtopk.conformance.requirements.noise.residuals import (
    COMPARED,
    consecutive_pairs,
    finite_float,
    levels,
    no_repetition,
    nonempty_streams,
    pair_category,
    quarter,
    repetitions,
    require_refusal,
)
from privtopk.conformance.subjects.calls import Caller, SubjectError
from privtopk.conformance.subjects.kinds import Abilities
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import Gumbel


def trial_of(count: int = 1) -> Trial:
    """Return a trial of nothing."""
    subject = Subject(None, Abilities())
    return Trial(subject, Experiment("none", count), count, random.Random(1), Caller(1.0))


@pytest.mark.parametrize("value", [1.5, 2, np.float32(0.5), np.float64(-3.0)])
def test_numbers_are_real(value: object) -> None:
    """Python's and numpy's numbers are noise."""
    assert finite_float(value, "here") == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.5", "here: noise must be a number, got str"),
        (None, "here: noise must be a number, got NoneType"),
        (True, "here: noise must be a number, got bool"),
        (math.nan, "here: noise must be finite, got nan"),
        (-math.inf, "here: noise must be finite, got -inf"),
    ],
)
def test_nonsense_is_a_violation(value: object, text: str) -> None:
    """A value that is not a finite number is a violation that says what it is."""
    with pytest.raises(ViolationError) as caught:
        finite_float(value, "here")
    assert str(caught.value) == text


def test_levels_are_the_specifications() -> None:
    """Levels are -log F."""
    assert levels(Gumbel(2.0), [0.0, 1.0]).tolist() == [1.0, math.exp(-2.0)]


def test_quarters_include_both_ends() -> None:
    """0 lies in the first quarter and 1 in the last."""
    assert [quarter(u) for u in (0.0, 0.25, 0.5, 0.99, 1.0)] == [0, 1, 2, 3, 3]


def test_pairs_have_sixteen_categories() -> None:
    """The first uniform counts four times as much as the second."""
    assert [pair_category(0.0, 0.0), pair_category(0.3, 0.8), pair_category(1.0, 1.0)] == [
        0.0,
        7.0,
        15.0,
    ]


def test_a_missing_partner_is_drawn() -> None:
    """A last uniform without a partner is paired with a random number, so it is never left out."""
    coin = random.Random(4).random()
    drawn = consecutive_pairs([0.1, 0.9, 0.6], random.Random(4))
    assert drawn == [pair_category(0.1, 0.9), pair_category(0.6, coin)]


def test_repetitions_are_found_within_blocks() -> None:
    """Equal values count in their block only."""
    assert repetitions([1.0, 2.0, 1.0, 3.0, 3.0], 2).tolist() == [0.0, 0.0, 0.0]
    assert repetitions([1.0, 1.0, 2.0], 2).tolist() == [1.0, 0.0]


def test_repetitions_are_bounded_by_the_number_of_pairs() -> None:
    """2048 values make 2^21 pairs, each equal with probability 2^-40."""
    assert no_repetition(COMPARED).bound == 2.0**-19


def test_empty_streams_are_left_out() -> None:
    """Only streams with observations are reported."""
    assert list(nonempty_streams({"one": [0.5], "none": []})) == ["one"]


def test_acceptance_is_a_violation() -> None:
    """A call that must be refused and is accepted is a violation."""
    with pytest.raises(ViolationError) as caught:
        require_refusal(trial_of(), "the rate 0", lambda: 1.0)
    assert str(caught.value) == "the rate 0 was accepted; it must be refused"


def test_any_ordinary_error_is_a_refusal() -> None:
    """An exception is a refusal; an attempt to exit is not."""
    require_refusal(trial_of(), "division by zero", lambda: 1 / 0)
    with pytest.raises(SubjectError):
        require_refusal(trial_of(), "leaving", exit)
