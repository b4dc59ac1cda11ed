"""Facts about the calibration of the oracle: what it counts, and when it raises an objection."""

import numpy as np
import pytest

from privtopk.conformance.evidence.decision import Case
from privtopk.conformance.evidence.e_process import Uniform
from privtopk.conformance.evidence.trial import Experiment, Observation
from privtopk.conformance.requirements.registry import requirement_of
from privtopk.conformance.running.calibration import Tally, calibrate_oracle
from privtopk.conformance.running.runner import Run, RunPlan
from privtopk.conformance.subjects.kinds import Abilities


def finished_run(values: np.ndarray, alpha: float = 1e-6) -> Run:
    """Return a run of one requirement that has observed some uniforms."""
    experiments = (Experiment("one", len(values), streams={"u": Uniform()}),)
    case = Case(requirement_of("noise-oracle.joint-law"), experiments, alpha)
    case.take(0, len(values), Observation({"u": values}))
    case.finish()
    return Run("python:a:b", Abilities(), RunPlan(), (case,), 0.0)


def tally_of(draws: list[np.ndarray]) -> Tally:
    """Return the tally of some runs."""
    tally = Tally()
    for values in draws:
        tally.take(finished_run(values))
    return tally


@pytest.mark.slow
def test_honest_runs_meet_the_criterion() -> None:
    """True uniforms, drawn from a seed, lead to no objection."""
    coins = np.random.default_rng(1)
    tally = tally_of([coins.random(64) for _ in range(200)])
    assert (tally.objections(), tally.runs, len(tally.tests())) == ([], 200, 2)


def test_a_false_alarm_is_an_objection() -> None:
    """A run that fails a right subject is reported with its seed."""
    (objection,) = tally_of([np.full(64, 0.5)]).false_alarms
    assert objection.startswith(
        "python:a:b noise-oracle.joint-law, seed 0: one, u: what was seen is 10^"
    )


def test_too_much_evidence_is_an_objection() -> None:
    """Evidence above 20 in more runs than Ville's inequality allows is reported."""
    coins = np.random.default_rng(2)
    tally = Tally()
    for _ in range(60):
        tally.take(finished_run(coins.random(64) ** 1.6, alpha=1e-300))
    assert any("evidence reached 20 in" in text for text in tally.objections())
    assert tally.false_alarms == []


def test_p_values_that_are_not_uniform_are_an_objection() -> None:
    """P-values find streams that are too regular, which evidence cannot."""
    grid = (np.arange(64) + 0.5) / 64
    tally = tally_of([grid for _ in range(60)])
    (objection,) = tally.objections()
    name = "python:a:b noise-oracle.joint-law, one, u"
    assert objection.startswith(f"{name}: 60 p-values are not uniform (p = ")


@pytest.mark.slow
def test_a_right_subject_is_calibrated(capsys: pytest.CaptureFixture[str]) -> None:
    """Thirty runs of a right subject on a hundredth of the trials raise no alarm."""
    plan = RunPlan(budget=0.01, jobs=2, only=("selector.shape", "selector.set-law"))
    assert calibrate_oracle(plan, ("python:wrong_subjects:right",), 30) == 0
    assert capsys.readouterr().out.startswith(
        "30 runs of 1 right subjects at 0.01 of the trials: 0 false alarms, "
    )
