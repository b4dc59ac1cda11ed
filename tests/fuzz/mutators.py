"""Changes of inputs that keep their structure: JSON lines stay JSON, command lines keep words.

The parsers are written in C and Rust, so the engine sees no coverage inside them. Random bytes
would end there, and never reach what comes behind.
"""

import json
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    0, -1, 1, 2, 2**31, 2**53 + 1, 2**64, 10**400, 0.5, -0.0, 1e308, True, False, None, "", "NaN",
    "-Infinity", "Infinity", "\x1b[2J", "\n", "\u202e", "\ud800", "scores", "noises", "error",
    "skip", [], {}, [[]], [1], [1, 0.5], [[1, 5]], {"name": "x"}, {"name": None},
    {"error": {}}, {"error": {"reason": "r", "message": "\x1b"}}, "selector", "source",
    "data-shown",
)  # fmt: skip
"""Values that have a special meaning somewhere, or none at all."""

WORDS = (
    "", "-k", "-m", "--epsilon", "--delta", "--domain", "--table", "--item", "--score", "--client",
    "--noise", "--neighbours", "--engine", "--format", "--explain", "--audit", "--json", "--votes",
    "--items", "--clients", "--seed", "--budget", "--alarm", "--jobs", "--memory", "--timeout",
    "--game", "--kind", "--only", "--help", "--sorted-cost", "--random-cost", "0", "-1", "1", "3",
    "1/2", "1/0", "nan", "inf", "-inf", "1e999", "1e-999", "1e99999999", "0x10", "1_000", "\u0663",
    "9" * 20, "9" * 5000, "1..3", "3..1", "public", "votes", "votes.db", "votes.csv", "domain.txt",
    "gumbel", "laplace", "swap", "add-remove", "l-infinity", "threshold", "exact", "one-shot",
    "rank-free", "batched", "csv", "spreadsheet", "S1", "S3:m=4,k=9", "S2:beta=nan", "S1:m=1e9",
    "S3:m=" + "9" * 30, "\x1b[2J", "two\nlines", "\u202e", "\udcff", "café", "--", "-", "=", "@x",
)  # fmt: skip
"""Options of all commands, and arguments at the edges."""


def mutate_lines(data: bytes, random: Random) -> bytes:
    """Change one line of JSON: a value, a field, its number or its place."""
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            lines.insert(random.randrange(len(lines) + 1), lines[place])
        case 1:
            del lines[place]
        case _:
            try:
                message = json.loads(lines[place])
            except (ValueError, RecursionError):
                return data
            lines[place] = json.dumps(mutate_value(message, random)).encode()
    return b"\n".join(lines)


def mutate_value(value: Any, random: Random) -> Any:
    """Replace, drop or double one part of a JSON value."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.1:
        return random.choice(VALUES)
    place = random.choice([*value] if isinstance(value, dict) else range(len(value)))
    if random.random() < 0.1:
        del value[place]
    elif isinstance(value, list) and random.random() < 0.2:
        value.insert(place, value[place])
    else:
        value[place] = mutate_value(value[place], random)
    return value


def mutate_words(data: bytes, random: Random) -> bytes:
    """Replace, add or drop one argument."""
    words = data.split(b"\0")
    place = random.randrange(len(words))
    word = random.choice(WORDS).encode("utf-8", "surrogateescape")
    match random.randrange(4):
        case 0:
            words.insert(place, word)
        case 1:
            del words[place]
        case _:
            words[place] = word
    return b"\0".join(words)


def mutate_bytes(data: bytes, random: Random) -> bytes:
    """Replace, add or drop some bytes."""
    start = random.randrange(len(data) + 1)
    dropped = random.choice((0, 0, 1, 2, 8))
    added = random.choice(
        (b"", b"\n", b"\r", b",", b'"', b"\0", b"\xff", b"\xef\xbb\xbf", b"1", b".")
    )
    return data[:start] + random.choice((1, 1, 1, 500)) * added + data[start + dropped :]
