"""Plays games with a selector: who wins, and which promise a loser has broken.

A play is refuted when the e-process of one of its null hypotheses reaches the number of
hypotheses over alpha, its share of the false-alarm probability. It is within its bounds when
all rounds were played, nothing was refuted, and the limits of confidence show that the mean
cost is at least the bound: a selector that cannot be told from a too cheap one is undecided.

Rounds go on after a selector was found too cheap, until it is also seen which promise it
breaks, or until all are played.
"""

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Final, cast

from privtopk.conformance.evidence.confidence import mean_interval
from privtopk.conformance.evidence.decision import Case, CaseVerdict
from privtopk.conformance.evidence.trial import Observation
from privtopk.conformance.games.catalogue import match_at
from privtopk.conformance.games.game import Promise
from privtopk.conformance.games.match import SAVING, TESTED, Match, Setting
from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.running.runner import (
    Progress,
    Run,
    RunPlan,
    conduct_cases,
    prospects_from,
    settle_at_once,
    sized_experiments,
)
from privtopk.conformance.running.tasks import Prospect, prospect
from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.subjects.kinds import Abilities, Kind
from privtopk.conformance.subjects.loading import command_of

NEITHER: Final = "the mean cost is shown neither to be too small nor to be large enough"


@dataclass(slots=True)
class Play(Case):
    """A game while a selector plays it."""

    refuted_streams: set[str] = field(default_factory=set)
    """The streams whose null hypothesis was refuted; once refuted, always refuted."""

    @property
    def match(self) -> Match:
        """The game and its stakes."""
        return cast("Match", self.requirement)

    @property
    def setting(self) -> Setting | None:
        """The game as this selector plays it, if it does."""
        return self.experiments[0].setting if self.experiments else None

    @property
    def level(self) -> float:
        """The probability with which one of its null hypotheses may be refuted wrongly."""
        return self.alpha / max(1, len(self._processes))

    @property
    def broken(self) -> tuple[Promise, ...]:
        """The promises that were seen to be broken."""
        return tuple(
            promise for stream, promise in TESTED.items() if stream in self.refuted_streams
        )

    @property
    def is_too_cheap(self) -> bool:
        """Whether the mean cost is shown to be below the bound."""
        return SAVING in self.refuted_streams

    def take(self, index: int, count: int, observation: Observation) -> None:
        """Take what some rounds showed; who declines one round declines the game."""
        # A dataclass with slots is made anew, and a bare super() would look in the old one.
        Case.take(self, index, count, observation)
        if self.declined and self.verdict is None:
            self.skip(self.declined[0])

    def weigh(self) -> None:
        """Note what is refuted; stop when it is known why the selector is so cheap."""
        self.refuted_streams.update(
            stream for (_, stream), log in self._logs.items() if log >= -math.log(self.level)
        )
        if self.is_too_cheap and set(self.broken) & set(self.match.game.promises):
            self.fail(0, "")

    def finish(self) -> None:
        """Decide when no round is left."""
        if self.verdict is not None:
            return
        if self.refuted_streams:
            self.fail(0, "")
        elif self.counted_low() >= self.match.floor.bound:
            self.verdict = CaseVerdict.PASS
        else:
            self.give_up(NEITHER)

    def counted_low(self) -> float:
        """Return the lower limit of the mean cost, counted up to the horizon."""
        saved = mean_interval(self.observations_of(0)[SAVING], self.level)
        return (1 - saved.high) * self.match.floor.horizon


def play(
    address: str,
    matches: Sequence[Match],
    plan: RunPlan | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Run:
    """Let a selector play some games and return what became of them; they share the alarm."""
    wanted = plan or RunPlan()
    prepare = partial(prepared_plays, address, tuple(matches), wanted)
    return conduct_cases(address, wanted, prepare, match_at, executor, progress)


def prepared_plays(
    address: str, matches: tuple[Match, ...], plan: RunPlan, workers: Executor
) -> tuple[Abilities, list[Case]]:
    """Ask in a worker which games the subject can play."""
    kind = Kind.SELECTOR if command_of(address) is not None else None
    names = tuple(match.id for match in matches)
    asked = workers.submit(match_prospects, address, kind, names, plan.piece_seconds)
    abilities, found = prospects_from(asked, address, plan)
    alpha = plan.alarm / len(matches)
    return abilities, [
        play_for(match, one, plan, alpha) for match, one in zip(matches, found, strict=True)
    ]


def match_prospects(
    address: str, kind: Kind | None, names: tuple[str, ...], seconds: float
) -> tuple[Abilities, tuple[Prospect, ...]]:
    """Load a subject and return its abilities and, for each game, whether it can be played."""
    abilities = subject_at(address, kind).abilities
    if abilities.kind is not Kind.SELECTOR:
        raise AdapterError(f"games are played by selectors, {address} is a {abilities.kind}")
    return abilities, tuple(prospect(address, abilities, match_at, name, seconds) for name in names)


def play_for(match: Match, found: Prospect, plan: RunPlan, alpha: float) -> Play:
    """Return a game that is about to be played."""
    return settle_at_once(Play(match, sized_experiments(found, match, plan), alpha), found)
