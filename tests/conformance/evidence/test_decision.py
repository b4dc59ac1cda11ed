"""Facts about verdicts: what makes a requirement fail, pass, or stay undecided."""

import math

import numpy as np
import pytest

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.evidence.e_process import Categories
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject

COIN = Categories((0.5, 0.5), ("heads", "tails"))


class FairCoin(Requirement):
    """A requirement that a coin is fair."""

    id = "selector.fair-coin"
    kind = Kind.SELECTOR
    statement = "A coin is fair."
    claims = ()
    share = 100
    bug = "the coin is bent"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return two coins."""
        return (Experiment("first", 10, streams={"side": COIN}), Experiment("second", 10))

    def observe(self, trial: Trial) -> Observation:
        """Return an empty observation."""
        return Observation()

    def explanations(self, experiment: Experiment, observed: Observation) -> dict[str, float]:
        """Name the heavier side."""
        heads = float((observed.values["side"] == 0).sum())
        tails = len(observed.values["side"]) - heads
        return {"heads only": heads - tails, "tails only": tails - heads}


def case(alpha: float = 1e-6) -> Case:
    """Return the requirement before its first trial."""
    coins = tuple(Experiment(name, 100, streams={"side": COIN}) for name in ("first", "second"))
    return Case(FairCoin(), coins, alpha)


def tosses(*sides: int) -> Observation:
    """Return the observation of some tosses."""
    return Observation({"side": np.array(sides, dtype=float)}, seconds=0.5)


def test_a_certain_breach_fails_at_once() -> None:
    """A violation fails the requirement, for any evidence."""
    coin = case()
    coin.take(1, 3, Observation(violation="it has no sides", answers=5))
    assert (coin.verdict, coin.message, coin.failed_experiment, coin.trials) == (
        CaseVerdict.FAIL,
        "it has no sides",
        1,
        3,
    )


def test_sufficient_evidence_waits_for_an_explanation() -> None:
    """Evidence that once exceeds 1/alpha fails the subject after all trials."""
    coin = case()
    coin.take(0, 40, tosses(*[0] * 40))
    assert coin.verdict is None
    coin.take(1, 400, tosses(*[0, 1] * 200))
    coin.finish()
    assert coin.verdict is CaseVerdict.FAIL


def test_enough_evidence_fails() -> None:
    """Ninety heads in a row also suffice to name the bug."""
    coin = case()
    coin.take(0, 90, tosses(*[0] * 90))
    assert coin.verdict is CaseVerdict.FAIL
    assert coin.log_e >= math.log(1e6)
    assert coin.message.startswith("first, side: what was seen is 10^")
    assert coin.message.endswith("after 90 trials of all experiments; it looks like heads only")


def test_a_bug_is_named_by_all_experiments_together() -> None:
    """A bug that one experiment suggests and the other denies is not named."""
    coin = case()
    coin.take(1, 90, tosses(*[1] * 90))
    assert coin.message.endswith("it looks like tails only")
    mixed = case()
    mixed.take(1, 40, tosses(*[1] * 40))
    mixed.take(0, 42, tosses(*[0] * 42))
    mixed.finish()
    assert mixed.verdict is CaseVerdict.FAIL
    assert "it looks like" not in mixed.message


def test_the_threshold_is_the_reciprocal_of_the_level() -> None:
    """With a smaller alpha the same tosses do not suffice."""
    coin = case(alpha=1e-30)
    coin.take(0, 40, tosses(*[0] * 40))
    assert coin.verdict is None


def test_the_streams_share_the_budget() -> None:
    """The evidence of a requirement is the mean over its streams."""
    coin = case()
    coin.take(0, 10, tosses(*[0] * 10))
    assert math.exp(coin.log_e) == pytest.approx((math.exp(coin.stream_log_e(0, "side")) + 1) / 2)


def test_all_trials_without_evidence_pass() -> None:
    """A requirement passes when it is finished without evidence against the subject."""
    coin = case()
    coin.take(0, 4, tosses(0, 1, 1, 0))
    coin.take(1, 2, tosses(1, 0))
    coin.finish()
    assert (coin.verdict, coin.trials, coin.seconds, len(coin.path)) == (
        CaseVerdict.PASS,
        6,
        1.0,
        2,
    )


def test_an_experiment_that_showed_nothing_is_no_pass() -> None:
    """If nothing was received of an experiment, the requirement is undecided."""
    coin = case()
    coin.take(0, 4, tosses(0, 1, 1, 0))
    coin.finish()
    assert (coin.verdict, coin.message) == (
        CaseVerdict.ERROR,
        "the harness has received no answer of the subject in the experiment second",
    )


def test_an_empty_observation_is_no_pass() -> None:
    """An observation without an answer and without a value makes the requirement undecided."""
    coin = case()
    coin.take(0, 4, Observation())
    assert (coin.verdict, coin.trials, coin.message) == (
        CaseVerdict.ERROR,
        0,
        "the harness has received no answer of the subject in the experiment first",
    )


def test_trials_are_counted_from_what_was_received() -> None:
    """A piece of ten trials with three answers counts as three trials."""
    coin = case()
    coin.take(0, 10, Observation(violation="it broke", answers=3))
    assert coin.trials == 3


def test_what_a_subject_declines_stands_beside_the_verdict() -> None:
    """A pass names the experiments that the subject declined, with the reasons."""
    coin = case()
    coin.take(0, 10, Observation(declined="NotImplementedError: no first coin"))
    coin.take(1, 4, tosses(0, 1, 0, 1))
    coin.finish()
    assert (coin.verdict, coin.message) == (
        CaseVerdict.PASS,
        "declined 1 of 2 experiments: NotImplementedError: no first coin",
    )


def test_a_subject_that_declines_everything_is_not_tested() -> None:
    """If all experiments are declined, the requirement is skipped."""
    coin = case()
    coin.take(0, 10, Observation(declined="no coin"))
    coin.take(1, 10, Observation(declined="no coin"))
    coin.finish()
    assert (coin.verdict, coin.message) == (
        CaseVerdict.SKIP,
        "declined 2 of 2 experiments: no coin",
    )


def test_giving_up_is_not_a_pass() -> None:
    """An undecided case stays undecided."""
    coin = case()
    coin.give_up("the harness failed")
    coin.finish()
    assert (coin.verdict, coin.message) == (CaseVerdict.ERROR, "the harness failed")


def test_observations_are_kept_by_experiment() -> None:
    """A report gets all observations of an experiment, in order."""
    coin = case()
    coin.take(1, 2, tosses(0, 1))
    coin.take(1, 1, tosses(1))
    assert coin.observations_of(1)["side"].tolist() == [0.0, 1.0, 1.0]
    assert coin.observations_of(0) == {}
