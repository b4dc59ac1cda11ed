"""A noise oracle has the joint law of a list of i.i.d. noises, in every order of queries."""

from collections.abc import Mapping
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
from privtopk.conformance.requirements.noise.scripts import (
    QUERIES,
    SCRIPTS,
    lists_for,
    play_scripts,
    sizes_for,
)
from privtopk.conformance.requirements.noise.transcript import (
    CASES,
    MANY,
    Step,
    Transcript,
)
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.subject import Subject

FEW: Final = (1, 2, 3)
"""Numbers of unseen items at which an error by one changes a law most."""


class OracleDoors(ListConsistency):
    """Both doors show the same list."""

    id = "noise-oracle.doors"
    kind = Kind.NOISE_ORACLE
    statement = (
        "Sorted access delivers each item once by descending noise, random access always agrees "
        "with it, and unknown items, accesses beyond the end and invalid parameters are refused."
    )
    claims = ("algo:online-sampling", "model:sorted-access", "model:random-access")
    bug = "an answer is not remembered, the two doors disagree, or parameters are not checked"

    def first_answer(self, trial: Trial, m: int, rate: float) -> object:
        """Return the answer of the first sorted access."""
        return trial.subject.thing(m, rate, trial.experiment.setting).sorted_access()

    def try_scripts(self, trial: Trial) -> None:
        """Follow generated scripts of queries."""
        sizes = (1, 5, 20, *sizes_for(trial.subject))
        explore(trial, scripts(sizes), lambda script: require_consistency(trial, *script))


def scripts(sizes: tuple[int, ...]) -> st.SearchStrategy[tuple[int, float, list[float | None]]]:
    """Return sizes, rates and queries: None for sorted access, else an item as a share of m."""
    query = st.one_of(st.none(), st.floats(0, 1))
    rates = st.floats(0.01, 100)
    return st.tuples(st.sampled_from(sizes), rates, st.lists(query, max_size=40))


def require_consistency(trial: Trial, m: int, rate: float, script: list[float | None]) -> None:
    """Follow a script; an answer that contradicts an earlier one is a violation."""
    seen = Transcript(trial, m, rate, trial.experiment.setting)
    for query in script:
        if query is not None:
            seen.random_access(1 + min(m - 1, int(query * m)))
        elif seen.delivered < m:
            seen.sorted_access()
    if m <= QUERIES:
        while seen.delivered < m:
            seen.sorted_access()
        seen.require_end()
    seen.require_domain()
    for item in tuple(seen.values):
        seen.random_access(item)


class JointLaw(Requirement):
    """The noises have the joint law of an i.i.d. list."""

    id = "noise-oracle.joint-law"
    kind = Kind.NOISE_ORACLE
    statement = (
        "In every order of accesses, each new noise has its conditional law given all earlier "
        "answers."
    )
    claims = ("thm:oracle", "erratum:marginal-law", "ours:rank-free")
    share = 40
    bug = "the noise has a wrong scale, shape or tail, or a conditional law is wrong in one case"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise, with streams for every case.

        A case has one stream per size, per script, and per small number of unseen items.
        """
        named = [
            *(f"m={m}: {case}" for m in sizes_for(subject) for case in CASES),
            *(f"{name}: {case}" for name, (_, cases) in SCRIPTS.items() for case in cases),
            *(f"{few} unseen: {case}" for few in FEW for case in CASES),
        ]
        streams: dict[str, Null] = {name: Uniform() for name in named}
        streams |= {f"{script}: consecutive answers": PAIRS for script in SCRIPTS}
        trials = 80 * len(lists_for(subject))
        return tuple(
            Experiment(str(noise), trials, noise, streams) for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Collect the residuals of noises."""
        seen: dict[str, list[float]] = {name: [] for name in trial.experiment.streams}
        for one in play_scripts(trial):
            for step in one.steps:
                seen[f"m={one.m}: {step.case}"].append(step.residual)
                seen[f"{one.script}: {step.case}"].append(step.residual)
                if step.unseen in FEW:
                    seen[f"{step.unseen} unseen: {step.case}"].append(step.residual)
            answers = consecutive_pairs([step.residual for step in one.steps], trial.coins)
            seen[f"{one.script}: consecutive answers"].extend(answers)
        return Observation(nonempty_streams(seen))


class OracleItems(Requirement):
    """Items come in a uniform order that is independent of the noises."""

    id = "noise-oracle.items"
    kind = Kind.NOISE_ORACLE
    statement = (
        "Each new item of sorted access is uniform among the unseen items, whatever the noises are."
    )
    claims = ("lem:permutation-and-independence", "algo:online-sampling")
    share = 20
    bug = "some items come too early, a taken item is replaced by its neighbour, or noise decides"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return one experiment per noise."""
        sizes = sizes_for(subject)
        streams: dict[str, Null] = {
            name: Uniform()
            for m in sizes
            for name in (f"m={m}: among the unseen", f"m={m}: after the latest")
        }
        streams |= {f"m={m}: last digits": Uniform() for m in sizes if m >= MANY}
        streams |= {f"with {height} noise": Uniform() for height in ("high", "low")}
        streams |= {f"{script}: consecutive items": PAIRS for script in SCRIPTS}
        del streams["random: consecutive items"]
        trials = 60 * len(lists_for(subject))
        return tuple(
            Experiment(str(noise), trials, noise, streams) for noise in subject.abilities.noises
        )

    def observe(self, trial: Trial) -> Observation:
        """Collect the residuals of new items.

        The item is uniform given its noise too, so the noise may choose the stream. The last
        unseen item is certain, so it is not counted.
        """
        seen: dict[str, list[float]] = {name: [] for name in trial.experiment.streams}
        for one in play_scripts(trial):
            new = [step for step in one.steps if step.item is not None and step.unseen > 1]
            ranks = [step.item for step in new if step.item is not None]
            seen[f"m={one.m}: among the unseen"] += ranks
            seen[f"m={one.m}: after the latest"] += [
                step.item_after_latest for step in new if step.item_after_latest is not None
            ]
            if one.m >= MANY:
                seen[f"m={one.m}: last digits"] += [
                    step.digits for step in new if step.digits is not None
                ]
            for step, rank in zip(new, ranks, strict=True):
                seen[f"with {'high' if step.residual > 0.5 else 'low'} noise"].append(rank)
            if ranks:
                seen[f"{one.script}: consecutive items"] += consecutive_pairs(ranks, trial.coins)
        return Observation(nonempty_streams(seen))


class OracleFreshness(ListFreshness):
    """Two noise lists are independent."""

    id = "noise-oracle.freshness"
    kind = Kind.NOISE_ORACLE
    bug = "noise or order is reused, or the generator is seeded with one of few seeds"

    sizes = (8, 1000)
    streams: ClassVar[Mapping[str, Null]] = {
        "first noises": PAIRS,
        "first items": PAIRS,
        "noises of one item": PAIRS,
        "equal noises": no_repetition(COMPARED),
    }

    def observe(self, trial: Trial) -> Observation:
        """Make pairs of lists and ask both the same questions."""
        m, noise = trial.experiment.setting
        seen: dict[str, list[float]] = {name: [] for name in trial.experiment.streams}
        noises: list[float] = []
        for _ in range(trial.count):
            pair = [Transcript(trial, m, RATES[0], noise) for _ in range(2)]
            first = [new_step(one.sorted_access()) for one in pair]
            seen["first noises"] += [pair_category(first[0].residual, first[1].residual)]
            seen["first items"] += [pair_category(first[0].item or 0.0, first[1].item or 0.0)]
            item = next(i for i in (1, 2, 3) if all(i not in one.values for one in pair))
            residuals = [new_step(one.random_access(item)).residual for one in pair]
            seen["noises of one item"] += [pair_category(*residuals)]
            noises += [noise for one in pair for noise in one.values.values()]
        return Observation(nonempty_streams(seen) | {"equal noises": repetitions(noises)})


def new_step(step: Step | None) -> Step:
    """Return a step that revealed something new."""
    assert step is not None
    return step


REQUIREMENTS: Final = (OracleDoors(), JointLaw(), OracleItems(), OracleFreshness())
