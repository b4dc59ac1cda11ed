"""Facts about the child's end of the wire: how it keeps and closes structures."""

import io
from collections.abc import Sequence
from typing import Any

import pytest

from privtopk.conformance.mutants.right.stores import HistogramSource
from privtopk.conformance.subjects.kinds import abilities_of
from privtopk.conformance.subjects.subject import Subject
from privtopk.conformance.wire.adapter import Adapter
from privtopk.conformance.wire.messages import Message, decode_message, encode_message


class Log(HistogramSource):
    """A source that records when it is closed, and raises."""

    closed: list[tuple[int, ...]]

    def rewrite(self, histogram: Sequence[int]) -> object:
        """Return what a driver returns."""
        return self if histogram else False

    def close(self) -> None:
        """Record it, and raise."""
        Log.closed.append(tuple(self.histogram))
        raise ValueError("closed")


def replies_to(messages: Sequence[Message]) -> list[Message]:
    """Return the replies of an adapter to some messages."""
    Log.closed = []
    lines = [
        encode_message({**message, "seq": seq}) for seq, message in enumerate(messages, start=1)
    ]
    output = io.BytesIO()
    Adapter(Subject(Log, abilities_of(Log)), io.BytesIO(b"".join(lines)), output).serve()
    return [decode_message(line) for line in output.getvalue().splitlines(keepends=True)]


def oracle_message(
    number: int, *steps: Any, histogram: Sequence[int] = (), drop: Any = ()
) -> Message:
    """Return a message with steps for an object, and its arguments if it is new."""
    message = {"type": "oracle", "kind": "source", "object": number, "steps": [*steps]}
    make = {"make": {"histogram": [*histogram]}} if histogram else {}
    return message | make | {"drop": [*drop]}


def test_a_closed_source_is_closed_once() -> None:
    """A source that a step has closed is not closed again when it is dropped or at the end."""
    replies = replies_to(
        [oracle_message(1, ["close"], histogram=(7,)), oracle_message(2, histogram=(8,), drop=[1])]
    )
    assert replies[0]["answers"] == [{"error": {"reason": "ValueError", "message": "closed"}}]
    assert Log.closed == [(7,), (8,)]


def test_a_dropped_source_is_closed() -> None:
    """A source that the harness has dropped is closed; its errors are ignored."""
    replies = replies_to(
        [
            oracle_message(1, ["size"], histogram=(7,)),
            oracle_message(2, ["size"], histogram=(8,), drop=[1]),
        ]
    )
    assert [one["answers"] for one in replies] == [[1], [1]]
    assert Log.closed == [(7,), (8,)]


def test_all_sources_are_closed_at_the_end() -> None:
    """After `stop`, or at the end of its input, a child leaves no source open."""
    made = [
        oracle_message(1, ["size"], histogram=(7,)),
        oracle_message(2, ["size"], histogram=(8,)),
    ]
    replies_to([*made, {"type": "stop"}])
    assert Log.closed == [(7,), (8,)]
    replies_to(made)
    assert Log.closed == [(7,), (8,)]


def test_what_is_closed_is_gone() -> None:
    """A step to a closed source is an error."""
    replies = replies_to(
        [oracle_message(1, ["close"], histogram=(7,)), oracle_message(1, ["size"])]
    )
    assert replies[1]["type"] == "error"


def test_a_writer_is_kept_out_by_false_alone() -> None:
    """A writer that returns False was kept out; any other value means that it stored scores."""
    (reply,) = replies_to([oracle_message(1, ["rewrite", [5]], ["rewrite", []], histogram=(7,))])
    assert reply["answers"] == [True, False]


def test_extras_are_offered_as_they_are() -> None:
    """The `started` message names the extras of the subject's sources."""
    (started,) = replies_to([{"type": "start", "protocol": 1}])
    assert started["subjects"][0]["extras"] == ["close", "rewrite"]


@pytest.mark.parametrize("steps", [[], [["size"]]], ids=["made", "asked"])
def test_a_missing_package_is_the_adapter_s_fault(
    steps: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error about a missing package says that it is no fault of the implementation."""

    def fail(self: Log, *arguments: object) -> None:
        raise ModuleNotFoundError("No module named 'sums'")

    monkeypatch.setattr(
        Log,
        *(("size", property(fail)) if steps else ("__init__", fail)),
    )
    (reply,) = replies_to([oracle_message(1, *steps, histogram=(7,))])
    (error,) = [answer["error"] for answer in reply.get("answers", ())] or [reply]
    text = "a package is missing: ModuleNotFoundError: No module named 'sums'"
    assert (error["fault"], error["message"]) == ("adapter", text)


def test_a_child_says_which_protocol_it_speaks() -> None:
    """A child states its protocol also to a harness of another one, which can then report both."""
    (started,) = replies_to([{"type": "start", "protocol": 2}])
    assert (started["type"], started["protocol"]) == ("started", 1)
