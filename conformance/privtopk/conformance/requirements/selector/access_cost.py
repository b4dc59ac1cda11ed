"""The number of accesses keeps to the law, or to the bound, that a selector promises.

- Threshold: the number of rounds R is at most T, whatever the scores, and P(T > r) =
  P(Hyp(m, r, r) <= k - 1) exactly. So P(T >= R) is a p-value. On a plateau of sqrt(mk) items
  R is close to T. There are at most as many random accesses as rounds.
- Batched: at most 2 sqrt(mk) accesses in the mean, plus 0.1 % for noise that was opened early,
  from m = 10,000 items on and for k up to m/64. Below, reading everything takes less time, and
  an engine may do so. The cheapest prefix of r sorted accesses leads to sqrt(4k(m+1) + 1) - (k+1)
  accesses. At most k candidates in the mean, which the prefix has already delivered, may be read
  again. Early noise adds at most r/512.
- Scan: nothing is promised, so nothing is tested.

All of this holds in the mean over the noise for every list of scores, so each trial may draw
another list. Accesses are counted at the harness's own doors.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import MeanAtMost, Null, SuperUniform
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.subjects.doors import Meter
from privtopk.conformance.subjects.kinds import Abilities, Cost, Kind
from privtopk.conformance.subjects.question import Question, question_at
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.inputs.families import HIGH, FamilyName
from privtopk.spec.upper_bounds.access import rounds_tail_float, theorem_u_cost
from privtopk.spec.upper_bounds.batched import default_cost_bound, default_prefix

RATE: Final = 0.3
EARLY_NOISE: Final = 1e-3
"""The extra cost of noise that was opened early, as a share of 2 sqrt(mk)."""

FAMILIES: Final = (FamilyName.PLATEAU, FamilyName.ZERO, FamilyName.ZIPF)
SETTINGS: Final = ((10_000, 1, 160), (10_000, 10, 64), (1_000_000, 1, 16))
"""m, k and the number of trials on the plateau, where the cost nearly reaches its bound."""

MORE_TRIALS: Final = 3
"""Factor by which a mean takes more trials than a law; a batched selection takes less time."""

EASY_TRIALS: Final = 32
"""Trials on inputs that cost much less; they find engines that always pay the largest cost."""

GROWING: Final = {
    Cost.THRESHOLD: ((2_500, 4), (10_000, 4), (40_000, 4), (10_000, 1), (10_000, 16)),
    Cost.BATCHED: ((10_000, 4), (40_000, 4), (160_000, 4), (40_000, 1), (40_000, 16)),
}
"""Pairs (m, k) at which the cost is measured; batched engines promise nothing below 10,000."""

GROWTH_TRIALS: Final = 24
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Workload:
    """A family of scores, the size of the domain, and the question."""

    family: FamilyName
    m: int
    question: Question


class FamilyScores:
    """Scores that are a function of the rank; the ranks of the items are random."""

    def __init__(self, m: int, score_at: Callable[[int], int], coins: Random) -> None:
        """Assign items to ranks by a random affine map."""
        self.size = m
        self._score_at = score_at
        self._shift = coins.randrange(m)
        self._step = coprime(m, coins)
        self._inverse = pow(self._step, -1, m)

    def score(self, item: int) -> int:
        """Return the score of an item."""
        return self._score_at(1 + (item - 1 - self._shift) * self._inverse % self.size)

    def at_rank(self, rank: int) -> int:
        """Return the item at a rank."""
        return 1 + ((rank - 1) * self._step + self._shift) % self.size


def coprime(m: int, coins: Random) -> int:
    """Return a random number that has no common divisor with m."""
    while math.gcd(step := coins.randrange(1, m + 1), m) != 1:
        pass
    return step


def scores_of(workload: Workload, coins: Random) -> FamilyScores:
    """Return scores of the family, with items in random order."""
    m, top = workload.m, default_prefix(workload.m, workload.question.k)
    score_at: dict[FamilyName, Callable[[int], int]] = {
        FamilyName.PLATEAU: lambda rank: HIGH if rank <= top else 0,
        FamilyName.ZERO: lambda rank: 0,
        FamilyName.ZIPF: lambda rank: m // rank,
    }
    return FamilyScores(m, score_at[workload.family], coins)


def promised_mean(cost: Cost, m: int, k: int) -> float:
    """Return the bound on the mean number of accesses that a selector promises."""
    if cost is Cost.THRESHOLD:
        return theorem_u_cost(m, k)
    return (1 + EARLY_NOISE) * default_cost_bound(m, k)


class CostRequirement(Requirement):
    """A requirement on the access cost that the subject promises."""

    kind = Kind.SELECTOR

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a subject that promises nothing."""
        if abilities.cost is Cost.SCAN:
            return "the subject may read everything"
        return super().reason_to_skip(abilities)


class AccessCost(CostRequirement):
    """The number of accesses keeps to the promise of the selector."""

    id = "selector.access-cost"
    statement = (
        "The number of rounds of a threshold algorithm is stochastically at most that of the "
        "exact law, with at most two accesses per round; a batched algorithm makes at most 2.002 "
        "sqrt(mk) accesses on average, from m = 10,000 items on and for k up to m/64."
    )
    claims = (
        "thm:access-cost",
        "ours:rounds-law",
        "ours:cost-models",
        "ours:batched-cost",
        "ours:early-noise",
    )
    share = 12
    bug = "the selection reads on when it could stop, or reads entries twice"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return every family at several sizes, with more trials on the plateau."""
        return tuple(
            cost_experiment(subject.abilities, workload, trials)
            for workload, trials in workloads(subject.abilities)
        )

    def observe(self, trial: Trial) -> Observation:
        """Select and read the meter."""
        meters = [meter_selection(trial) for _ in range(trial.count)]
        if trial.subject.abilities.cost is Cost.BATCHED:
            return Observation({"accesses": relative_accesses(trial, meters)})
        for meter in meters:
            if meter.random_accesses > meter.sorted_accesses:
                raise ViolationError(
                    f"{trial.experiment.name}: made {meter.random_accesses} random accesses in "
                    f"{meter.sorted_accesses} rounds; at most one per round is allowed"
                )
        workload: Workload = trial.experiment.setting
        rounds = [meter.sorted_accesses for meter in meters]
        return Observation({"rounds": np.array([p_value(workload, r) for r in rounds])})


def workloads(abilities: Abilities) -> list[tuple[Workload, int]]:
    """Return the workloads, at sizes that the subject accepts, with their numbers of trials."""
    found: dict[Workload, int] = {}
    settings = product(SETTINGS[:1], abilities.noises)
    for (m, k, trials), noise in (*settings, *((one, abilities.noises[0]) for one in SETTINGS[1:])):
        size = min(m, abilities.largest)
        for family in FAMILIES:
            workload = Workload(family, size, question_at(RATE, min(k, size), noise))
            hard = trials * (MORE_TRIALS if abilities.cost is Cost.BATCHED else 1)
            found[workload] = hard if family is FamilyName.PLATEAU else EASY_TRIALS
    return list(found.items())


def cost_experiment(abilities: Abilities, workload: Workload, trials: int) -> Experiment:
    """Return the experiment on one workload."""
    streams: dict[str, Null] = (
        {"rounds": SuperUniform()}
        if abilities.cost is Cost.THRESHOLD
        else {"accesses": mean_null(abilities.cost, workload)}
    )
    return Experiment(workload_name(workload), trials, workload, streams)


def workload_name(workload: Workload) -> str:
    """Return the name of the experiment on a workload."""
    question = workload.question
    return f"{workload.family}, m={workload.m}, k={question.k}, {question.noise}"


def mean_null(cost: Cost, workload: Workload) -> MeanAtMost:
    """Return the null hypothesis on the accesses, as a share of 2m and capped at 2m."""
    return MeanAtMost(promised_mean(cost, workload.m, workload.question.k) / (2 * workload.m))


def relative_accesses(trial: Trial, meters: Sequence[Meter]) -> np.ndarray:
    """Return the accesses as a share of 2m, capped at 2m; the cap can only lower their mean."""
    workload: Workload = trial.experiment.setting
    return np.array([min(1.0, meter.accesses / (2 * workload.m)) for meter in meters])


def meter_selection(trial: Trial) -> Meter:
    """Let the subject select from a fresh list, and return the meter of its accesses."""
    workload: Workload = trial.experiment.setting
    _, meter = select_from(trial, scores_of(workload, trial.coins), workload.question)
    return meter


@lru_cache(maxsize=4096)
def p_value(workload: Workload, rounds: int) -> float:
    """Return the p-value P(T >= rounds): it is at most t with probability at most t."""
    if rounds < 1:
        return 1.0
    return rounds_tail_float(workload.m, workload.question.k, min(rounds, workload.m + 1) - 1)


class Scaling(CostRequirement):
    """The mean number of accesses grows as the square root of m and of k."""

    id = "selector.scaling"
    statement = "The mean number of accesses is at most its bound at every size."
    claims = ("thm:access-cost", "ours:theorem-u", "ours:batched-cost", "ours:early-noise")
    share = 4
    bug = "the cost grows faster than the square root of m or of k"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return plateaus of increasing size."""
        abilities = subject.abilities
        sized = sorted({(min(m, abilities.largest), k) for m, k in GROWING[abilities.cost]})
        plateaus = [
            Workload(FamilyName.PLATEAU, m, question_at(RATE, min(k, m), abilities.noises[0]))
            for m, k in sized
        ]
        return tuple(
            Experiment(
                workload_name(workload),
                GROWTH_TRIALS,
                workload,
                {"accesses": mean_null(abilities.cost, workload)},
            )
            for workload in plateaus
        )

    def observe(self, trial: Trial) -> Observation:
        """Select, and record sizes and accesses for the report."""
        workload: Workload = trial.experiment.setting
        meters = [meter_selection(trial) for _ in range(trial.count)]
        measured = {
            "m": (float(workload.m),) * trial.count,
            "k": (float(workload.question.k),) * trial.count,
            "accesses": tuple(float(meter.accesses) for meter in meters),
        }
        return Observation({"accesses": relative_accesses(trial, meters)}, measured=measured)


@dataclass(frozen=True, slots=True)
class GrowthExponent:
    """The power of a size with which the accesses grow: an estimate and its interval."""

    size: str
    estimate: float
    low: float
    high: float


def exponents(
    m: Sequence[float], k: Sequence[float], accesses: Sequence[float]
) -> tuple[GrowthExponent, ...]:
    """Return the exponents in m and in k, by least squares in logarithms.

    The intervals have 95 % confidence, with standard errors for unequal variances (HC3).
    A size that does not vary has no exponent.
    """
    sizes = {"m": np.log(m), "k": np.log(k)}
    varied = {name: logs for name, logs in sizes.items() if np.ptp(logs) > 0}
    if not varied:
        return ()
    # The import takes seconds, and workers do not need it.
    from statsmodels.regression.linear_model import OLS

    design = np.column_stack([np.ones(len(accesses)), *varied.values()])
    fit = OLS(np.log(accesses), design).fit(cov_type="HC3")
    intervals = fit.conf_int(1 - CONFIDENCE)
    return tuple(
        GrowthExponent(name, float(fit.params[n]), float(intervals[n][0]), float(intervals[n][1]))
        for n, name in enumerate(varied, start=1)
    )


REQUIREMENTS: Final = (AccessCost(), Scaling())
