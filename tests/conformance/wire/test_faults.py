"""Each way to break the protocol has its own error, and none is a verdict on a subject."""

import re
import shlex
import sys
from importlib.metadata import version
from typing import Any

import pytest

from conformance.wire.support_wire import FAULTY, faulty_address, served_address
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.running.runner import RunPlan, run
from privtopk.conformance.running.smoke import smoke
from privtopk.conformance.subjects.calls import Caller, DeclinedError, SubjectError
from privtopk.conformance.subjects.doors import Doors, open_doors
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.conformance.wire.faults import ProtocolError

SECONDS = 0.5
LAST_WORDS = "(it had printed: out of cheese)"
HARNESS = f"but the harness (privtopk {version('privtopk')}) speaks protocol 1"


def select_with(subject: Subject, seconds: float = 10.0) -> object:
    """Let a child select one of two items."""
    doors, _ = open_doors(ListedScores([1, 0]))
    return Caller(seconds)(subject.select, doors, Question(1, 1.0))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            "no newline",
            'the child ended with exit code 0 in a line without a newline: \'{"type": "items"\'',
        ),
        (
            "not JSON",
            "the child sent a line that is not JSON (Expecting value: line 1 column 1 (char 0)): "
            "'Segmentation fault'",
        ),
        ("not UTF-8", 'the child sent a line that is not UTF-8: \'{"type": "\\\\xff"}\''),
        ("not an object", "the child sent JSON that is not an object: '[1, 2]'"),
        (
            "a bare NaN",
            'the child sent a line that is not JSON (JSON has no NaN; it is written "NaN"): '
            '\'{"type": "declared", "rate": NaN, "seq": 2}\'',
        ),
        (
            "unknown type",
            'the child sent a message of an unknown type: \'{"type": "victory", "seq": 2}\'',
        ),
        ("no type", "the child sent a message of an unknown type: '{\"seq\": 2}'"),
        (
            "missing field",
            'the child sent a message that the schema rejects (items: "items" is a required '
            'property): \'{"type": "items", "seq": 2}\'',
        ),
        (
            "wrong field",
            'the child sent a message that the schema rejects (items.items[1]: "two" is not of '
            'type "integer"): \'{"type": "items", "items": [1, "two"], "seq": 2}\'',
        ),
        (
            "wrong number",
            "the child answered message 3, but the harness had sent message 2: "
            '\'{"type": "items", "items": [1], "seq": 3}\'',
        ),
        (
            "wrong moment",
            "the child sent samples in answer to run, which takes draw or error or items or "
            'random or skip or sorted: \'{"type": "samples", "selections": [[1]], "seq": 2}\'',
        ),
        (
            "coins",
            "the child asked for coins that are not served to it: "
            '\'{"type": "draw", "count": 1, "seq": 2}\'',
        ),
        (
            "noises",
            "the child asked for the noises, which are not served to it: "
            '\'{"type": "sorted", "list": "noises", "count": 1, "seq": 2}\'',
        ),
        ("death", f"the child ended with exit code 3 {LAST_WORDS} and gave no answer"),
        ("signal", "the child was ended by signal 9 and gave no answer"),
    ],
)
def test_each_fault_is_reported_with_the_offending_line(fault: str, message: str) -> None:
    """A broken protocol is an adapter's fault, and the error says how it was broken."""
    with pytest.raises(ProtocolError) as caught:
        select_with(subject_at(faulty_address(fault)))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("silence", r"the child said nothing for 0\.\d+ s"),
        (
            "no newline yet",
            r"the child said nothing for 0\.\d+ s after '\{\"type\": \"items\"' without a newline",
        ),
        ("closed output", r"the child closed its output and gave no answer"),
    ],
)
def test_silence_past_the_deadline_is_a_fault(fault: str, message: str) -> None:
    """A child that sends nothing is ended at the deadline of the call."""
    with pytest.raises(ProtocolError) as caught:
        select_with(subject_at(faulty_address(fault)), 2.0 if fault == "closed output" else SECONDS)
    assert re.fullmatch(message, str(caught.value))


def test_a_child_that_talks_on_is_slow() -> None:
    """A child that asks forever follows the protocol, and exceeds the deadline."""
    with pytest.raises(SubjectError, match=r"^gave no answer within 0\.5 s$"):
        select_with(subject_at(faulty_address("chatter")), SECONDS)


def test_a_selection_that_is_broken_off_leaves_no_child_waiting() -> None:
    """If the harness fails during a selection, the next selection has a new child."""
    subject = subject_at(served_address("python:wrong_subjects:right"))

    def raise_key_error(items: object) -> Any:
        raise KeyError("not the child's fault")

    with pytest.raises(SubjectError):
        Caller(10)(subject.select, Doors(2, raise_key_error, raise_key_error), Question(1, 1.0))
    assert select_with(subject) in ([1], [2])


def test_a_line_too_many_is_noticed_with_the_next_message() -> None:
    """An extra line is not taken for the next answer."""
    subject = subject_at(faulty_address("two lines"))
    assert select_with(subject) == [1]
    with pytest.raises(ProtocolError) as caught:
        select_with(subject)
    expected = "the child sent a line that nobody asked for: "
    assert str(caught.value) == expected + '\'{"type": "items", "items": [1], "seq": 2}\''


def test_a_new_child_is_started_after_a_fault() -> None:
    """A fault ends the child, and the next call starts another one."""
    subject = subject_at(faulty_address("two lines"))
    select_with(subject)
    with pytest.raises(ProtocolError):
        select_with(subject)
    assert select_with(subject) == [1]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("death at start", f"the child ended with exit code 4 {LAST_WORDS} and gave no answer"),
        ("old protocol", f"the child speaks protocol 0, {HARNESS}"),
        ("new protocol", f"the child speaks protocol 2, {HARNESS}"),
        ("refused start", "the child refuses to start: protocol: I speak 2 alone"),
        (
            "no subject",
            "the child sent a message that the schema rejects (started.subjects: [] has less "
            "than 1 item)",
        ),
        ("no profile", "the child offers no profile that is known here: telepathy"),
    ],
)
def test_a_start_that_fails_is_reported(fault: str, message: str) -> None:
    """A child that cannot be tested is reported before any call."""
    with pytest.raises(ProtocolError) as caught:
        subject_at(faulty_address(fault))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "the child cannot be started: the command is empty"),
        (
            "./no-such-adapter",
            "the child cannot be started: [Errno 2] No such file or directory: './no-such-adapter'",
        ),
        ("'unbalanced", "the child cannot be started: No closing quotation"),
    ],
)
def test_a_command_that_cannot_be_started_is_reported(command: str, message: str) -> None:
    """The error about a wrong command says why it cannot be started."""
    with pytest.raises(ProtocolError) as caught:
        subject_at(f"stdio:{command}")
    assert str(caught.value) == message


def test_a_kind_that_is_not_offered_is_reported() -> None:
    """The error about a kind that a child does not offer lists those that it offers."""
    from privtopk.conformance.subjects.kinds import Kind

    with pytest.raises(ProtocolError, match=r"^the child offers no source; it offers selector$"):
        subject_at(faulty_address("skip"), Kind.SOURCE)


@pytest.mark.parametrize(
    ("fault", "ask", "message"),
    [
        (
            "a number for a name",
            lambda source: source.name(1),
            "the child must answer ['name', 1] with an object with a name, got 7: "
            '\'{"type": "answers", "answers": [7], "seq": 2}\'',
        ),
        (
            "a name for a number",
            lambda source: source.size,
            "the child must answer ['size'] with a whole number, got {'name': 'x'}: "
            '\'{"type": "answers", "answers": [{"name": "x"}], "seq": 2}\'',
        ),
        (
            "infinity for a number",
            lambda source: source.size,
            "the child must answer ['size'] with a whole number, got '-Infinity': "
            '\'{"type": "answers", "answers": ["-Infinity"], "seq": 2}\'',
        ),
        (
            "numbers for pairs",
            lambda source: source.top(0, 2),
            "the child must answer ['top', 0, 2] with an array of [item, score], got [1, 2]: "
            '\'{"type": "answers", "answers": [[1, 2]], "seq": 2}\'',
        ),
    ],
)
def test_an_answer_that_does_not_fit_its_step_is_reported(
    fault: str, ask: Any, message: str
) -> None:
    """An answer that the schema allows for other steps only is a fault of the adapter."""
    with pytest.raises(ProtocolError) as caught:
        ask(subject_at(faulty_address(fault)).thing((1, 0)))
    assert str(caught.value) == message


def test_what_the_implementation_says_is_not_a_fault() -> None:
    """An `error` or a `skip` comes from the implementation and is no fault of the adapter."""
    with pytest.raises(SubjectError, match=r"^raised tired: no$"):
        select_with(subject_at(faulty_address("error")))
    with pytest.raises(DeclinedError, match=r"^NotImplementedError: not today$"):
        select_with(subject_at(faulty_address("skip")))


def test_a_refusal_of_the_doors_reaches_the_child() -> None:
    """A child that asks for an item that does not exist is refused, and may end with an error."""
    message = "unknown-item: item must be between 1 and m=2, got 0"
    with pytest.raises(SubjectError) as caught:
        select_with(subject_at(faulty_address("item 0")))
    assert str(caught.value) == f"raised {message}"
    assert caught.value.cause.__cause__ is not None


def test_a_fault_is_an_undecided_requirement() -> None:
    """A fault of the adapter makes a requirement undecided, and the run continues."""
    finished = run(
        faulty_address("wrong number"), RunPlan(only=("selector.shape", "selector.refusals"))
    )
    assert [case.verdict for case in finished.cases] == [CaseVerdict.ERROR, CaseVerdict.ERROR]
    message = "the adapter failed: the child answered message 3, but the harness had sent message 2"
    assert finished.cases[0].message.startswith(message)


def test_smoke_reports_how_fast_a_child_is() -> None:
    """Smoke measures the speed of a child, also if its answer is wrong."""
    lines, is_usable = smoke(faulty_address("outside"), RunPlan())
    assert is_usable
    message = "items must lie between 1 and m=3, got 9"
    assert lines[-3] == f"implementation fault: it answers, but {message}"
    assert re.fullmatch(r"speed     [\d,]+ round trips per second", lines[-2])


def test_smoke_reports_what_is_declined() -> None:
    """Smoke reports that a child declines the simplest question."""
    lines, is_usable = smoke(faulty_address("skip"), RunPlan())
    assert not is_usable
    expected = "adapter fault: the simplest call is declined: NotImplementedError: not today"
    assert lines[-2] == expected


def test_smoke_waits_no_longer_than_the_deadline() -> None:
    """The deadline of a call applies to the start of a child, too."""
    lines, is_usable = smoke(faulty_address("silent start"), RunPlan(call_seconds=0.5))
    assert not is_usable
    assert re.fullmatch(r"adapter fault: the child said nothing for 0\.\d+ s", lines[0])


def test_smoke_prints_a_command_that_repeats_the_fault() -> None:
    """A fault of the adapter comes with a command that reproduces it without the harness."""
    lines, is_usable = smoke(faulty_address("not an object"), RunPlan())
    assert not is_usable
    assert lines[-3] == (
        "adapter fault: in the simplest call the child sent JSON that is not an object: '[1, 2]'"
    )
    start, question = (
        '\'{"type":"start","protocol":1,"seq":1}\'',
        '\'{"type":"run","profile":"own-randomness","m":3,"question":{"k":1,"epsilon":2.0,'
        '"delta":0.0,"noise":"gumbel","relation":"add-remove","ranked":false},"seq":2}\'',
    )
    command = shlex.join([sys.executable, "-I", str(FAULTY), "not an object"])
    assert lines[-1] == f"by hand   printf '%s\\n' {start} {question} | {command}"
