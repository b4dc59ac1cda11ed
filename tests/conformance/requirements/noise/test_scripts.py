"""Facts about the orders in which a noise list is queried."""

import random

import pytest

from privtopk.conformance.evidence.trial import Experiment, Trial
from privtopk.conformance.requirements.noise.scripts import SCRIPTS, SIZES, lists_for, play_scripts
from privtopk.conformance.requirements.noise.transcript import Transcript
from privtopk.conformance.subjects.calls import Caller
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.subject import Subject
from privtopk.impl.subjects import full_noise_list, rank_free_oracle
from privtopk.spec.noise.distributions import NoiseKind


def trial_of(thing: object, count: int = 1) -> Trial:
    """Return a trial of a noise oracle."""
    experiment = Experiment("scripts", count, NoiseKind.GUMBEL)
    return Trial(
        Subject(thing, abilities_of(thing)), experiment, count, random.Random(1), Caller(5)
    )


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("m", [1, 2, 3, 8, 2**60])
def test_scripts_meet_their_cases_only(name: str, m: int) -> None:
    """A script ends, and every case that occurs in it is one that it declares."""
    script, cases = SCRIPTS[name]
    trial = trial_of(rank_free_oracle)
    for _ in range(20):
        seen = Transcript(trial, m, 0.5, NoiseKind.GUMBEL)
        assert {step.case for step in script(seen, trial) if step is not None} <= set(cases)


def test_lists_end_at_the_largest_domain() -> None:
    """Sizes above what a subject accepts are left out, small ones come twice."""
    sizes = [m for m, name in lists_for(trial_of(full_noise_list).subject) if name == "sorted"]
    assert sizes == [2, 3, 5, 8, 100, 10_000, 2, 3, 5, 8]


def test_every_size_and_script_is_played() -> None:
    """With one list per combination, each combination is played once."""
    every = len(lists_for(trial_of(rank_free_oracle).subject))
    lists = {(one.m, one.script) for one in play_scripts(trial_of(rank_free_oracle, every))}
    assert lists == {(m, name) for m in SIZES for name in SCRIPTS}
