"""Encodes, decodes and validates the messages of the wire protocol.

The JSON Schema defines the protocol. Every message is validated in both directions. It is
compared with the part of the schema for its type, so that an error is about that type only.
"""

import json
import math
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final, TypeAlias

import jsonschema_rs

from privtopk.conformance.wire.faults import ProtocolError, quote_line

Message: TypeAlias = dict[str, Any]

PROTOCOL: Final = 1
"""The version of the protocol; new abilities get new names and do not change it."""

UNWRITABLE: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""Numbers that JSON does not have."""


def _refuse_constant(name: str) -> None:
    raise ValueError(f'JSON has no {name}; it is written "{name}"')


_write: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_read: Final = json.JSONDecoder(parse_constant=_refuse_constant).decode


@lru_cache(maxsize=1)
def schema() -> Message:
    """Return the JSON Schema of all messages."""
    text = files("privtopk.conformance.wire").joinpath("protocol.schema.json").read_text("utf-8")
    found: Message = json.loads(text)
    return found


@lru_cache(maxsize=1)
def message_types() -> tuple[str, ...]:
    """Return the types of all messages."""
    return tuple(choice["$ref"].rpartition("/")[2] for choice in schema()["oneOf"])


@lru_cache(maxsize=64)
def validator(kind: str) -> jsonschema_rs.Validator:
    """Return the validator for messages of a type."""
    whole = schema()
    part = {"$schema": whole["$schema"], "$ref": f"#/$defs/{kind}", "$defs": whole["$defs"]}
    return jsonschema_rs.validator_for(part)


def encode_message(message: Message) -> bytes:
    """Return a message as a line."""
    validator(message["type"]).validate(message)
    return _write(message).encode() + b"\n"


def decode_message(line: bytes) -> Message:
    """Return the message in a line; raise if there is no valid one."""
    try:
        message = _read(line.decode())
    except UnicodeDecodeError as error:
        raise ProtocolError(
            f"the child sent a line that is not UTF-8: {quote_line(line)}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ProtocolError(
            f"the child sent a line that is not JSON ({error}): {quote_line(line)}"
        ) from error
    if not isinstance(message, dict):
        raise ProtocolError(f"the child sent JSON that is not an object: {quote_line(line)}")
    refuse_surrogates(message, line)
    kind = message.get("type")
    if kind not in message_types():
        raise ProtocolError(f"the child sent a message of an unknown type: {quote_line(line)}")
    refuse_other_protocol(message)
    try:
        validator(kind).validate(message)
    except jsonschema_rs.ValidationError as error:
        raise ProtocolError(f"{complaint(kind, error)}: {quote_line(line)}") from error
    return message


def refuse_surrogates(message: Message, line: bytes) -> None:
    """Raise if a text holds half of a surrogate pair, which JSON can write and UTF-8 cannot."""
    if rb"\u" in line:
        try:
            json.dumps(message, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ProtocolError(
                f"the child sent a text that is not Unicode: {quote_line(line)}"
            ) from error


def refuse_other_protocol(message: Message) -> None:
    """Raise if a child speaks another version, whose messages this schema would reject."""
    spoken = message.get("protocol", PROTOCOL)
    if message["type"] == "started" and isinstance(spoken, int) and spoken != PROTOCOL:
        raise ProtocolError(
            f"the child speaks protocol {spoken}, but the harness (privtopk "
            f"{version('privtopk')}) speaks protocol {PROTOCOL}"
        )


def complaint(kind: str, error: jsonschema_rs.ValidationError) -> str:
    """Return which part of a message the schema rejects, and why."""
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path
    )
    where = f"{kind}{path}"
    return f"the child sent a message that the schema rejects ({where}: {error.message})"


def encode_number(number: float) -> float | str:
    """Return a number as JSON can hold it: NaN and infinities become texts."""
    if math.isfinite(number):
        return number
    return next(
        name
        for name, value in UNWRITABLE.items()
        if value == number or (math.isnan(value) and math.isnan(number))
    )


def encode_numbers(numbers: list[float]) -> list[float] | list[float | str]:
    """Return numbers as JSON can hold them."""
    return numbers if all(map(math.isfinite, numbers)) else [*map(encode_number, numbers)]


def decode_number(value: float | str) -> float:
    """Return the number that `encode_number` was given."""
    return UNWRITABLE[value] if isinstance(value, str) else value
