"""What became of a game, as numbers and words only: for the terminal, for JSON and for plots."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
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
from privtopk.conformance.games.playing import Play
from privtopk.conformance.report.classical_tests import smallest_defect
from privtopk.conformance.report.findings import OPTIONS, name_of, printable
from privtopk.conformance.running.runner import Run, RunPlan

HYPOTHESES: Final = (
    "no item has more than n votes",
    "ties come in the order of the items, whatever the votes are",
    "every returned item is read: one that was not is charged what reading it takes",
)
"""What the theorems assume, and the harness sees to."""


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
    """How often something happened, with limits that are valid however often one looks."""

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
    """What the rounds of one game showed."""

    cost: Interval
    """The mean cost with Student's 95 % interval, which decides nothing."""

    counted: Interval
    """The mean of the cost counted up to the horizon, with valid limits."""

    errors: Rate | None
    """Inaccurate answers, where accuracy is promised."""

    base_hits: Rate | None
    neighbour_hits: Rate | None
    """Answers with a low item, where privacy is promised."""

    epsilon: float | None
    """The rates of hits show that epsilon is larger than this."""

    unread: int
    """Items that were returned without having been read."""

    tolerances: dict[str, str]
    """For each null hypothesis the smallest defect that is found in 9 of 10 plays."""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """What became of one game."""

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
    """By how many votes an answer may fall short; None if it was not played."""

    n: int | None
    certificate: float
    """The mean cost of every selector that keeps its promises is at least this."""

    horizon: int
    upper_bound: float | None
    """What the subject says that it pays at most in the mean."""

    verdict: Standing
    broken: tuple[Promise, ...]
    """What was broken; if `is_forced`, one of these, by the theorem."""

    is_too_cheap: bool
    is_forced: bool
    """Whether only the theorem says that a promise is broken, and no stream of answers."""

    message: str
    seen: GameEvidence | None
    trials: int
    seconds: float
    level: float
    """The probability with which each limit, and each refutation, may be wrong."""

    claims: tuple[str, ...]
    hypotheses: tuple[str, ...]
    seed: int
    again: str
    version: str
    date: str

    @property
    def summary(self) -> str:
        """How it ended, and what was broken."""
        if self.verdict is not Standing.REFUTED:
            return str(self.verdict)
        return f"{self.verdict}: {self.broken_text}"

    @property
    def broken_text(self) -> str:
        """The broken promises in words."""
        return (" or " if self.is_forced else " and ").join(self.broken)


def outcomes_of(run: Run, date: datetime | None = None) -> tuple[GameOutcome, ...]:
    """Return what became of every game of a run."""
    when = (date or datetime.now(UTC)).astimezone(UTC)
    return tuple(_outcome(play, run, when) for play in run.cases if isinstance(play, Play))


def _outcome(play: Play, run: Run, date: datetime) -> GameOutcome:
    game, stakes, setting = play.match.game, play.match.stakes, play.setting
    broken, is_forced = broken_promises(play)
    return GameOutcome(
        game=game.name,
        title=game.title,
        address=printable(run.address),
        subject=printable(name_of(run.address)),
        doors=tuple(door.value for door in game.doors),
        m=stakes.m,
        k=stakes.k,
        epsilon=stakes.epsilon,
        delta=stakes.delta,
        beta=stakes.beta,
        alpha=setting.alpha if setting else None,
        n=setting.n if setting else None,
        certificate=play.match.floor.bound,
        horizon=play.match.floor.horizon,
        upper_bound=setting.upper if setting else None,
        verdict=STANDINGS[play.verdict or CaseVerdict.ERROR],
        broken=broken,
        is_too_cheap=play.is_too_cheap,
        is_forced=is_forced,
        message=printable(play.message),
        seen=evidence_of(play, setting) if setting and play.measured.get(COSTS) else None,
        trials=play.trials,
        seconds=play.seconds,
        level=play.level,
        claims=game.claims,
        hypotheses=HYPOTHESES,
        seed=run.plan.seed,
        again=printable(play_command(run, play)),
        version=version("privtopk"),
        date=date.isoformat(),
    )


def broken_promises(play: Play) -> tuple[tuple[Promise, ...], bool]:
    """Return what a refuted selector broke, and whether only the theorem says so."""
    if play.verdict is not CaseVerdict.FAIL:
        return (), False
    if not play.refuted_streams:
        return (Promise.RULES,), False
    assumed = play.match.game.promises
    if play.is_too_cheap and not set(play.broken) & set(assumed):
        return (*play.broken, *assumed), True
    return play.broken, False


def evidence_of(play: Play, setting: Setting) -> GameEvidence:
    """Return what the rounds showed."""
    streams, measured = play.observations_of(0), play.measured
    saved = mean_interval(streams[SAVING], play.level)
    kept = Interval(1 - saved.mean, 1 - saved.high, 1 - saved.low)
    base = rate_of(measured[BASE_HITS], play.level)
    hard = rate_of(measured[HARD_HITS], play.level) if base else None
    return GameEvidence(
        cost=student_interval(np.array(measured[COSTS])),
        counted=kept.times(setting.floor.horizon),
        errors=rate_of(streams.get(ERRORS, ()), play.level),
        base_hits=base,
        neighbour_hits=hard,
        epsilon=epsilon_shown(measured[BASE_HITS], measured[HARD_HITS], play, setting),
        unread=int(sum(measured[UNREAD])),
        tolerances=tolerances(play),
    )


def rate_of(values: Sequence[float] | np.ndarray, level: float) -> Rate | None:
    """Return how often something happened, or None if it was never looked for."""
    if not len(values):
        return None
    seen = np.array(values)
    limits = mean_interval(seen, level)
    return Rate(int(seen.sum()), len(seen), limits.low, limits.high)


def epsilon_shown(
    base: Sequence[float], hard: Sequence[float], play: Play, setting: Setting
) -> float | None:
    """Return an epsilon that is too small for the hits, or None if none is shown to be.

    Privacy says that P <= e^epsilon Q + delta for the probabilities P of hits on the base and
    Q on its neighbour. Each limit has half of the level. What the stream of advantages has
    refuted is shown in any case.
    """
    if not base:
        return None
    low = lower_limit(np.array(base), play.level / 2) - setting.stakes.delta
    high = upper_limit(np.array(hard), play.level / 2)
    by_limits = math.log(low / high) if low > high else 0.0
    promised = setting.stakes.epsilon if Promise.PRIVACY in play.broken else 0.0
    return max(by_limits, promised) or None


def tolerances(play: Play) -> dict[str, str]:
    """Return the smallest defect that each null hypothesis would have shown."""
    streams = play.experiments[0].streams
    defects = {
        name: smallest_defect(null, len(play.observations_of(0)[name]), play.alpha, len(streams))
        for name, null in streams.items()
    }
    return {name: defect.text for name, defect in defects.items() if defect is not None}


def play_command(run: Run, play: Play) -> str:
    """Return the command that plays one game again, with the same coins and limits."""
    words = ["privtopk-conformance", "play", run.address, "--game", play.match.id]
    words += ["--seed", str(run.plan.seed)]
    for option, field in OPTIONS.items():
        given = getattr(run.plan, field)
        if given != getattr(RunPlan(), field) and option != "--profile":
            words += [option, str(given)]
    return shlex.join(words)
