"""A game at given stakes, played by a selector.

A play draws an input, lets the selector answer, and records the cost and whether the answer was
accurate. If the bound follows from privacy, the selector also answers on a neighbouring base
input, and both answers are searched for low items. Four null hypotheses hold for every selector
that keeps its promises:

- *saving*: the mean of 1 - min(cost, horizon)/horizon is at most 1 - bound/horizon (theorem);
- *errors*: an answer is inaccurate with probability at most beta;
- *advantage*: with hits X on the base and Y on the hard input, E X <= e^epsilon E Y + delta by
  the definition of privacy, input by input; so (X + e^epsilon (1 - Y))/(1 + e^epsilon) has at
  most the mean (delta + e^epsilon)/(1 + e^epsilon);
- *accesses*: the mean cost is at most what the selector promises.

192 plays of S3 find in 9 of 10 cases, whatever the law of the observations: a mean cost below
22.7 where at least 52.2 is required, an error rate above 0.08 where 0.01 is promised, and hits
with E X - e^epsilon E Y above 0.56. Costs that vary little are found much closer to the bound.
A cost above the promised one is found only if it is far above; `selector.access-cost` tests that.
`GameEvidence.tolerances` has the numbers of each game.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import MeanAtMost, Null
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.games.game import Floor, Game, Instance, Promise, Stakes
from privtopk.conformance.requirements.instruments.answers import checked_items
from privtopk.conformance.requirements.selector.access_cost import promised_mean
from privtopk.conformance.subjects.calls import CallTimeout, DeclinedError, SubjectError
from privtopk.conformance.subjects.doors import Meter, open_doors
from privtopk.conformance.subjects.kinds import Abilities, Cost, Kind
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores, ScoreList
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.access import Door
from privtopk.spec.model.accuracy import is_accurate
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.model.values import Histogram, Item
from privtopk.spec.upper_bounds.utility import error_bound

TRIALS: Final = 192

SAVING: Final = "saving"
ERRORS: Final = "errors"
ADVANTAGE: Final = "advantage"
ACCESSES: Final = "accesses"

TESTED: Final = {
    ADVANTAGE: Promise.PRIVACY,
    ERRORS: Promise.ACCURACY,
    ACCESSES: Promise.COST,
}
"""The promise that each stream tests; a saving shows only that one of several is broken."""

COSTS: Final = "costs"
BASE_HITS: Final = "base hits"
HARD_HITS: Final = "hard hits"
UNREAD: Final = "unread"

SMALLEST: Final = 1e-9
"""Replaces a mean of 0, which cannot be bet against; the null hypothesis stays true."""

BATCHED_FROM: Final = 10_000
BATCHED_SHARE: Final = 64
"""A batched selector promises its cost from 10,000 items on, and for k up to m/64."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A game as one selector plays it."""

    game: Game
    stakes: Stakes
    question: Question
    floor: Floor

    n: int
    """The largest score, so large that the noise of the selector keeps to beta."""

    upper: float | None
    """The largest mean cost that the selector promises, if it promises one."""

    @property
    def alpha(self) -> int:
        """Votes by which an answer may fall short."""
        return self.n - self.game.spare


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a selector on one input, with its cost."""

    items: frozenset[Item]
    cost: int
    unread: int
    """Number of items that were returned but not read."""

    is_accurate: bool


class Match(Requirement):
    """A game at given stakes, as a requirement."""

    kind = Kind.SELECTOR
    statement = "A selector that keeps its promises has at least the mean cost of the bound."
    claims = ()
    bug = "the selection is cheaper than its promises allow"

    def __init__(self, game: Game, stakes: Stakes) -> None:
        """Take a game and its stakes; raise for stakes that the theorem does not cover."""
        self.game = game
        self.stakes = stakes
        self.floor = game.floor(stakes)
        self.id = (
            f"{game.name}:m={stakes.m},k={stakes.k},epsilon={stakes.epsilon},"
            f"delta={stakes.delta},beta={stakes.beta}"
        )

    def reason_to_skip(self, abilities: Abilities) -> str | None:
        """Skip a domain that is too large, or a budget that the subject does not offer."""
        if abilities.largest < self.stakes.m:
            return f"its largest domain has {abilities.largest} items, the game m={self.stakes.m}"
        if not abilities.offers(self.question(abilities)):
            return f"it does not take delta={self.stakes.delta:g}"
        return super().reason_to_skip(abilities)

    def question(self, abilities: Abilities) -> Question:
        """Return the question; one client more is a neighbour under every relation."""
        relations = abilities.relations
        relation = Relation.ADD_REMOVE if Relation.ADD_REMOVE in relations else relations[0]
        stakes = self.stakes
        return Question(stakes.k, stakes.epsilon, stakes.delta, abilities.noises[0], relation)

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return the one experiment: plays of this game."""
        setting = self.setting_for(subject)
        return (Experiment(self.id, TRIALS, setting, nulls(setting)),)

    def setting_for(self, subject: Subject) -> Setting:
        """Return the game with the number of votes that the subject's accuracy needs."""
        m, k = self.stakes.m, self.stakes.k
        question = self.question(subject.abilities)
        rate = subject.rate(question, m)
        error = error_bound(question.noise, rate, self.stakes.beta, k, m)
        n = max(1, math.ceil(error)) + self.game.spare
        upper = None if self.game.closed else promised_cost(subject.abilities, m, k)
        return Setting(self.game, self.stakes, question, self.floor, n, upper)

    def observe(self, trial: Trial) -> Observation:
        """Play `trial.count` times."""
        setting: Setting = trial.experiment.setting
        plays = [play_once(trial, setting) for _ in range(trial.count)]
        hard = [answer for _, answer, _ in plays]
        answers = [*hard, *(base for _, _, base in plays if base is not None)]
        measured = {
            COSTS: tuple(float(answer.cost) for answer in hard),
            UNREAD: tuple(float(answer.unread) for answer in answers),
            HARD_HITS: tuple(
                float(not drawn.low.isdisjoint(answer.items)) for drawn, answer, _ in plays
            ),
            BASE_HITS: tuple(
                float(not drawn.low.isdisjoint(base.items))
                for drawn, _, base in plays
                if base is not None
            ),
        }
        seen = {
            SAVING: savings(setting, measured[COSTS]),
            ERRORS: np.array([not answer.is_accurate for answer in answers], dtype=float),
            ADVANTAGE: advantages(setting, measured[BASE_HITS], measured[HARD_HITS]),
            ACCESSES: np.minimum(1.0, np.array(measured[COSTS]) / (2 * setting.stakes.m)),
        }
        wanted = {name: seen[name] for name in trial.experiment.streams}
        return Observation(wanted, measured=measured)


def promised_cost(abilities: Abilities, m: int, k: int) -> float | None:
    """Return the largest mean cost that a selector promises, or None."""
    if abilities.cost is Cost.SCAN:
        return None
    if abilities.cost is Cost.BATCHED and (m < BATCHED_FROM or BATCHED_SHARE * k > m):
        return None
    return promised_mean(abilities.cost, m, k)


def nulls(setting: Setting) -> dict[str, Null]:
    """Return the null hypotheses, which hold for every selector that keeps its promises."""
    floor, stakes = setting.floor, setting.stakes
    found: dict[str, Null] = {SAVING: MeanAtMost(max(1 - floor.bound / floor.horizon, SMALLEST))}
    if Promise.ACCURACY in setting.game.promises:
        found[ERRORS] = MeanAtMost(stakes.beta)
    if Promise.PRIVACY in setting.game.promises:
        ratio = math.exp(stakes.epsilon)
        found[ADVANTAGE] = MeanAtMost((stakes.delta + ratio) / (1 + ratio))
    if setting.upper is not None:
        found[ACCESSES] = MeanAtMost(min(1.0, setting.upper / (2 * stakes.m)))
    return found


def savings(setting: Setting, costs: Sequence[float]) -> np.ndarray:
    """Return how far the cost of each play is below the horizon, as a share of the horizon."""
    horizon = float(setting.floor.horizon)
    saved: np.ndarray = 1 - np.minimum(np.array(costs), horizon) / horizon
    return saved


def advantages(setting: Setting, base: Sequence[float], hard: Sequence[float]) -> np.ndarray:
    """Return the advantage of each play, scaled to [0, 1]; empty if there is no base."""
    ratio = math.exp(setting.stakes.epsilon)
    if not base:
        return np.empty(0)
    return (np.array(base) + ratio * (1 - np.array(hard))) / (1 + ratio)


def play_once(trial: Trial, setting: Setting) -> tuple[Instance, Answer, Answer | None]:
    """Play once, on a fresh input and on its neighbour if it has one."""
    tape = seeded_tape(trial.coins.getrandbits(64))
    drawn = setting.game.draw(setting.stakes, setting.n, tape)
    hard = ask_selector(trial, setting, drawn.hard)
    return drawn, hard, None if drawn.base is None else ask_selector(trial, setting, drawn.base)


def ask_selector(trial: Trial, setting: Setting, histogram: Histogram) -> Answer:
    """Let the selector answer; an error after a try of the closed door declines the game."""
    question, game = setting.question, setting.game
    scores = ListedScores(histogram)
    doors, meter = open_doors(scores, game.closed)
    try:
        answer = trial.call(trial.subject.select, doors, question)
    except SubjectError as fault:
        if meter.refusals and not isinstance(fault.cause, CallTimeout):
            raise DeclinedError(f"it needs {game.closed} access") from fault
        raise
    items = frozenset(map(Item, checked_items(answer, question.k, len(histogram))))
    return Answer(
        items,
        charged_cost(meter, items, scores, game.closed),
        len(items - meter.items),
        is_accurate(histogram, items, setting.alpha, question.k),
    )


def charged_cost(
    meter: Meter, items: frozenset[Item], scores: ScoreList, closed: Door | None
) -> int:
    """Return the access cost, plus the cost of reading returned items that were not read."""
    unread = set(items - meter.items)
    if closed is not Door.RANDOM:
        return meter.accesses + len(unread)
    ranks = count(meter.sorted_accesses + 1)
    read = meter.sorted_accesses
    while unread:
        read = next(ranks)
        unread.discard(Item(scores.at_rank(read)))
    return read
