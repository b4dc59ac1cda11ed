"""What can go wrong between the harness and a child: never a verdict on the implementation."""

import shlex
from collections.abc import Sequence
from typing import Final

from privtopk.conformance.subjects.calls import AdapterError

SHOWN: Final = 200
"""Characters of an offending line that an error repeats."""

LONGEST_COMMAND: Final = 4000
"""Characters of a command that somebody might still paste into a shell."""


class ProtocolError(AdapterError):
    """A child that does not keep to the protocol."""

    def __init__(self, message: str, reproduction: str = "") -> None:
        """Take what happened, and a command that shows it without the harness."""
        super().__init__(message, reproduction)

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def reproduction(self) -> str:
        """A command that shows what happened without the harness, or nothing."""
        return str(self.args[1])


def quote_line(line: bytes) -> str:
    """Return a line, or its beginning, in quotes."""
    text = line.decode(errors="backslashreplace").rstrip("\n")
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


def reproduction_command(command: str, lines: Sequence[bytes]) -> str:
    """Return a shell command that says the same lines to a child."""
    said = " ".join(shlex.quote(line.decode().rstrip("\n")) for line in lines)
    text = f"printf '%s\\n' {said} | {command}"
    return text if len(text) <= LONGEST_COMMAND else ""
