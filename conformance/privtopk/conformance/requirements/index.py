"""A predecessor index agrees with a sorted list of its members.

Only the promise of `Index` is tested: queries are made for keys of the universe. For a key
outside of it an index has two choices: to refuse it, or to keep it like any other. An index that
needs no universe is right; one that confuses two keys is wrong.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from privtopk.conformance.evidence.requirement import Requirement
from privtopk.conformance.evidence.trial import Experiment, Observation, Trial, ViolationError
from privtopk.conformance.requirements.instruments.exploring import explore
from privtopk.conformance.subjects.calls import SubjectError
from privtopk.conformance.subjects.kinds import Extra, Kind
from privtopk.conformance.subjects.subject import Subject

UNIVERSES: Final = (1, 2, 3, 2**8, 2**16, 2**16 + 1, 2**32, 2**48, 2**60)
EXAMPLES: Final = 32
LONGEST_SCRIPT: Final = 24

CROWDED_UNIVERSES: Final = (2**12, 2**32, 2**60)
"""Universes into which many keys are inserted, so that an index of blocks must split them."""

MANY_KEYS: Final = 2100
QUERIES: Final = 300

Step = tuple[bool, int]
"""Whether a key is inserted before the queries about it, and the key."""


def keys_of(universe: int) -> SearchStrategy[int]:
    """Draw keys at the ends, near powers of two, in dense runs and anywhere."""
    powers = [2**n + d for n in range(universe.bit_length()) for d in (-2, -1, 0, 1)]
    corners = sorted({key for key in (*powers, 0, universe - 1) if 0 <= key < universe})
    run = st.integers(0, min(universe, 12) - 1)
    return st.one_of(
        st.sampled_from(corners),
        run,
        run.map(lambda offset: universe - 1 - offset),
        run.map(lambda offset: universe // 2 + offset).filter(lambda key: key < universe),
        st.integers(0, universe - 1),
    )


def scripts_of(universe: int) -> SearchStrategy[list[Step]]:
    """Draw scripts of insertions and queries."""
    step = st.tuples(st.booleans(), keys_of(universe))
    return st.lists(step, min_size=1, max_size=LONGEST_SCRIPT)


class Neighbours(Requirement):
    """Membership and both neighbours are right after every insertion."""

    id = "predecessor-index.neighbours"
    kind = Kind.PREDECESSOR_INDEX
    statement = (
        "After every insertion, membership, predecessors and successors are those of a sorted list."
    )
    claims = ("lem:sampling-zj",)
    bug = "the index loses keys, or its neighbours are wrong at a boundary of its structure"

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return short scripts in every universe, and many keys in some."""
        scripts = [Experiment(f"universe {u}", EXAMPLES, (u, False)) for u in UNIVERSES]
        crowds = [Experiment(f"crowd in universe {u}", 3, (u, True)) for u in CROWDED_UNIVERSES]
        return (*scripts, *crowds)

    def observe(self, trial: Trial) -> Observation:
        """Follow scripts and report the shortest that fails."""
        universe, has_many_keys = trial.experiment.setting
        if has_many_keys:
            for turn in range(trial.count):
                insert_many_keys(trial, universe, turn)
        else:
            explore(
                trial, scripts_of(universe), lambda script: follow_script(trial, universe, script)
            )
        return Observation()


class IndexRefusals(Requirement):
    """Keys outside the universe are refused or kept, and never confused with others."""

    id = "predecessor-index.refusals"
    kind = Kind.PREDECESSOR_INDEX
    is_exhaustive = True
    statement = (
        "A key outside the universe is refused and leaves the index unchanged, or is kept like "
        "any other; it is never confused with another key."
    )
    claims = ("lem:sampling-zj",)
    bug = (
        "keys are reduced modulo the universe or counted from its end, so that they collide with "
        "others"
    )

    def experiments(self, subject: Subject) -> tuple[Experiment, ...]:
        """Return keys just outside and far outside the universe, and empty universes."""
        outside = [
            Experiment(f"key {key} in universe {u}", 1, (u, key))
            for u in (1, 5, 2**16, 2**48)
            for key in (-1, -u, u, u + 1, 2 * u, 2**63, -(2**63))
        ]
        empty = [Experiment(f"universe {u}", 1, (u, 0)) for u in (0, -1)]
        return (*outside, *empty)

    def observe(self, trial: Trial) -> Observation:
        """Insert a key outside the universe, and check that the other keys are unaffected."""
        universe, key = trial.experiment.setting
        try:
            index = trial.call(trial.subject.thing, universe)
        except SubjectError as fault:
            return accept_refusal(fault, universe < 1)
        members = sorted({0, universe // 2, universe - 1}) if universe > 0 else []
        for member in members:
            trial.call(index.insert, member)
        try:
            trial.call(index.insert, key)
        except SubjectError as fault:
            accept_refusal(fault, True)
            # Over the wire an index is made with its first step, so this may refuse the universe.
            if universe < 1:
                return Observation()
        else:
            insort(members, key)
        require_agreement(trial, index, members, members, trial.experiment.name)
        return Observation()


def accept_refusal(fault: SubjectError, is_due: bool) -> Observation:
    """Accept an error where one is due; to hang or to exit is no refusal."""
    if not (is_due and isinstance(fault.cause, Exception)):
        raise fault
    return Observation()


def follow_script(trial: Trial, universe: int, script: Sequence[Step]) -> None:
    """Insert and query step by step, and finally check all members."""
    index = trial.call(trial.subject.thing, universe)
    members: list[int] = []
    where = f"universe {universe}"
    for inserts, key in script:
        if inserts:
            trial.call(index.insert, key)
            if key not in members:
                insort(members, key)
            where += f", insert {key}"
        require_agreement(trial, index, members, (key,), where)
    around = {key + d for key in members for d in (-1, 0, 1) if 0 <= key + d < universe}
    require_agreement(trial, index, members, sorted(around), where)


def insert_many_keys(trial: Trial, universe: int, turn: int) -> None:
    """Insert many keys in ascending, descending or random order, then query."""
    drawn = {trial.coins.randrange(universe) for _ in range(MANY_KEYS)}
    keys = list(drawn) if turn % 3 == 2 else sorted(drawn, reverse=turn % 3 == 1)
    if turn % 3 == 2:
        trial.coins.shuffle(keys)
    index = trial.call(trial.subject.thing, universe)
    trial.call(_insert_all, index, keys)
    queried = [trial.coins.randrange(universe) for _ in range(QUERIES)]
    queried += trial.coins.sample(keys, min(QUERIES, len(keys)))
    order = ("ascending", "descending", "random")[turn % 3]
    where = f"universe {universe}, {len(keys)} keys in {order} order"
    require_agreement(trial, index, sorted(keys), queried, where)


def _insert_all(index: Any, keys: Iterable[int]) -> None:
    for key in keys:
        index.insert(key)


def require_agreement(
    trial: Trial, index: Any, members: Sequence[int], queried: Sequence[int], where: str
) -> None:
    """Compare the answers on some keys, and on both ends, with the sorted members."""
    extras = trial.subject.abilities.extras
    for question, right, answer in trial.call(_answers, index, members, queried, extras):
        if answer != right or isinstance(answer, bool) is not isinstance(right, bool):
            raise ViolationError(f"{where}: {question} must be {right}, got {answer!r:.60}")


def _answers(
    index: Any, members: Sequence[int], queried: Iterable[int], extras: Collection[Extra]
) -> list[tuple[str, object, object]]:
    """Return questions, right answers and the index's answers, in types safe to compare."""
    answers: list[tuple[str, object, object]] = []
    for key in queried:
        below, above = bisect_left(members, key), bisect_right(members, key)
        before = members[below - 1] if below > 0 else None
        after = members[above] if above < len(members) else None
        answers.append((f"membership of {key}", above > below, key in index))
        answers.append((f"the predecessor of {key}", before, plain_answer(index.predecessor(key))))
        answers.append((f"the successor of {key}", after, plain_answer(index.successor(key))))
    for extra, end in ((Extra.MINIMUM, 0), (Extra.MAXIMUM, -1)):
        if extra in extras:
            right = members[end] if members else None
            answers.append((f"the {extra}", right, plain_answer(getattr(index, extra)())))
    if Extra.CHECK in extras:
        index.check()
    return answers


def plain_answer(answer: Any) -> object:
    """Return an answer as None, a bool or a plain integer, or else its text."""
    if answer is None or isinstance(answer, bool):
        return answer
    return int(answer.__index__()) if hasattr(answer, "__index__") else repr(answer)


REQUIREMENTS: Final = (Neighbours(), IndexRefusals())
