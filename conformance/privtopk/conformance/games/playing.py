"""Plays games with a selector, and decides which promises it has broken.

Let alpha be the share of a game in the false-alarm probability. A game with h null hypotheses is
refuted when the e-process of one of them reaches h/alpha. It is within bounds when all plays were
made, nothing was refuted, and the confidence limits show that the mean cost is at least the
bound. Otherwise it is undecided.

When a selector is found too cheap, plays continue until they show which promise it breaks, or
until all are made.
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

NEITHER: Final = "the plays do not show whether the mean cost is too small or large enough"


@dataclass(slots=True)
class GameCase(Case):
    """A game while a selector plays it."""

    refuted_streams: set[str] = field(default_factory=set)
    """The streams whose null hypothesis was refuted; once refuted, always refuted."""

    @property
    def match(self) -> Match:
        """The game and its stakes."""
        return cast("Match", self.requirement)

    @property
    def setting(self) -> Setting | None:
        """The game as this selector plays it, or None if it does not."""
        return self.experiments[0].setting if self.experiments else None

    @property
    def stream_alpha(self) -> float:
        """The probability that a given null hypothesis is refuted wrongly."""
        return self.alpha / max(1, len(self._processes))

    @property
    def broken(self) -> tuple[Promise, ...]:
        """The promises that the plays show to be broken."""
        return tuple(
            promise for stream, promise in TESTED.items() if stream in self.refuted_streams
        )

    @property
    def is_too_cheap(self) -> bool:
        """Whether the plays show that the mean cost is below the bound."""
        return SAVING in self.refuted_streams

    def take(self, index: int, count: int, observation: Observation) -> None:
        """Take the observation of some plays; a selector that declines one declines the game."""
        # A dataclass with slots is a new class, and a bare super() would refer to the old one.
        Case.take(self, index, count, observation)
        if self.declined and self.verdict is None:
            self.skip(self.declined[0])

    def weigh(self) -> None:
        """Record what is refuted; stop when it is known why the selector is too cheap."""
        self.refuted_streams.update(
            stream for (_, stream), log in self._logs.items() if log >= -math.log(self.stream_alpha)
        )
        if self.is_too_cheap and set(self.broken) & set(self.match.game.promises):
            self.fail(0, "")

    def finish(self) -> None:
        """Decide after the last play."""
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
        saved = mean_interval(self.observations_of(0)[SAVING], self.stream_alpha)
        return (1 - saved.high) * self.match.floor.horizon


def play_matches(
    address: str,
    matches: Sequence[Match],
    plan: RunPlan | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Run:
    """Let a selector play some games, which share the false-alarm probability."""
    wanted = plan or RunPlan()
    prepare = partial(prepare_games, address, tuple(matches), wanted)
    return conduct_cases(address, wanted, prepare, match_at, executor, progress)


def prepare_games(
    address: str, matches: tuple[Match, ...], plan: RunPlan, workers: Executor
) -> tuple[Abilities, list[Case]]:
    """Ask in a worker process which games the subject can play."""
    kind = Kind.SELECTOR if command_of(address) is not None else None
    names = tuple(match.id for match in matches)
    asked = workers.submit(match_prospects, address, kind, names, plan)
    abilities, found = prospects_from(asked, address, plan)
    alpha = plan.alarm / len(matches)
    return abilities, [
        game_case(match, one, plan, alpha) for match, one in zip(matches, found, strict=True)
    ]


def match_prospects(
    address: str, kind: Kind | None, names: tuple[str, ...], plan: RunPlan
) -> tuple[Abilities, tuple[Prospect, ...]]:
    """Load a subject and return its abilities and, for each game, whether it can be played."""
    abilities = subject_at(address, kind, is_in_process=plan.is_in_process).abilities
    if abilities.kind is not Kind.SELECTOR:
        raise AdapterError(f"games are played by selectors, {address} is a {abilities.kind}")
    find = partial(
        prospect,
        address,
        abilities,
        match_at,
        seconds=plan.piece_seconds,
        is_in_process=plan.is_in_process,
    )
    return abilities, tuple(map(find, names))


def game_case(match: Match, found: Prospect, plan: RunPlan, alpha: float) -> GameCase:
    """Return the case of a game before its first play."""
    return settle_at_once(GameCase(match, sized_experiments(found, match, plan), alpha), found)
