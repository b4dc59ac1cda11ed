"""Writes the vectors to files, byte for byte the same every time."""

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final

from privtopk.conformance.vectors.groups import (
    accounting,
    bounds,
    order_statistics,
    output_laws,
    permutations,
    rejections,
    served_noise_selections,
    threshold_traces,
)
from privtopk.conformance.vectors.numbers import encode
from privtopk.conformance.vectors.vector import Group, Vector
from privtopk.conformance.writing import write_whole

FORMAT: Final = "privtopk-vectors-1"
"""Changes when a reader of the old files could not read the new ones."""

SCHEMA: Final = "vectors.schema.json"

NUMBERS: Final = {
    "integer": "A JSON number, or beyond 2^53 - 1 in absolute value a decimal string.",
    "double": "A string in hexadecimal, as C's %a writes it: 0x1.8p+1 is 3; inf, -inf and nan.",
    "rational": "A string p/q in lowest terms, q >= 1.",
    "uniform": "A JSON number n < 2^52 that means (2n + 1)/2^53; only in `uniforms`.",
    "tolerance": (
        "A double d of `expected` may be answered by x if |x - d| <= absolute + relative |d|; "
        "everything else in `expected` must be equal. A test passes or fails."
    ),
}

GROUPS: Final = (
    threshold_traces,
    served_noise_selections,
    order_statistics,
    permutations,
    output_laws,
    bounds,
    accounting,
    rejections,
)


def generate_files() -> dict[str, str]:
    """Return the text of every file by its name: the groups and the schema."""
    groups = (module.group() for module in GROUPS)
    return {f"{group.name}.json": text_of(group) for group in groups} | {SCHEMA: schema()}


def schema() -> str:
    """Return the JSON schema of the files."""
    return (resources.files(__package__) / "data" / SCHEMA).read_text(encoding="utf-8")


def text_of(group: Group) -> str:
    """Return the text of a group's file, one line per member of a test."""
    head: dict[str, str | Mapping[str, str]] = {
        "format": FORMAT,
        "group": group.name,
        "task": group.task,
        "numbers": NUMBERS,
        "operations": group.operations,
    }
    tests = ",\n".join(f"  {_object(members_of(vector), '  ')}" for vector in group.vectors)
    members = [f'"{key}": {_head_member(value)}' for key, value in head.items()]
    return "\n".join(["{", ",\n".join([*members, f'"tests": [\n{tests}\n]']), "}\n"])


def members_of(vector: Vector) -> dict[str, Any]:
    """Return a vector as the file holds it."""
    tolerance = vector.tolerance
    return {
        "id": vector.id,
        "operation": vector.operation,
        "hunts": vector.hunts,
        "claims": encode(vector.claims),
        "input": encode(vector.input),
        "intermediates": encode(vector.intermediates),
        "expected": encode(vector.expected),
        "tolerance": {
            "relative": encode(tolerance.relative),
            "absolute": encode(tolerance.absolute),
            "reason": tolerance.reason,
        },
    }


def _head_member(value: str | Mapping[str, str]) -> str:
    """Return a member of the head, one line per explanation."""
    return _json(value) if isinstance(value, str) else _object(value, "")


def _object(members: Mapping[str, Any], indent: str) -> str:
    """Return an object, one line per member."""
    lines = [f'{indent}  "{key}": {_json(value)}' for key, value in members.items()]
    return "\n".join(["{", ",\n".join(lines), f"{indent}}}"])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def write(folder: Path) -> tuple[Path, ...]:
    """Write all files into a folder and return their paths."""
    return tuple(write_whole(folder / name, text) for name, text in generate_files().items())


def differences(folder: Path) -> list[str]:
    """Return where a folder differs from what would be written: files, or tests by id."""
    texts = generate_files()
    unknown = sorted(path.name for path in folder.glob("*.json") if path.name not in texts)
    found = [
        line for name, text in texts.items() for line in _differences_in_file(folder / name, text)
    ]
    return [*found, *(f"{name}: not a file of the vectors" for name in unknown)]


def _differences_in_file(path: Path, text: str) -> Iterator[str]:
    if not path.is_file():
        yield f"{path.name}: missing"
    elif path.read_bytes() != text.encode():
        ids = _different_ids(path.read_bytes(), text)
        yield from [f"{path.name}: {identity}" for identity in ids] or [f"{path.name}: differs"]


def _different_ids(written: bytes, text: str) -> list[str]:
    """Return the ids of the tests that two files do not share, or none if one is unreadable."""
    try:
        old, new = ({test["id"]: test for test in json.loads(t)["tests"]} for t in (written, text))
    except (ValueError, KeyError, TypeError):
        return []
    return [identity for identity in {**new, **old} if old.get(identity) != new.get(identity)]
