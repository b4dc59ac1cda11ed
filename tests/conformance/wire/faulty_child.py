"""A child that breaks the protocol in a way that its argument names; it needs no package."""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

STARTED = {
    "type": "started",
    "protocol": 1,
    "name": "faulty",
    "version": "0",
    "language": "Python",
    "subjects": [{"kind": "selector", "profiles": ["own-randomness", "telepathy"]}],
}
RIGHT = {"type": "items", "items": [1]}


def say(message: dict[str, Any], seq: int) -> None:
    """Send a message."""
    sys.stdout.write(json.dumps({**message, "seq": seq}) + "\n")
    sys.stdout.flush()


def raw(text: str | bytes) -> None:
    """Send a text as it is."""
    os.write(1, text.encode() if isinstance(text, str) else text)


def hear() -> dict[str, Any]:
    """Return the next message, or end with the input."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message: dict[str, Any] = json.loads(line)
    return message


def die(code: int) -> NoReturn:
    """Write to standard error, and end."""
    sys.stderr.write("out of\ncheese\n")
    sys.stderr.flush()
    os._exit(code)


def chatter(seq: int) -> None:
    """Ask for a score forever."""
    while True:
        say({"type": "random", "items": [1]}, seq)
        seq = hear()["seq"]


def begin(seconds: int) -> None:
    """Begin a line, wait, and end without a newline."""
    raw('{"type": "items"')
    time.sleep(seconds)
    os._exit(0)


def repeat(seq: int) -> None:
    """Answer twice, at once."""
    raw(2 * (json.dumps({**RIGHT, "seq": seq}) + "\n"))


def fall_silent() -> None:
    """Close the output and go on running."""
    os.close(1)
    time.sleep(60)


def relay(seq: int) -> None:
    """Ask for an item that does not exist, and answer with the harness's error."""
    say({"type": "random", "items": [0]}, seq)
    heard = hear()
    say({"type": "error", "reason": heard["reason"], "message": heard["message"]}, heard["seq"])


FAULTS: dict[str, Callable[[int], object]] = {
    "no newline": lambda seq: begin(0),
    "no newline yet": lambda seq: begin(60),
    "not JSON": lambda seq: raw("Segmentation fault\n"),
    "not UTF-8": lambda seq: raw(b'{"type": "\xff"}\n'),
    "not an object": lambda seq: raw("[1, 2]\n"),
    "a bare NaN": lambda seq: raw(f'{{"type": "declared", "rate": NaN, "seq": {seq}}}\n'),
    "unknown type": lambda seq: say({"type": "victory"}, seq),
    "no type": lambda seq: say({}, seq),
    "missing field": lambda seq: say({"type": "items"}, seq),
    "wrong field": lambda seq: say({"type": "items", "items": [1, "two"]}, seq),
    "wrong number": lambda seq: say(RIGHT, seq + 1),
    "wrong moment": lambda seq: say({"type": "samples", "selections": [[1]]}, seq),
    "coins": lambda seq: say({"type": "draw", "count": 1}, seq),
    "noises": lambda seq: say({"type": "sorted", "list": "noises", "count": 1}, seq),
    "silence": lambda seq: time.sleep(60),
    "chatter": chatter,
    "death": lambda seq: die(3),
    "signal": lambda seq: os.kill(os.getpid(), 9),
    "two lines": repeat,
    "closed output": lambda seq: fall_silent(),
    "outside": lambda seq: say({"type": "items", "items": [9]}, seq),
    "skip": lambda seq: say({"type": "skip", "reason": "not today"}, seq),
    "error": lambda seq: say({"type": "error", "reason": "tired", "message": "no"}, seq),
    "item 0": relay,
    "a number for a name": lambda seq: say({"type": "answers", "answers": [7]}, seq),
    "a name for a number": lambda seq: say({"type": "answers", "answers": [{"name": "x"}]}, seq),
    "infinity for a number": lambda seq: say({"type": "answers", "answers": ["-Infinity"]}, seq),
    "numbers for pairs": lambda seq: say({"type": "answers", "answers": [[1, 2]]}, seq),
}


STARTS: dict[str, dict[str, Any]] = {
    "old protocol": {"protocol": 0},
    "new protocol": {"protocol": 2, "subjects": "as agreed"},
    "refused start": {"type": "error", "reason": "protocol", "message": "I speak 2 alone"},
    "no subject": {"subjects": []},
    "no profile": {"subjects": [{"kind": "selector", "profiles": ["telepathy"]}]},
    "a number for a name": {"subjects": [{"kind": "source", "extras": ["name"]}]},
    "a name for a number": {"subjects": [{"kind": "source", "extras": ["name"]}]},
    "infinity for a number": {"subjects": [{"kind": "source"}]},
    "numbers for pairs": {"subjects": [{"kind": "source"}]},
}


def main() -> None:
    """Break the protocol at the first question, or at the start."""
    fault = sys.argv[1]
    if fault == "death at start":
        die(4)
    if fault == "silent start":
        time.sleep(60)
    while True:
        message = hear()
        if message["type"] == "start":
            say(STARTED | STARTS.get(fault, {}), message["seq"])
        elif message["type"] in ("run", "oracle"):
            FAULTS[fault](message["seq"])
        else:
            sys.exit(0)


if __name__ == "__main__":
    main()
