"""Facts about selectors that know what they have not read."""

from typing import Any

import pytest

from conformance.support_flips import Flips
from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.mutants.selector.cost import ScoresFromTheClosure
from privtopk.conformance.requirements.selector.peeking import NoPeeking, is_hit
from privtopk.conformance.subjects.doors import Meter
from privtopk.impl.subjects import batched, one_shot, rank_free


@pytest.mark.parametrize("engine", [batched, one_shot, rank_free])
def test_a_selector_that_reads_first_passes(engine: Any) -> None:
    """Scans and prefixes do not look up the leader first."""
    assert run_case(engine, NoPeeking()).verdict is CaseVerdict.PASS


def test_a_selector_that_knows_the_leader_fails() -> None:
    """A selector that takes the scores from the harness's memory looks up the winner at once."""
    assert run_case(ScoresFromTheClosure(), NoPeeking(), budget=4).verdict is CaseVerdict.FAIL


def test_only_a_random_access_to_the_leader_is_a_hit() -> None:
    """A sorted access that delivers the leader, or a later look-up, is none."""
    assert is_hit(Meter(trace=[("random", 5)]), 5)
    assert not is_hit(Meter(trace=[("sorted", 5)]), 5)
    assert not is_hit(Meter(trace=[("random", 4), ("random", 5)]), 5)
    assert not is_hit(Meter(), 5)


def test_a_sampler_is_not_watched() -> None:
    """A subject that receives the histogram reads nothing, so it cannot peek."""
    case = run_case(Flips(), NoPeeking())
    assert (case.verdict, case.message) == (
        CaseVerdict.SKIP,
        "the subject reads no list: it is shown the whole histogram",
    )
