"""The messages of the wire protocol, as the schema has them: written, read and validated.

The schema is the source. Every message is validated in both directions, against the part of
the schema that its type names, so that an error speaks of that message and not of all.
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
"""The protocol spoken here; abilities that are added get names of their own."""

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
    """Return the types of messages there are."""
    return tuple(choice["$ref"].rpartition("/")[2] for choice in schema()["oneOf"])


@lru_cache(maxsize=64)
def validator(kind: str) -> jsonschema_rs.Validator:
    """Return what validates messages of a type."""
    whole = schema()
    part = {"$schema": whole["$schema"], "$ref": f"#/$defs/{kind}", "$defs": whole["$defs"]}
    return jsonschema_rs.validator_for(part)


def encode_message(message: Message) -> bytes:
    """Return a message as a line."""
    validator(message["type"]).validate(message)
    return _write(message).encode() + b"\n"


def decode_message(line: bytes) -> Message:
    """Return the message of a line, or say what is wrong with the line."""
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
    kind = message.get("type")
    if kind not in message_types():
        raise ProtocolError(f"the child sent a message of an unknown type: {quote_line(line)}")
    refuse_other_protocol(message)
    try:
        validator(kind).validate(message)
    except jsonschema_rs.ValidationError as error:
        raise ProtocolError(f"{complaint(kind, error)}: {quote_line(line)}") from error
    return message


def refuse_other_protocol(message: Message) -> None:
    """Refuse the start of another protocol, before it is measured by the schema of this one."""
    spoken = message.get("protocol", PROTOCOL)
    if message["type"] == "started" and isinstance(spoken, int) and spoken != PROTOCOL:
        raise ProtocolError(
            f"the child speaks protocol {spoken}, and the harness, privtopk "
            f"{version('privtopk')}, protocol {PROTOCOL}"
        )


def complaint(kind: str, error: jsonschema_rs.ValidationError) -> str:
    """Return which part of a message the schema rejects, and why."""
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path
    )
    where = f"{kind}{path}"
    return f"the child sent a message that the schema rejects ({where}: {error.message})"


def encode_number(number: float) -> float | str:
    """Return a number as the protocol writes it."""
    if math.isfinite(number):
        return number
    return next(
        name
        for name, value in UNWRITABLE.items()
        if value == number or (math.isnan(value) and math.isnan(number))
    )


def decode_number(value: float | str) -> float:
    """Return the number that the protocol wrote."""
    return UNWRITABLE[value] if isinstance(value, str) else value
