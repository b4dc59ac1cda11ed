"""Is the oracle itself honest? Right subjects, many runs, a criterion fixed beforehand.

Each run is made as for a user, with its own seed and fewer trials. The criterion:

- no run accuses a right subject of anything;
- by Ville's inequality the evidence of a requirement ever reaches 20 in at most one run of
  20, so over all runs the number of those in which it does is at most binomial;
- the Kolmogorov-Smirnov p-values of every stream of uniforms are themselves uniform.

The second and third are many tests: Holm's correction over all of them at the level 1e-3.
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
from privtopk.conformance.running.console import ConsoleProgress
from privtopk.conformance.running.runner import Run, RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor

NOTABLE: Final = 20.0
"""Evidence that a right subject shows in at most one run of 20."""

LEVEL: Final = 1e-3
"""How often a right oracle fails its own calibration."""

FEWEST: Final = 8
"""Observations from which on a p-value of a stream is worth counting."""


@dataclass(slots=True)
class Tally:
    """What all runs of right subjects have shown."""

    runs: int = 0
    accusations: list[str] = field(default_factory=list)
    notable: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    trials: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    p_values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def take(self, finished: Run) -> None:
        """Count one run."""
        self.runs += 1
        for case in finished.cases:
            name = f"{finished.address} {case.requirement.id}"
            if case.verdict in (CaseVerdict.FAIL, CaseVerdict.ERROR):
                self.accusations.append(f"{name}, seed {finished.plan.seed}: {case.message}")
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
        """Return what speaks against the oracle."""
        tests = self.tests()
        if not tests:
            return self.accusations
        is_rejected = multipletests(list(tests.values()), alpha=LEVEL, method="holm")[0]
        rejected = [
            f"{text} (p = {p:.2g})"
            for (text, p), wrong in zip(tests.items(), is_rejected, strict=True)
            if wrong
        ]
        return [*self.accusations, *rejected]


def calibrate_oracle(plan: RunPlan, subjects: Sequence[str], runs: int) -> int:
    """Run right subjects in turn and print what became of the criterion; 0 if it is met."""
    tally = Tally()
    with (
        GuardedExecutor(plan.jobs, plan.piece_seconds, plan.mebibytes) as workers,
        ConsoleProgress("calibration", not sys.stderr.isatty()) as progress,
    ):
        for turn in range(runs):
            address = subjects[turn % len(subjects)]
            progress(turn, runs, address)
            tally.take(run(address, replace(plan, seed=plan.seed + turn), executor=workers))
    objections = tally.objections()
    print(
        f"{tally.runs} runs of {len(subjects)} right subjects at {plan.budget:g} of the trials: "
        f"{len(tally.accusations)} false alarms, {len(tally.tests())} tests of the evidence, "
        f"{len(objections) - len(tally.accusations)} of them objecting at the level {LEVEL:g}"
    )
    print("\n".join(objections))
    return 1 if objections else 0
