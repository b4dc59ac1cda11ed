"""Where a child comes from: the command that starts it, or the Python subject that it serves."""

import os
import shlex
import sys
from dataclasses import dataclass
from typing import Any

from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.loading import STDIO, command_of


@dataclass(frozen=True, slots=True)
class ChildOrigin:
    """The address of a subject in a process of its own, with its kind if that is given."""

    address: str

    kind: Kind | None = None
    """Only Python subjects are started with it; another child offers its kinds itself."""

    @property
    def is_python(self) -> bool:
        """Whether the child runs our adapter, so that every fault of it is the subject's."""
        return not self.address.startswith(STDIO)

    @property
    def command(self) -> str:
        """A command that starts the same child."""
        if not self.is_python:
            return command_of(self.address) or ""
        kind = [self.kind.value] if self.kind else []
        return shlex.join(["python", "-m", "privtopk.conformance.wire", self.address, *kind])

    def request(self) -> dict[str, Any]:
        """Return what a keeper needs to start the child, as JSON can hold it."""
        shared = {"environment": dict(os.environ), "folder": os.getcwd()}
        if self.is_python:
            kind = self.kind.value if self.kind else None
            return {**shared, "address": self.address, "kind": kind, "path": sys.path}
        words = shlex.split(self.command)
        if not words:
            raise ValueError("the command is empty")
        return {**shared, "words": words}
