"""Facts about messages: the schema defines them, and numbers survive a round trip."""

import json
import math
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.conformance.wire.faults import SHOWN, ProtocolError
from privtopk.conformance.wire.messages import (
    decode_message,
    decode_number,
    encode_message,
    encode_number,
    message_types,
    schema,
    validator,
)

QUESTION = {
    "k": 1,
    "epsilon": 0.5,
    "delta": 0.0,
    "noise": "gumbel",
    "relation": "swap",
    "ranked": False,
}


def test_the_schema_is_one() -> None:
    """The schema that is shipped is a valid JSON Schema of the draft that it names."""
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(schema())


def test_every_type_has_its_constant_and_a_number() -> None:
    """Every message has a constant type and a number."""
    for name in message_types():
        part = schema()["$defs"][name]
        assert part["properties"]["type"] == {"const": name}
        assert {"type", "seq"} <= set(part["required"])


def test_the_page_names_every_type() -> None:
    """The protocol page and the schema name the same messages."""
    page = (Path(__file__).parents[3] / "docs" / "reference" / "wire.md").read_text("utf-8")
    assert [name for name in message_types() if f"`{name}`" not in page] == []


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2**63))
def test_numbers_arrive_as_they_were(value: float, item: int) -> None:
    """Doubles and 64-bit integers are written with all their digits."""
    line = encode_message({"type": "entries", "seq": 1, "entries": [[item, value]]})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode_message(line)["entries"] == [[item, value]]


@pytest.mark.parametrize(
    ("number", "text"), [(math.inf, "Infinity"), (-math.inf, "-Infinity"), (0.25, 0.25)]
)
def test_what_json_cannot_write_is_text(number: float, text: object) -> None:
    """Infinite numbers go as text and come back as numbers."""
    assert encode_number(number) == text
    assert decode_number(encode_number(number)) == number


def test_no_number_is_text_too() -> None:
    """NaN goes as text and comes back as NaN."""
    assert encode_number(math.nan) == "NaN"
    assert math.isnan(decode_number("NaN"))


def test_unknown_fields_are_ignored() -> None:
    """A message with unknown fields is accepted."""
    line = json.dumps({"type": "items", "seq": 1, "items": [], "mood": {"good": [1]}}).encode()
    assert decode_message(line)["items"] == []


@pytest.mark.parametrize("k", [0, -1, 1.5, 10**30])
def test_invalid_questions_can_be_sent(k: float) -> None:
    """An invalid question, which a child must refuse, can be sent."""
    message = {"type": "run", "seq": 1, "profile": "own-randomness", "m": 5}
    assert encode_message(message | {"question": QUESTION | {"k": k, "epsilon": "NaN"}})


def test_the_harness_keeps_to_the_schema_too() -> None:
    """A message of our own that the schema rejects is an error here, and never sent."""
    with pytest.raises(jsonschema_rs.ValidationError, match='"protocol" is a required property'):
        encode_message({"type": "start", "seq": 1})


def test_a_long_line_is_cut_in_an_error() -> None:
    """An error shows the beginning of a long line."""
    with pytest.raises(ProtocolError) as caught:
        decode_message(b"[" + b"1, " * SHOWN + b"1]")
    assert len(str(caught.value)) < SHOWN + 100
    assert str(caught.value).endswith("...'")


def test_nesting_without_end_is_not_json() -> None:
    """Deep nesting, which would exhaust the parser's stack, is an error like any other."""
    with pytest.raises(ProtocolError, match=r"^the child sent a line that is not JSON"):
        decode_message(b"[" * 100_000)


@pytest.mark.parametrize(
    "answer",
    [
        *(1, 0.5, None, True, "NaN", [3, 0.25], [0.5, "Infinity"], [[1, 2], [2, 1]], []),
        *({"name": "many"}, {"name": ""}, {"name": -7}),
    ],
)
def test_answers_to_steps_have_many_shapes(answer: object) -> None:
    """Each kind of step has its own shape of answer."""
    message = {"type": "answers", "seq": 1, "answers": [answer]}
    assert validator("answers").is_valid(message)


@pytest.mark.parametrize(
    "answer",
    ["many", {"reason": "x"}, [None], [[1, 2, 3]], {"name": 0.5}, {"name": None}, {"name": True}],
)
def test_other_shapes_are_rejected(answer: object) -> None:
    """A value that answers no step is rejected."""
    message = {"type": "answers", "seq": 1, "answers": [answer]}
    assert not validator("answers").is_valid(message)


@pytest.mark.parametrize(
    "step", [["size"], ["close"], ["name", 3], ["rewrite", [1, 0]], ["scores", []], ["top", 1, 2]]
)
def test_steps_to_a_source(step: list[object]) -> None:
    """There is a step for each door of a source and for each of its extras."""
    message = {"type": "oracle", "seq": 1, "kind": "source", "object": 1, "steps": [step]}
    assert validator("oracle").is_valid(message)


@pytest.mark.parametrize("step", [["close", 1], ["name"], ["name", "a"], ["rewrite", 1], ["open"]])
def test_other_steps_are_rejected(step: list[object]) -> None:
    """An unknown step and a step with wrong arguments are rejected."""
    message = {"type": "oracle", "seq": 1, "kind": "source", "object": 1, "steps": [step]}
    assert not validator("oracle").is_valid(message)


@pytest.mark.parametrize(
    ("names", "is_valid"), [([], True), (["a\0b", -3], True), ([0.5], False), ([None], False)]
)
def test_names_are_texts_or_whole_numbers(names: list[object], is_valid: bool) -> None:
    """The names of a source may be texts and whole numbers, and nothing else."""
    message = {"type": "oracle", "seq": 1, "kind": "source", "object": 1, "steps": []}
    make = {"histogram": [1], "names": names}
    assert validator("oracle").is_valid(message | {"make": make}) is is_valid


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            b'{"type":"skip","seq":1,"reason":"\\ud800"}\n',
            "the child sent a text that is not Unicode: "
            r"""'{"type":"skip","seq":1,"reason":"\\ud800"}'""",
        ),
        (
            b'{"type":"stop","seq":"\\u202e"}\n',
            r'the child sent a message that the schema rejects (stop.seq: "\u202e" is not of type '
            r""""integer"): '{"type":"stop","seq":"\\u202e"}'""",
        ),
    ],
)
def test_hostile_texts_are_protocol_errors(line: bytes, text: str) -> None:
    """A lone surrogate breaks the protocol, and an error escapes what a child wrote."""
    with pytest.raises(ProtocolError) as caught:
        decode_message(line)
    assert str(caught.value) == text
