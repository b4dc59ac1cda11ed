"""Finished runs for the tests of the reports, made from chosen observations without any trials."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from privtopk.conformance.evidence.decision import Case
from privtopk.conformance.evidence.e_process import (
    Categories,
    MeanAtMost,
    Null,
    Observations,
    SuperUniform,
    Uniform,
)
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.running.runner import Run, RunPlan
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.subject import Subject

HOSTILE = "<script>alert('no')</script> & [bold]no\x1b[31m \ud800"
"""An error text of a subject with markup of every kind, control characters and a lone surrogate."""


class Sample(Requirement):
    """A requirement without trials."""

    kind = Kind.SELECTOR
    statement = "The answer is right."
    claims: ClassVar[tuple[str, ...]] = ("algo:one-shot", "def:noise")
    bug = "the answer is wrong"

    def __init__(self, name: str) -> None:
        """Take the id."""
        self.id = name

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return no experiments."""
        return ()

    def observe(self, trial: Trial) -> Observation:
        """Return an empty observation."""
        return Observation()


def case_of(
    streams: Mapping[str, tuple[Null, Observations]],
    name: str = "selector.sample",
    alpha: float = 1e-7,
    pieces: int = 4,
) -> Case:
    """Return a finished case with one experiment that got given observations, in some pieces."""
    nulls = {key: null for key, (null, _) in streams.items()}
    case = Case(Sample(name), (Experiment("h=(0, 2)", 1000, None, nulls),), alpha)
    seen = {key: np.array_split(values, pieces) for key, (_, values) in streams.items()}
    for piece in range(pieces):
        if case.verdict is None:
            values = {key: parts[piece] for key, parts in seen.items()}
            count = max(map(len, values.values()))
            case.take(0, count, Observation(values, seconds=0.25))
    case.finish()
    return case


def certain_case(name: str = "selector.certain", trials: int = 22) -> Case:
    """Return a passed case in which nothing is random."""
    case = Case(Sample(name), (Experiment("m=5", trials),), 0.0)
    case.take(0, trials, Observation(answers=trials, seconds=0.5))
    case.finish()
    return case


def skipped_case(name: str = "selector.skipped", reason: str = "it has no ranking") -> Case:
    """Return a case that does not concern the subject."""
    case = Case(Sample(name), (), 0.0)
    case.skip(reason)
    return case


def undecided_case(name: str = "selector.broken") -> Case:
    """Return a case that the harness could not decide."""
    case = Case(Sample(name), (), 0.0)
    case.give_up("the harness failed: OSError: no space")
    return case


def breached_case(message: str = HOSTILE, name: str = "selector.breached") -> Case:
    """Return a case that failed by a violation, not by evidence."""
    case = Case(Sample(name), (Experiment("m=5", 10),), 0.0)
    case.take(0, 3, Observation(violation=message, answers=3, seconds=0.1))
    return case


def scaling_case() -> Case:
    """Return a case that measured accesses of twice the root of m k."""
    m = np.repeat([1e2, 1e3, 1e4, 1e5], 5)
    k = np.tile([1.0, 2.0, 4.0, 8.0, 16.0], 4)
    spread = np.exp(np.linspace(-0.1, 0.1, 20)[np.random.default_rng(1).permutation(20)])
    accesses = 2 * np.sqrt(m * k) * spread
    case = Case(Sample("selector.scaling"), (Experiment("growth", 20),), 0.0)
    measured = {"m": tuple(m), "k": tuple(k), "accesses": tuple(accesses)}
    case.take(0, 20, Observation(measured=measured, answers=20, seconds=1.0))
    case.finish()
    return case


def run_of(
    *cases: Case,
    plan: RunPlan | None = None,
    address: str = "python:some.module:subject",
    kind: Kind = Kind.SELECTOR,
) -> Run:
    """Return a run with given cases."""
    return Run(address, Abilities(kind=kind), plan or RunPlan(), cases, 1.5)


def every_plot() -> Run:
    """Return a run that fails, passes, skips and errs, and has something for every plot."""
    coins = np.random.default_rng(1)
    fair = Categories((0.25,) * 4, ("1 2", "1 3", "<2 3>", "2 4"))
    streams: Mapping[str, tuple[Null, Observations]] = {
        "residuals": (Uniform(), coins.random(400)),
        "p-values": (SuperUniform(), coins.random(300) ** 0.8),
        "outcomes": (fair, coins.integers(4, size=500).astype(float)),
        "errors": (MeanAtMost(0.2), (coins.random(200) < 0.1).astype(float)),
    }
    wrong: Mapping[str, tuple[Null, Observations]] = {
        "residuals": (Uniform(), coins.random(400) ** 2)
    }
    return run_of(
        case_of(streams, "selector.right"),
        case_of(wrong, "selector.wrong"),
        scaling_case(),
        certain_case(),
        breached_case(),
        undecided_case(),
        skipped_case(),
    )


def numbers(values: Sequence[float]) -> Observations:
    """Return observations."""
    return np.array(values, dtype=float)
