"""The order in which a set is listed reveals nothing but the set.

The guarantee of a selection that is not ranked covers the set. So the order of the list may depend
on the set and on coins of its own, and on nothing else: not on the scores, on the noisy scores, or
on the places of the items in a list that is sorted by score.

In a trial, k random items are the leaders. They are so far above all others that they are the
selected set. Their ranking is random: their scores are permuted, or all tied in a random order.
There are two such lists. The subject selects twice from one and once from the other, in random
order. If the order of a list depends on the set only, three facts hold for every right selector,
whatever its order is and even if it is shuffled each time:

- The permutation is independent of what is listed: the law of the set is the same for all
  permutations of the leaders. So the best leader is at each place with probability 1/k.
- For the same reason, a list and the ranking agree on more than half of all pairs as often as on
  fewer than half: the reversed ranking is equally likely.
- Given the set, the three orders are exchangeable over the three calls. So of the two other
  orders, that from the other list is as often closer to the first order (in swaps of
  neighbours) as that from the same list.

The last fact finds any dependence on the scores. The first two find the usual ones sooner.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from privtopk.conformance.evidence.e_process import Categories, Null
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.answers import select_from
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.model.neighbours import Relation

RATE: Final = 0.5
AHEAD: Final = 120
"""The leaders are 60 scales above the others: they are the set, but for a chance of e^-20."""

STEPS: Final = (0, 1, 40)
"""Differences of neighbouring leaders: tied, within the noise, and far beyond it."""

SIZES: Final = ((4, 2, 1), (5, 5, 1), (40, 4, 8), (40, 20, 1))
"""m, k, and the distance of leaders: few items, all, hashes that collide in a small table, many."""

OPTIONS_SIZE: Final = (6, 3, 1)
DELTA: Final = 1e-3
TRIALS: Final = 96
AGREES, DISAGREES = 0.0, 1.0
ERRORS: Final = 0.01
"""The share of listings in which a named bug does not show."""


@dataclass(frozen=True, slots=True)
class Leaders:
    """A domain in which k leaders differ from each other by a step."""

    m: int
    stride: int
    """The numbers of any two leaders differ by a multiple of it."""

    step: int
    """How much better a leader is than the next one."""

    question: Question


class SetOrder(Requirement):
    """The order of a set is independent of the scores."""

    id = "selector.set-order"
    kind = Kind.SELECTOR
    statement = (
        "The order in which a selection that is not ranked lists its items depends on the set of "
        "these items only: given the set, it is independent of the scores, of the noise and of "
        "the items' places in the list."
    )
    claims = ("rem:ranked-release", "ours:accounting-laplace")
    share = 4
    bug = "a set is listed by score, by noisy score or as it was read, which reveals more than it"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return every size and step, and every relation with and without a delta, per noise."""
        return tuple(
            experiment_of(setting)
            for setting in settings(subject)
            if setting.m <= subject.abilities.largest and subject.abilities.offers(setting.question)
        )

    def observe(self, trial: Trial) -> Observation:
        """Select from two lists of the same leaders and compare the orders."""
        seen: dict[str, list[float]] = {name: [] for name in trial.experiment.streams}
        for _ in range(trial.count):
            for name, value in observe_once(trial, trial.experiment.setting):
                seen[name].append(value)
        return Observation({name: np.array(values) for name, values in seen.items()})

    def explanations(self, experiment: Experiment, observed: Observation) -> Mapping[str, float]:
        """Return the likely orders: that of the ranking, and its reverse."""
        values = observed.values["agreement with the ranking"]
        agreeing = int((values == AGREES).sum())
        opposed = len(values) - agreeing
        win, loss = math.log(2 * (1 - ERRORS)), math.log(2 * ERRORS)
        return {
            "a list in the order of the scores or noisy scores": agreeing * win + opposed * loss,
            "a list in the reverse order of the scores": opposed * win + agreeing * loss,
        }


def settings(subject: Subject) -> Iterator[Leaders]:
    """Yield sizes and steps with the plain budget, then the other options at one size."""
    for noise in subject.abilities.noises:
        for m, k, stride in SIZES:
            for step in STEPS:
                yield Leaders(m, stride, step, Question(k, k * RATE, noise=noise))
        m, k, stride = OPTIONS_SIZE
        for relation in Relation:
            for delta in (0.0, DELTA):
                question = Question(k, k * RATE, delta, noise, relation)
                yield Leaders(m, stride, STEPS[-1], question)


def experiment_of(setting: Leaders) -> Experiment:
    """Return the experiment on leaders in random order."""
    question = setting.question
    streams: dict[str, Null] = {
        "place of the best": fair(*map(str, range(1, question.k + 1))),
        "agreement with the ranking": fair("agrees", "disagrees"),
        "closest order": fair("from the same list", "from the other list"),
    }
    name = f"m={setting.m}, k={question.k}, leaders {setting.step} apart, {question.noise}"
    options = f", {question.relation}, delta {question.delta:g}"
    return Experiment(name + options, TRIALS, setting, streams)


def fair(*labels: str) -> Categories:
    """Return the null hypothesis that all these are equally likely."""
    return Categories((1 / len(labels),) * len(labels), labels)


def observe_once(trial: Trial, setting: Leaders) -> Iterator[tuple[str, float]]:
    """Select three times from two lists, and yield what the orders show."""
    first = trial.coins.randrange(setting.stride) + 1
    numbers = range(first, setting.m + 1, setting.stride)
    leaders = frozenset(trial.coins.sample(numbers, setting.question.k))
    lists = [random_list(trial, setting, leaders) for _ in range(2)]
    calls = [0, 0, 1]
    trial.coins.shuffle(calls)
    orders: dict[int, list[tuple[int, ...]]] = {0: [], 1: []}
    for which in calls:
        items, _ = select_from(trial, lists[which], setting.question)
        if frozenset(items) == leaders:
            orders[which].append(items)
    # Either call may count as the first, so that orders that only alternate are exchangeable too.
    trial.coins.shuffle(orders[0])
    for scores, listed in zip(lists, orders.values(), strict=True):
        if listed:
            yield from compare_with_ranking(listed[0], scores)
    if (len(orders[0]), len(orders[1])) == (2, 1):
        yield from compare_orders(orders[0][0], orders[0][1], orders[1][0])


def random_list(trial: Trial, setting: Leaders, leaders: frozenset[int]) -> ListedScores:
    """Return a list with these leaders in random order, whose other scores are small."""
    coins = trial.coins
    scores = [coins.randrange(4) for _ in range(setting.m)]
    lowest = AHEAD if len(leaders) < setting.m else 0
    shuffled = coins.sample(sorted(leaders), len(leaders))
    for place, item in enumerate(shuffled):
        scores[item - 1] = lowest + setting.step * place
    return ListedScores(scores, coins.getrandbits(32))


def compare_with_ranking(
    items: tuple[int, ...], scores: ListedScores
) -> Iterator[tuple[str, float]]:
    """Yield the place of the best item, and whether most pairs stand as in the sorted list."""
    ranking = tuple(scores.at_rank(rank) for rank in range(1, len(items) + 1))
    yield "place of the best", float(items.index(ranking[0]))
    swapped, pairs = distance(items, ranking), math.comb(len(items), 2)
    if 2 * swapped != pairs:
        yield "agreement with the ranking", AGREES if 2 * swapped < pairs else DISAGREES


def compare_orders(
    first: tuple[int, ...], same: tuple[int, ...], other: tuple[int, ...]
) -> Iterator[tuple[str, float]]:
    """Yield which order is closer to the first: that from the same list or from the other."""
    near, far = distance(first, same), distance(first, other)
    if near != far:
        yield "closest order", AGREES if near < far else DISAGREES


def distance(one: Sequence[int], another: Sequence[int]) -> int:
    """Return the number of pairs that stand in different orders: Kendall's distance."""
    place = {item: number for number, item in enumerate(another)}
    return sum(place[i] > place[j] for i, j in combinations(one, 2))


REQUIREMENTS: Final = (SetOrder(),)
