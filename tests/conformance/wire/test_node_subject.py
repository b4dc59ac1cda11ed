"""The example in JavaScript passes the oracle over the wire, and its mutants do not."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.running.workers import GuardedExecutor
from privtopk.conformance.subjects.calls import RemoteError
from privtopk.conformance.subjects.doors import Doors, open_doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores, SparseScoreList
from privtopk.conformance.wire.origin import ChildOrigin
from privtopk.conformance.wire.remote_selector import RemoteSelector
from privtopk.conformance.wire.session import ChildSession
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no node on the path")

EXAMPLE: Final = Path(__file__).parents[3] / "conformance" / "examples" / "node"
COMMAND: Final = f"node '{EXAMPLE / 'adapter.mjs'}'"

ALARM: Final = 1e-8
"""The part of the example in the error budget of the whole suite."""

MEBIBYTES: Final = 512
"""Less than the address space that Node reserves, and much more than it uses."""

MUTANTS: Final = {
    "the noise of the candidates is that of any item and not the largest": (
        "selection/select.mjs",
        "    level += exponential() / source.unseen;\n",
        "    level += exponential();\n",
        "selector.tail",
    ),
    "the prefix grows to the end": (
        "selection/select.mjs",
        "  const latest = Math.min(source.size, Math.ceil(Math.sqrt(source.size * k)));\n",
        "  const latest = source.size;\n",
        "selector.access-cost",
    ),
    "the noise of the items that were left out is drawn again": (
        "selection/select.mjs",
        "    if (page.length < PAGE) return;\n",
        "    if (page.length === 0) return;\n",
        "selector.leader-count",
    ),
    "scores and noises are added before they are compared": (
        "selection/best.mjs",
        "(one.score - other.score) * this.#rate + (one.noise - other.noise)",
        "one.score * this.#rate + one.noise - (other.score * this.#rate + other.noise)",
        "selector.set-law",
    ),
    "the neighbour relation does not matter": (
        "selection/parameters.mjs",
        "  const rate = epsilon / (k * SHIFTS.get(relation));\n",
        "  const rate = epsilon / k;\n",
        "selector.privacy-budget",
    ),
    "an item may come twice": (
        "selection/source.mjs",
        "    if (this.seen.has(item)) throw faultySource('the source delivered an item twice');\n",
        "",
        "selector.faulty-source",
    ),
}
"""The bug, its file, the right line, the wrong line, and the requirement that must kill it."""


@pytest.fixture(scope="module")
def workers() -> Iterator[GuardedExecutor]:
    """One process for all runs, with little memory."""
    with GuardedExecutor(1, 120.0, MEBIBYTES) as executor:
        yield executor


@pytest.fixture(scope="module")
def selector() -> Iterator[RemoteSelector]:
    """The example without the oracle."""
    session = ChildSession(ChildOrigin(f"stdio:{COMMAND}"))
    yield RemoteSelector(session, declares_rate=True)
    session.close()


@pytest.mark.slow
def test_it_conforms(workers: GuardedExecutor) -> None:
    """The example passes on a tenth of the trials, with half a gibibyte of memory."""
    finished = run(f"stdio:{COMMAND}", RunPlan(budget=0.1, alarm=ALARM), executor=workers)
    assert [(c.requirement.id, c.message) for c in finished.cases if c.verdict == "fail"] == []
    assert finished.is_conforming
    skipped = [c.requirement.id for c in finished.cases if c.verdict is CaseVerdict.SKIP]
    assert skipped == [
        "selector.replay-set",
        "selector.replay-stop",
        "selector.tape-determinism",
        "selector.tape-extremes",
        "selector.tape-law",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "bug",
    [bug if n < 2 else pytest.param(bug, marks=pytest.mark.heavy) for n, bug in enumerate(MUTANTS)],
)
def test_a_changed_line_is_found(bug: str, workers: GuardedExecutor, tmp_path: Path) -> None:
    """A changed line fails the requirement that it breaks."""
    name, right, wrong, requirement = MUTANTS[bug]
    mutant = shutil.copytree(EXAMPLE, tmp_path / "node")
    text = (mutant / name).read_text()
    assert text.count(right) == 1
    (mutant / name).write_text(text.replace(right, wrong))
    plan = RunPlan(budget=4.0, alarm=ALARM, only=(requirement,))
    (case,) = run(f"stdio:node '{mutant / 'adapter.mjs'}'", plan, executor=workers).cases
    assert case.verdict is CaseVerdict.FAIL


QUESTION: Final = Question(2, 1.0)
WRONG: Final[Mapping[str, dict[str, Any]]] = {
    "k-out-of-range: k must be an integer between 1 and m=5, got 0": {"k": 0},
    "k-out-of-range: k must be an integer between 1 and m=5, got 6": {"k": 6},
    "k-out-of-range: k must be an integer between 1 and m=5, got 1.5": {"k": 1.5},
    "epsilon-out-of-range: epsilon must be positive and finite, got 0": {"epsilon": 0.0},
    "epsilon-out-of-range: epsilon must be positive and finite, got NaN": {"epsilon": float("nan")},
    "epsilon-out-of-range: epsilon must be positive and finite, got Infinity": {
        "epsilon": float("inf")
    },
    "epsilon-out-of-range: epsilon must be large enough to be shared by k=2 items, got 5e-324": {
        "epsilon": 5e-324
    },
    "delta-out-of-range: delta must be at least 0 and below 1, got 1": {"delta": 1.0},
    "delta-out-of-range: delta must be at least 0 and below 1, got NaN": {"delta": float("nan")},
    "ranked-laplace: the noise of a ranked list must be gumbel, got laplace": {
        "noise": NoiseKind.LAPLACE,
        "is_ranked": True,
    },
}
"""The error about a question on five items, and the wrong parameter."""


@pytest.mark.parametrize("message", WRONG)
def test_a_bad_question_is_refused_before_anything_is_read(
    message: str, selector: RemoteSelector
) -> None:
    """The error about an invalid question says what was given and what is required."""
    doors, meter = open_doors(ListedScores([3, 1, 4, 1, 5]))
    with pytest.raises(RemoteError) as caught:
        selector.select(doors, replace(QUESTION, **WRONG[message]))
    assert str(caught.value) == message
    assert meter.round_trips == 0


def test_a_domain_beyond_the_integers_of_javascript_is_refused(selector: RemoteSelector) -> None:
    """A domain with items above 2^53 - 1 is refused, because JavaScript would round them."""
    doors, _ = open_doors(SparseScoreList(2**53, {}))
    with pytest.raises(RemoteError) as caught:
        selector.select(doors, QUESTION)
    assert str(caught.value) == (
        "size-out-of-range: m must be between 1 and 9007199254740991, got 9007199254740992"
    )


def test_items_of_the_largest_domain_are_exact(selector: RemoteSelector) -> None:
    """The last two of 2^53 - 1 items are distinct."""
    m = 2**53 - 1
    doors, _ = open_doors(SparseScoreList(m, {m: 2, m - 1: 1}))
    assert selector.select(doors, Question(1, 1e6)) == [m]


@pytest.mark.parametrize(
    ("relation", "rate"),
    [(Relation.ADD_REMOVE, 0.25), (Relation.SWAP, 0.125), (Relation.L_INFINITY, 0.125)],
)
def test_the_declared_rate_is_that_of_pure_accounting(
    relation: Relation, rate: float, selector: RemoteSelector
) -> None:
    """Each item gets epsilon/k, and half of it if one score may rise while another falls."""
    assert selector.rate is not None
    assert selector.rate(Question(4, 1.0, 1e-3, relation=relation), 100) == rate


FAULTS: Final[dict[str, list[tuple[int, float]]]] = {
    "the source must deliver 4 entries, got 1": [(1, 3)],
    "the source delivered an item outside of its domain": [(1, 3), (6, 3), (2, 1), (3, 0)],
    "the source delivered an item twice": [(1, 3), (2, 3), (1, 3), (3, 0)],
    "the source delivered a score that is not a whole number up to 2^53": [
        (1, 3),
        (2, float("nan")),
        (3, 1),
        (4, 0),
    ],
    "the source delivered a score above one that should have come after it": [
        (1, 3),
        (2, 4),
        (3, 1),
        (4, 0),
    ],
}
"""The error about a source of five items, and the first four entries that it delivers."""


@pytest.mark.parametrize("message", FAULTS)
def test_a_faulty_source_is_noticed(message: str, selector: RemoteSelector) -> None:
    """The error about a faulty source names the broken promise, and no score."""
    doors = Doors(5, lambda count: FAULTS[message], lambda items: [0.0 for _ in items])
    with pytest.raises(RemoteError) as caught:
        selector.select(doors, QUESTION)
    assert str(caught.value) == f"faulty-source: {message}"


def flat_doors(m: int, delivered: float, looked_up: float) -> Doors:
    """Return doors that show the same score for all items, which may depend on the door."""
    items = iter(range(1, m + 1))
    return Doors(
        m,
        lambda count: [(item, delivered) for item in islice(items, count)],
        lambda asked: [looked_up for _ in asked],
    )


def test_a_candidate_above_the_prefix_is_noticed(selector: RemoteSelector) -> None:
    """An item that is looked up must not score more than those that were delivered.

    At most 283 of 10,000 equal items are delivered. They are the eight best, and nothing is
    looked up, with a probability below (283/10,000)^8 < 10^-12.
    """
    with pytest.raises(RemoteError) as caught:
        selector.select(flat_doors(10_000, 3.0, 4.0), Question(8, 1.0))
    assert str(caught.value) == (
        "faulty-source: the source delivered a score above one that should have come after it"
    )


def test_long_lines_come_through(selector: RemoteSelector) -> None:
    """A page of thousands of entries, longer than a pipe holds, comes through."""
    doors = flat_doors(40_000, 2.0**53, 2.0**53)
    assert len(set(selector.select(doors, Question(20_000, 1.0)))) == 20_000


def converse(*messages: object) -> tuple[int, list[Any], str]:
    """Send lines to a child, and return its exit code, answers and errors."""
    text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in messages)
    ended = subprocess.run(
        ["node", EXAMPLE / "adapter.mjs"], input=text, capture_output=True, text=True, timeout=60
    )
    return ended.returncode, [json.loads(line) for line in ended.stdout.splitlines()], ended.stderr


RUN: Final[dict[str, Any]] = {
    "type": "run",
    "profile": "own-randomness",
    "m": 5,
    "question": {
        "k": 1,
        "epsilon": 1,
        "delta": 0,
        "noise": "gumbel",
        "relation": "swap",
        "ranked": False,
    },
}


def test_a_refusal_of_the_harness_ends_the_selection() -> None:
    """A refusal of the harness ends the selection with an error of the same reason."""
    refused = {"type": "refused", "reason": "source-failed", "message": "the list is gone"}
    assert converse({**RUN, "seq": 7}, {**refused, "seq": 8}, {"type": "stop", "seq": 9}) == (
        0,
        [
            {"type": "sorted", "count": 2, "seq": 7},
            {"type": "error", "reason": "source-failed", "message": "the list is gone", "seq": 8},
        ],
        "",
    )


def test_fields_and_messages_that_it_does_not_know_do_no_harm() -> None:
    """An unknown field is ignored, and an unknown message is answered with skip."""
    code, answers, errors = converse(
        {"type": "rate", "m": 5, "question": {**RUN["question"], "colour": 1}, "seq": 1, "new": 2},
        {"type": "sample", "seq": 2},
    )
    assert (code, answers, errors) == (
        0,
        [
            {"type": "declared", "rate": 0.5, "seq": 1},
            {"type": "skip", "reason": "sample is not offered", "seq": 2},
        ],
        "",
    )


LONG: Final = "x" * (1 << 18)
"""More than a pipe holds."""

PATIENCE: Final = 0.3
"""Seconds in which the child finds an empty input, and fills its output."""


def test_a_line_that_is_no_message_ends_the_child() -> None:
    """A line that is no message ends the child, and standard error shows it."""
    code, answers, errors = converse("nonsense")
    assert (code, answers) == (1, [])
    assert errors.startswith("adapter.mjs: not a message (")
    assert errors.endswith("): nonsense\n")


def test_an_input_that_ends_during_a_selection_ends_the_child() -> None:
    """If the input ends during a selection, the child ends and sends nothing more."""
    assert converse({**RUN, "seq": 1}) == (
        1,
        [{"type": "sorted", "count": 2, "seq": 1}],
        "adapter.mjs: the input ended during a selection\n",
    )


def test_streams_that_do_not_block_are_waited_for() -> None:
    """A line longer than a pipe comes through whole, even if the pipes are set not to block."""
    received, said_end = os.pipe()
    heard_end, sent = os.pipe()
    os.set_blocking(received, False)
    os.set_blocking(sent, False)
    with subprocess.Popen(["node", EXAMPLE / "adapter.mjs"], stdin=received, stdout=sent):
        os.close(received)
        os.close(sent)
        time.sleep(PATIENCE)
        with open(said_end, "w") as harness:
            harness.write(json.dumps({"type": LONG, "seq": 1}) + "\n")
        time.sleep(PATIENCE)
        with open(heard_end) as answers:
            skipped = {"type": "skip", "reason": f"{LONG} is not offered", "seq": 1}
            assert json.loads(answers.read()) == skipped
