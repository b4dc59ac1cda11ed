"""Tests the oracle itself: many runs on right subjects, and a criterion fixed beforehand.

Each run is like a user's run, with its own seed and fewer trials. The criterion:

- no run fails a right subject;
- by Ville's inequality, the evidence of a requirement reaches 20 with probability at most 1/20
  per run, so the number of runs in which it does is at most binomial;
- the Kolmogorov-Smirnov p-values of every stream of uniforms are themselves uniform.

The second and the third are many tests. Holm's correction over all of them keeps the probability
of a false objection below 1e-3.
"""

import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scipy import stats
from statsmodels.stats.multitest import multipletests

from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.evidence.e_process import Uniform
from privtopk.conformance.running.console import show_progress
from privtopk.conformance.running.runner import Run, RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor

NOTABLE: Final = 20.0
"""A right subject shows this much evidence with probability at most 1/20 per run."""

SIGNIFICANCE: Final = 1e-3
"""The largest probability that a right oracle fails its calibration."""

FEWEST: Final = 8
"""A p-value counts if it comes from at least this many observations."""


@dataclass(slots=True)
class Tally:
    """The results of all runs of right subjects."""

    runs: int = 0
    false_alarms: list[str] = field(default_factory=list)
    notable: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    trials: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    p_values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def take(self, finished: Run) -> None:
        """Count one run."""
        self.runs += 1
        for case in finished.cases:
            name = f"{finished.address} {case.requirement.id}"
            if case.verdict in (CaseVerdict.FAIL, CaseVerdict.ERROR):
                self.false_alarms.append(f"{name}, seed {finished.plan.seed}: {case.message}")
            if case.is_random and case.path:
                self.trials[name] += 1
                self.notable[name] += max(log_e for _, log_e in case.path) >= math.log(NOTABLE)
                self._take_p_values(name, case)

    def _take_p_values(self, name: str, case: Case) -> None:
        for index, experiment in enumerate(case.experiments):
            for stream, values in case.observations_of(index).items():
                is_uniform = isinstance(experiment.streams[stream], Uniform)
                if is_uniform and len(values) >= FEWEST:
                    p = float(stats.kstest(values, "uniform").pvalue)
                    self.p_values[f"{name}, {experiment.name}, {stream}"].append(p)

    def tests(self) -> dict[str, float]:
        """Return the p-value of every test of the criterion, by what is tested."""
        evidence = {
            f"{name}: evidence reached {NOTABLE:g} in {count} of {self.trials[name]} runs": float(
                stats.binom.sf(count - 1, self.trials[name], 1 / NOTABLE)
            )
            for name, count in self.notable.items()
        }
        uniform = {
            f"{name}: {len(ps)} p-values are not uniform": float(stats.kstest(ps, "uniform").pvalue)
            for name, ps in self.p_values.items()
            if len(ps) >= FEWEST
        }
        return evidence | uniform

    def objections(self) -> list[str]:
        """Return the false alarms, and the tests that reject the oracle's evidence."""
        tests = self.tests()
        if not tests:
            return self.false_alarms
        is_rejected = multipletests(list(tests.values()), alpha=SIGNIFICANCE, method="holm")[0]
        rejected = [
            f"{text} (p = {p:.2g})"
            for (text, p), wrong in zip(tests.items(), is_rejected, strict=True)
            if wrong
        ]
        return [*self.false_alarms, *rejected]


def calibrate_oracle(plan: RunPlan, subjects: Sequence[str], runs: int) -> int:
    """Run right subjects in turn, print the result, and return 0 if the criterion is met."""
    tally = Tally()
    with (
        GuardedExecutor(plan.jobs, plan.piece_seconds, plan.mebibytes) as workers,
        show_progress("calibration", is_quiet=not sys.stderr.isatty()) as progress,
    ):
        for turn in range(runs):
            address = subjects[turn % len(subjects)]
            progress(turn, runs, address)
            tally.take(run(address, replace(plan, seed=plan.seed + turn), executor=workers))
    objections = tally.objections()
    print(
        f"{tally.runs} runs of {len(subjects)} right subjects at {plan.budget:g} of the trials: "
        f"{len(tally.false_alarms)} false alarms, {len(tally.tests())} tests of the evidence, "
        f"{len(objections) - len(tally.false_alarms)} of them rejected at {SIGNIFICANCE:g}"
    )
    print("\n".join(objections))
    return 1 if objections else 0
