"""Order statistics revealed in any order have their conditional laws, in all four cases."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from hypothesis import strategies as st

from privtopk.conformance.evidence.e_process import Null, Uniform
from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial
from privtopk.conformance.requirements.instruments.exploring import explore
from privtopk.conformance.requirements.noise.list_requirements import ListConsistency, ListFreshness
from privtopk.conformance.requirements.noise.list_under_test import RATES
from privtopk.conformance.requirements.noise.residuals import (
    COMPARED,
    PAIRS,
    consecutive_pairs,
    no_repetition,
    nonempty_streams,
    pair_category,
    repetitions,
)
from privtopk.conformance.requirements.noise.revealed_positions import (
    CASES,
    DISTANCES,
    PositionGap,
    RevealedPositions,
)
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject
from privtopk.spec.noise.distributions import NoiseKind

SIZES: Final = (1, 2, 3, 8, 100, 10**6, 2**40, 2**50)
QUERIES: Final = 8


def sizes_for(subject: Subject) -> tuple[int, ...]:
    """Return the sizes that the subject accepts."""
    return tuple(m for m in SIZES if m <= subject.abilities.largest)


def chosen_position(seen: RevealedPositions, trial: Trial) -> int:
    """Return a position near the top, near the end, beside a revealed one, or anywhere."""
    coins, m = trial.coins, seen.m
    depth = min(m, int(2 ** coins.uniform(0, m.bit_length())))
    beside = coins.choice(list(seen.values) or [1]) + coins.choice((-2, -1, 1, 2))
    return coins.choice((depth, m + 1 - depth, beside, coins.randint(1, m), (m + 1) // 2))


def queries(seen: RevealedPositions, trial: Trial) -> Iterator[PositionGap]:
    """Yield new positions that doubles resolve, chosen by what is revealed, never by a value."""
    for _ in range(4 * QUERIES):
        position = chosen_position(seen, trial)
        if 1 <= position <= seen.m and position not in seen.values:
            gap = seen.gap(position)
            if gap.is_resolved:
                yield gap
        if len(seen.values) == min(QUERIES, seen.m):
            return


class DescendingValues(ListConsistency):
    """The values descend and never change."""

    id = "order-statistics.order"
    kind = Kind.ORDER_STATISTICS
    statement = (
        "Values descend with their position and never change; positions outside the list and "
        "invalid parameters are refused."
    )
    claims = ("fact:inversion-order-statistics", "erratum:feasible", "erratum:parameter-ranges")
    bug = "an answer is not remembered, neighbours are looked up wrongly, or bounds are unchecked"

    def first_answer(self, trial: Trial, m: int, rate: float) -> object:
        """Return the value at the first position."""
        return trial.subject.thing(m, rate, trial.experiment.setting).value(1)

    def try_scripts(self, trial: Trial) -> None:
        """Reveal generated positions."""
        examples = scripts(sizes_for(trial.subject))
        explore(trial, examples, lambda script: require_consistency(trial, *script))


def scripts(sizes: tuple[int, ...]) -> st.SearchStrategy[tuple[int, float, list[int]]]:
    """Return sizes, rates and offsets of positions from the top, or from the end if negative."""
    offsets = st.one_of(st.integers(-20, 20), st.integers(-(2**60), 2**60))
    return st.tuples(st.sampled_from(sizes), st.floats(0.01, 100), st.lists(offsets, max_size=40))


def require_consistency(trial: Trial, m: int, rate: float, offsets: list[int]) -> None:
    """Reveal positions; an answer that contradicts an earlier one is a violation."""
    seen = RevealedPositions(trial, m, rate, trial.experiment.setting)
    for position in (1 + offset % m for offset in offsets):
        if position not in seen.values:
            seen.ask(position)
    seen.require_unchanged()
    seen.require_domain()


class OrderStatisticsLaw(Requirement):
    """Each new value has its conditional law."""

    id = "order-statistics.law"
    kind = Kind.ORDER_STATISTICS
    statement = (
        "Given the positions already revealed, the value at a new one has the Beta law between "
        "its nearest revealed neighbours: none, one or two."
    )
    claims = (
        "lem:sampling-zj",
        "thm:conditional-order-statistics",
        "thm:beta-form",
        "erratum:beta-shift",
        "erratum:no-predecessor",
    )
    share = 45
    bug = "a Beta law has wrong or swapped parameters or a wrong shift, or is approximated"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise, with streams for every case of every size."""
        sizes = sizes_for(subject)
        named = [
            *(f"m={m}: {case}" for m in sizes for case in cases_of(m)),
            *(f"{case}, {distance}" for case in CASES for distance in DISTANCES),
        ]
        streams: dict[str, Null] = {name: Uniform() for name in named}
        streams["consecutive answers"] = PAIRS
        return tuple(
            Experiment(str(noise), 250 * len(sizes), noise, streams)
            for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Reveal positions in random orders and collect the residuals."""
        sizes = sizes_for(trial.subject)
        start = trial.coins.randrange(len(sizes))
        seen: dict[str, list[float]] = {name: [] for name in trial.experiment.streams}
        for turn in range(start, start + trial.count):
            m = sizes[turn % len(sizes)]
            revealed = RevealedPositions(
                trial, m, trial.coins.choice(RATES), trial.experiment.setting
            )
            answers = []
            for gap in queries(revealed, trial):
                answers.append(revealed.ask(gap.position))
                seen[f"m={m}: {gap.case}"].append(answers[-1])
                seen[f"{gap.case}, {gap.distance}"].append(answers[-1])
            seen["consecutive answers"] += consecutive_pairs(answers, trial.coins)
        return Observation(nonempty_streams(seen))


def cases_of(m: int) -> tuple[str, ...]:
    """Return the cases that occur in a list of m; two neighbours need three positions."""
    return CASES[: 1 if m == 1 else 3 if m == 2 else 4]


LOOKS: Final = ((2**50, 1, 4, 400), (10**6, 1, 6, 400), (100, 1, 6, 400), (10**6, 32, 1, 8000))
"""Size, first position, number of consecutive positions, and trials."""


class FromTheTop(Requirement):
    """The list read in order, as a sorted access reads it, and single positions further down.

    The top of a huge list needs the smallest levels. A single position is tried many times, which
    reveals an approximated law that a longer script would hide among the neighbours.
    """

    id = "order-statistics.from-the-top"
    kind = Kind.ORDER_STATISTICS
    statement = (
        "Read in order from the top, each value has its conditional law given the one before."
    )
    claims = ("lem:sampling-zj", "thm:beta-form", "fact:inversion-order-statistics")
    share = 15
    bug = "the top of the list is too coarse, a uniform is used twice, or a law is approximated"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return prefixes of several sizes and one position further down, per noise."""
        return tuple(
            look_experiment(noise, min(m, subject.abilities.largest), first, count, trials)
            for noise in subject.abilities.noises
            for m, first, count, trials in LOOKS
            if first + count - 1 <= subject.abilities.largest
        )

    def observe(self, trial: Trial) -> Observation:
        """Read lists from some position on."""
        noise, m, first, count = trial.experiment.setting
        seen: dict[str, list[float]] = {name: [] for name in trial.experiment.streams}
        for _ in range(trial.count):
            revealed = RevealedPositions(trial, m, trial.coins.choice(RATES), noise)
            answers = [revealed.ask(position) for position in range(first, first + count)]
            seen["values"] += answers
            if count > 1:
                seen["neighbours"] += consecutive_pairs(answers, trial.coins)
        return Observation(nonempty_streams(seen))


def look_experiment(noise: NoiseKind, m: int, first: int, count: int, trials: int) -> Experiment:
    """Return the experiment that reads consecutive positions."""
    streams: dict[str, Null] = {"values": Uniform()}
    if count > 1:
        streams["neighbours"] = PAIRS
    name = f"positions {first} to {first + count - 1} of m={m}, {noise}"
    return Experiment(name, trials, (noise, m, first, count), streams)


class OrderStatisticsFreshness(ListFreshness):
    """Two lists of order statistics are independent."""

    id = "order-statistics.freshness"
    kind = Kind.ORDER_STATISTICS
    bug = "noise is reused, or the generator is seeded with one of few seeds"

    sizes = (1, 100)
    streams: ClassVar[Mapping[str, Null]] = {
        "same position": PAIRS,
        "equal noises": no_repetition(COMPARED),
    }

    def observe(self, trial: Trial) -> Observation:
        """Make pairs of lists and ask both for the same position."""
        m, noise = trial.experiment.setting
        seen: list[float] = []
        noises: list[float] = []
        for _ in range(trial.count):
            position = trial.coins.randint(1, m)
            pair = [RevealedPositions(trial, m, RATES[0], noise) for _ in range(2)]
            seen.append(pair_category(*(one.ask(position) for one in pair)))
            noises += [one.values[position] for one in pair]
        return Observation(
            nonempty_streams({"same position": seen}) | {"equal noises": repetitions(noises)}
        )


REQUIREMENTS: Final = (
    DescendingValues(),
    OrderStatisticsLaw(),
    FromTheTop(),
    OrderStatisticsFreshness(),
)
