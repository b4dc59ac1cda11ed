"""Faults between the harness and a child; they are never a verdict on the implementation."""

import shlex
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.subjects.calls import AdapterError
from privtopk.spec.console.escaping import printable

SHOWN: Final = 200
"""An error repeats at most this many characters of a wrong line."""

LONGEST_COMMAND: Final = 4000
"""A longer command is not offered for pasting into a shell."""


class ProtocolError(AdapterError):
    """A child broke the protocol."""

    def __init__(self, message: str, reproduction: str = "") -> None:
        """Take what happened, and a shell command that reproduces it without the harness."""
        super().__init__(message, reproduction)

    def __str__(self) -> str:
        """Return the text in one line: parts of it come from the child."""
        return printable(str(self.args[0]))

    @property
    def reproduction(self) -> str:
        """A shell command that reproduces the fault without the harness, or an empty text."""
        return str(self.args[1])


def quote_line(line: bytes | bytearray) -> str:
    """Return a line in quotes, cut if it is long."""
    text = line.decode(errors="backslashreplace").rstrip("\n")
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


def reproduction_command(command: str, lines: Sequence[bytes]) -> str:
    """Return a shell command that sends the same lines to a child; empty if it is too long."""
    said = " ".join(shlex.quote(line.decode().rstrip("\n")) for line in lines)
    text = f"printf '%s\\n' {said} | {command}"
    return text if len(text) <= LONGEST_COMMAND else ""
