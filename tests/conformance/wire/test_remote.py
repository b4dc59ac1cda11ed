"""Subjects behind the wire are tested like those of this process, whatever their kind."""

import gc

import pytest

from conformance.wire.support_wire import faulty_address, served_address
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.subjects.calls import RemoteError
from privtopk.conformance.subjects.doors import open_doors
from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind, Profile
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.wire.faults import ProtocolError
from privtopk.conformance.wire.origin import ChildOrigin
from privtopk.conformance.wire.remote import abilities_in, session_of
from privtopk.spec.noise.distributions import NoiseKind

OURS = "python:privtopk.impl.subjects:"
RIGHT = "python:privtopk.conformance.mutants.right.bases:"
SHARE = 1e-9
"""The probability that a right subject fails by chance."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("batched", marks=[pytest.mark.slow, pytest.mark.heavy]),
        pytest.param("threshold", marks=[pytest.mark.slow, pytest.mark.heavy]),
        pytest.param("rank_free_oracle", marks=pytest.mark.slow),
        pytest.param("order_statistics", marks=pytest.mark.slow),
        pytest.param("noise_sampler", marks=pytest.mark.slow),
        "van_emde_boas",
        "memory",
        pytest.param("sqlite", marks=pytest.mark.slow),
    ],
)
def test_a_right_subject_conforms_over_the_wire(name: str) -> None:
    """Every profile and kind passes over the wire."""
    finished = run(served_address(OURS + name), RunPlan(budget=0.02, alarm=SHARE))
    assert finished.is_conforming, [case.message for case in finished.cases]


def test_a_wrong_subject_fails_over_the_wire() -> None:
    """A wrong subject fails over the wire, and the bug is named."""
    address = served_address("python:wrong_subjects:careless")
    (case,) = run(address, RunPlan(budget=4.0, only=("selector.set-law",))).cases
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.endswith("a budget counted once and not for each of the k items")


def test_a_sampler_takes_the_histogram_over_the_wire() -> None:
    """A child that needs the whole histogram takes many trials in one message."""
    address = served_address("python:wrong_subjects:Sampling")
    subject = subject_at(address)
    assert subject.abilities == Abilities(is_sampler=True)
    selections = subject.sample([5000, 0, 9000], Question(2, 2.0), 3)
    assert selections == [[1, 3]] * 3
    wrong = run(
        served_address("python:wrong_subjects:CarelessSampling"),
        RunPlan(only=("selector.set-law",)),
    )
    assert wrong.cases[0].verdict is CaseVerdict.FAIL


def test_abilities_come_from_the_start() -> None:
    """What a subject declares is the same on both sides of the wire."""
    address = OURS + "threshold"
    assert subject_at(served_address(address)).abilities == subject_at(address).abilities
    sampler = "python:wrong_subjects:Sampling"
    assert subject_at(served_address(sampler)).abilities == subject_at(sampler).abilities


def test_what_is_not_declared_has_its_default() -> None:
    """A child must declare the kind of its subject only; unknown profiles are ignored."""
    assert abilities_in({"kind": "selector"}) == Abilities()
    named = {"kind": "selector", "profiles": ["telepathy", "noise-served"]}
    assert abilities_in(named) == Abilities(profiles=(Profile.NOISE_SERVED,))


def test_unknown_extras_are_ignored() -> None:
    """A child may offer what this harness does not know."""
    named = {"kind": "source", "extras": ["telepathy", "rewrite", "close"]}
    assert abilities_in(named) == Abilities(kind=Kind.SOURCE, extras=(Extra.CLOSE, Extra.REWRITE))


def test_names_pass_the_wire_unchanged() -> None:
    """Quotes, line ends, characters of code 0 and long numbers arrive as they were."""
    names = ["a\0b", "a\nb", "\u2028", "\U0001f4a7", "'\"\\", "", "NaN", "x" * 1000]
    sources = subject_at(served_address(RIGHT + "right_names")).thing
    source = sources.named(names, range(len(names)))
    assert [source.name(item) for item in range(1, len(names) + 1)] == names
    assert sources.named([2**62, -1], [1, 2]).name(1) == 2**62


def test_a_source_is_rewritten_over_the_wire() -> None:
    """A second writer in the child stores scores, or is kept out."""
    optimist = subject_at(served_address(RIGHT + "right_optimist")).thing((1, 0))
    assert (optimist.rewrite((0, 2)), optimist.scores([2])) == (True, [2])
    with pytest.raises(RemoteError, match=r"^changed-source: the scores have changed meanwhile$"):
        optimist.close()
    assert subject_at(served_address(RIGHT + "right_lock")).thing((1, 0)).rewrite((0, 2)) is False


def test_a_source_without_a_close_is_not_closed_by_a_step() -> None:
    """A child that does not offer `close` never receives it."""
    assert not hasattr(subject_at(served_address(RIGHT + "right_source")).thing((1,)), "close")
    assert hasattr(subject_at(served_address(RIGHT + "right_names")).thing((1,)), "close")


@pytest.mark.parametrize(
    ("source", "requirement"),
    [
        ("source.snapshots:ChangesSoughtByContent", "source.snapshot"),
        ("source.names:NamesEndAtCodeZero", "source.given-names"),
        ("source.names:NamesAreBytes", "source.names"),
    ],
)
def test_a_wrong_source_fails_over_the_wire(source: str, requirement: str) -> None:
    """Other writers and names are tested in another process too."""
    address = served_address(f"python:privtopk.conformance.mutants.{source}")
    (case,) = run(address, RunPlan(budget=0.1, only=(requirement,))).cases
    assert case.verdict is CaseVerdict.FAIL


def test_a_rate_can_be_declared_over_the_wire() -> None:
    """A child that adds more noise than it must can declare it."""
    declared = subject_at(served_address("python:wrong_subjects:CAREFUL"))
    assert declared.rate(Question(2, 1.0), 10) == 0.25
    silent = subject_at(served_address(OURS + "batched"))
    assert silent.rate(Question(2, 1.0), 10) == 0.5


def test_accesses_are_counted_at_the_harness() -> None:
    """The doors belong to the harness: every access over the wire is counted."""
    doors, meter = open_doors(ListedScores([4, 0, 2]))
    subject_at(served_address("python:wrong_subjects:right")).select(doors, Question(1, 1.0))
    assert (meter.sorted_accesses, meter.random_accesses, meter.round_trips) == (0, 3, 3)


def test_structures_live_side_by_side() -> None:
    """Several lists of one child keep their own answers."""
    oracle = subject_at(served_address(OURS + "rank_free_oracle")).thing
    first, second = (oracle(10, 0.5, NoiseKind.GUMBEL) for _ in range(2))
    values = [one.random_access(3) for one in (first, second)]
    assert values[0] != values[1]
    assert [one.random_access(3) for one in (first, second)] == values


def test_an_error_of_a_step_is_the_implementation_s() -> None:
    """A structure that refuses its parameters, or a step, raises."""
    oracle = subject_at(served_address(OURS + "rank_free_oracle")).thing
    with pytest.raises(RemoteError):
        oracle(0, 0.5, NoiseKind.GUMBEL).sorted_access()
    with pytest.raises(RemoteError):
        oracle(3, 0.5, NoiseKind.GUMBEL).random_access(4)


def test_structures_are_forgotten() -> None:
    """The harness sends the child the lists that it no longer needs."""
    address = served_address(OURS + "sorted_blocks")
    index = subject_at(address).thing(10)
    index.insert(3)
    del index
    gc.collect()
    session = session_of(ChildOrigin(address))
    assert session.forgotten_objects() != []
    assert session.forgotten_objects() == []


def test_a_structure_ends_with_its_child() -> None:
    """A structure of a dead child raises, and is not looked up in another child."""
    address = served_address(OURS + "van_emde_boas")
    index = subject_at(address).thing(10)
    index.insert(3)
    session_of(ChildOrigin(address)).close()
    with pytest.raises(ProtocolError, match=r"^the child that held this object has ended$"):
        index.insert(4)


def test_a_declining_child_skips() -> None:
    """If a child declines, the requirement is skipped with its reason."""
    (case,) = run(faulty_address("skip"), RunPlan(only=("selector.shape",))).cases
    assert (case.verdict, case.message) == (
        CaseVerdict.SKIP,
        "declined 8 of 8 experiments: NotImplementedError: not today",
    )
