"""The outcome of a game as plain values, for the terminal, for JSON and for plots."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import version
from typing import Final

import numpy as np

from privtopk.conformance.evidence.confidence import (
    Interval,
    lower_limit,
    mean_interval,
    student_interval,
    upper_limit,
)
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.games.game import Promise
from privtopk.conformance.games.match import (
    BASE_HITS,
    COSTS,
    ERRORS,
    HARD_HITS,
    SAVING,
    UNREAD,
    Setting,
)
from privtopk.conformance.games.playing import GameCase
from privtopk.conformance.report.classical_tests import smallest_defect
from privtopk.conformance.report.findings import OPTIONS, name_of
from privtopk.conformance.running.runner import Run, RunPlan
from privtopk.conformance.writing import printable_lines

HYPOTHESES: Final = (
    "no item has more than n votes",
    "ties come in the order of the items, whatever the votes are",
    "every returned item was read; if not, the cost of reading it is added",
)
"""What the theorems assume, and the harness ensures."""


class Standing(StrEnum):
    """How a game ended."""

    WITHIN = "within bounds"
    REFUTED = "refuted"
    DECLINED = "declined"
    UNDECIDED = "undecided"


STANDINGS: Final = {
    CaseVerdict.PASS: Standing.WITHIN,
    CaseVerdict.FAIL: Standing.REFUTED,
    CaseVerdict.SKIP: Standing.DECLINED,
    CaseVerdict.ERROR: Standing.UNDECIDED,
}


@dataclass(frozen=True, slots=True)
class Rate:
    """The frequency of an event, with limits that hold however often one looks."""

    count: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The relative frequency."""
        return self.count / self.of


@dataclass(frozen=True, slots=True)
class GameEvidence:
    """What the plays of one game showed."""

    cost: Interval
    """The mean cost with Student's 95 % interval, which decides nothing."""

    counted: Interval
    """The mean of the cost counted up to the horizon, with limits that hold at any time."""

    errors: Rate | None
    """Inaccurate answers, where accuracy is promised."""

    base_hits: Rate | None
    neighbour_hits: Rate | None
    """Answers with a low item, where privacy is promised."""

    epsilon: float | None
    """An epsilon that the rates of hits show to be exceeded."""

    unread: int
    """Number of items that were returned but not read."""

    tolerances: dict[str, str]
    """For each null hypothesis the smallest defect that is found in 9 of 10 games."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The outcome of one game."""

    game: str
    title: str
    address: str
    subject: str
    doors: tuple[str, ...]
    m: int
    k: int
    epsilon: float
    delta: float
    beta: float
    alpha: int | None
    """Votes by which an answer may fall short; None if the game was not played."""

    n: int | None
    certificate: float
    """The mean cost of every selector that keeps its promises is at least this."""

    horizon: int
    upper_bound: float | None
    """The largest mean cost that the subject promises."""

    verdict: Standing
    broken: tuple[Promise, ...]
    """The broken promises; if `is_forced`, at least one of these is broken, by the theorem."""

    is_too_cheap: bool
    is_forced: bool
    """Whether only the theorem shows that a promise is broken, and no stream does."""

    message: str
    seen: GameEvidence | None
    trials: int
    seconds: float
    level: float
    """The probability that a given limit, or a given refutation, is wrong."""

    claims: tuple[str, ...]
    hypotheses: tuple[str, ...]
    seed: int
    again: str
    version: str
    date: str

    @property
    def summary(self) -> str:
        """The verdict and the broken promises."""
        if self.verdict is not Standing.REFUTED:
            return str(self.verdict)
        return f"{self.verdict}: {self.broken_text}"

    @property
    def broken_text(self) -> str:
        """The broken promises in words."""
        return (" or " if self.is_forced else " and ").join(self.broken)


def outcomes_of(run: Run, date: datetime | None = None) -> tuple[GameOutcome, ...]:
    """Return the outcome of every game of a run."""
    when = (date or datetime.now(UTC)).astimezone(UTC)
    return tuple(_outcome(case, run, when) for case in run.cases if isinstance(case, GameCase))


def _outcome(case: GameCase, run: Run, date: datetime) -> GameOutcome:
    game, stakes, setting = case.match.game, case.match.stakes, case.setting
    broken, is_forced = broken_promises(case)
    return GameOutcome(
        game=game.name,
        title=game.title,
        address=printable_lines(run.address),
        subject=printable_lines(name_of(run.address)),
        doors=tuple(door.value for door in game.doors),
        **asdict(stakes),
        alpha=setting.alpha if setting else None,
        n=setting.n if setting else None,
        certificate=case.match.floor.bound,
        horizon=case.match.floor.horizon,
        upper_bound=setting.upper if setting else None,
        verdict=STANDINGS[case.verdict or CaseVerdict.ERROR],
        broken=broken,
        is_too_cheap=case.is_too_cheap,
        is_forced=is_forced,
        message=printable_lines(case.message),
        seen=evidence_of(case, setting) if setting and case.measured.get(COSTS) else None,
        trials=case.trials,
        seconds=case.seconds,
        level=case.stream_alpha,
        claims=game.claims,
        hypotheses=HYPOTHESES,
        seed=run.plan.seed,
        again=printable_lines(play_command(run, case)),
        version=version("privtopk"),
        date=date.isoformat(),
    )


def broken_promises(case: GameCase) -> tuple[tuple[Promise, ...], bool]:
    """Return the promises that a refuted selector broke, and whether only the theorem shows it."""
    if case.verdict is not CaseVerdict.FAIL:
        return (), False
    if not case.refuted_streams:
        return (Promise.RULES,), False
    assumed = case.match.game.promises
    if case.is_too_cheap and not set(case.broken) & set(assumed):
        return (*case.broken, *assumed), True
    return case.broken, False


def evidence_of(case: GameCase, setting: Setting) -> GameEvidence:
    """Return what the plays showed."""
    streams, measured = case.observations_of(0), case.measured
    saved = mean_interval(streams[SAVING], case.stream_alpha)
    kept = Interval(1 - saved.mean, 1 - saved.high, 1 - saved.low)
    base = rate_of(measured[BASE_HITS], case.stream_alpha)
    hard = rate_of(measured[HARD_HITS], case.stream_alpha) if base else None
    return GameEvidence(
        cost=student_interval(np.array(measured[COSTS])),
        counted=kept.times(setting.floor.horizon),
        errors=rate_of(streams.get(ERRORS, ()), case.stream_alpha),
        base_hits=base,
        neighbour_hits=hard,
        epsilon=exceeded_epsilon(measured[BASE_HITS], measured[HARD_HITS], case, setting),
        unread=int(sum(measured[UNREAD])),
        tolerances=tolerances(case),
    )


def rate_of(values: Sequence[float] | np.ndarray, level: float) -> Rate | None:
    """Return the frequency of an event, or None if it was not observed."""
    if not len(values):
        return None
    seen = np.array(values)
    limits = mean_interval(seen, level)
    return Rate(int(seen.sum()), len(seen), limits.low, limits.high)


def exceeded_epsilon(
    base: Sequence[float], hard: Sequence[float], case: GameCase, setting: Setting
) -> float | None:
    """Return an epsilon that the hits show to be exceeded, or None.

    Privacy says that P <= e^epsilon Q + delta for the probabilities P of hits on the base and Q
    on its neighbour. Each of the two limits has half of the error probability. If the stream of
    advantages was refuted, at least the promised epsilon is exceeded.
    """
    if not base:
        return None
    low = lower_limit(np.array(base), case.stream_alpha / 2) - setting.stakes.delta
    high = upper_limit(np.array(hard), case.stream_alpha / 2)
    by_limits = math.log(low / high) if low > high else 0.0
    promised = setting.stakes.epsilon if Promise.PRIVACY in case.broken else 0.0
    return max(by_limits, promised) or None


def tolerances(case: GameCase) -> dict[str, str]:
    """Return per null hypothesis the smallest defect that it would have found."""
    streams = case.experiments[0].streams
    defects = {
        name: smallest_defect(null, len(case.observations_of(0)[name]), case.alpha, len(streams))
        for name, null in streams.items()
    }
    return {name: defect.text for name, defect in defects.items() if defect is not None}


def play_command(run: Run, case: GameCase) -> str:
    """Return the command that plays a game again, with the same seed and limits."""
    words = ["privtopk-conformance", "play", run.address, "--game", case.match.id]
    words += ["--seed", str(run.plan.seed)]
    for option, field in OPTIONS.items():
        given = getattr(run.plan, field)
        if given != getattr(RunPlan(), field) and option != "--profile":
            words += [option, str(given)]
    return shlex.join(words)
