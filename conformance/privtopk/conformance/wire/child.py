"""A child process that reads and writes lines, and how it ends.

The judge writes a line to a pipe, then waits for a line, without threads. A keeper starts the
child, and reports how it ended and what it printed last.
"""

import contextlib
import json
import os
import select
import time
from typing import Any, Final

from privtopk.conformance.processor import share_a_processor
from privtopk.conformance.wire.faults import ProtocolError, quote_line
from privtopk.conformance.wire.nursery import request_child
from privtopk.conformance.wire.origin import ChildOrigin

LONGEST_LINE: Final = 64 << 20
"""In bytes. A child that never ends its line must not fill the memory."""

PAGE: Final = 1 << 16
GRACE: Final = 1.0
"""Seconds that a child has to end by itself before it is killed."""

PATIENCE: Final = 6.0
"""Seconds that a keeper has to end all processes of its child."""


class Child:
    """One child process."""

    def __init__(self, origin: ChildOrigin) -> None:
        """Start a child; a command is split into words as a shell does, and run without one."""
        self._buffer = bytearray()
        self._reports: dict[str, Any] = {}
        share_a_processor()
        try:
            request = origin.request()
        except ValueError as error:
            raise ProtocolError(f"the child cannot be started: {error}") from error
        its_input, self._input = os.pipe()
        self._output, its_output = os.pipe()
        self._status, its_status = os.pipe()
        its_lease, self._lease = os.pipe()
        given = (its_input, its_output, its_status, its_lease)
        try:
            request_child(request, given)
        except BaseException:
            self._close()
            raise
        finally:
            for descriptor in given:
                os.close(descriptor)
        os.set_blocking(self._input, False)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)

    def send(self, line: bytes, seconds: float) -> None:
        """Write a line; raise if the child reads nothing for a number of seconds."""
        left = memoryview(line)
        try:
            while left:
                left = left[self._write_some(left, seconds) :]
        except BrokenPipeError as error:
            raise ProtocolError(self._ending(f" before it read {quote_line(line)}")) from error

    def _write_some(self, line: memoryview, seconds: float) -> int:
        """Write what fits into the pipe, and return the number of bytes."""
        try:
            return os.write(self._input, line)
        except BlockingIOError:
            if not select.select([], [self._input], [], seconds)[1]:
                text = f"the child did not read its input for {seconds:.3g} s"
                raise ProtocolError(text) from None
            return 0

    def receive(self, seconds: float) -> bytes:
        """Return the next line, or raise an error that says why there is none."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > LONGEST_LINE:
                raise ProtocolError(
                    f"the child sent a line of more than {LONGEST_LINE} bytes: "
                    f"{quote_line(self._buffer[:PAGE])}"
                )
            if not self._poll.poll(1000 * seconds):
                raise ProtocolError(self.silence(seconds))
            page = os.read(self._output, PAGE)
            if not page:
                raise ProtocolError(self._ending())
            self._buffer += page
        line = bytes(self._buffer[: end + 1])
        del self._buffer[: end + 1]
        return line

    def silence(self, seconds: float) -> str:
        """Return the error text for a child that sends no line, with the line that it began."""
        text = f"the child said nothing for {seconds:.3g} s"
        return (
            f"{text} after {quote_line(self._buffer)} without a newline" if self._buffer else text
        )

    def _ending(self, after: str = " and gave no answer") -> str:
        """Return the error text for a child that closed its output."""
        death = self._death()
        if "failed" in self._reports:
            return f"the child cannot be started: {self._reports['failed']}"
        if self._buffer:
            after = f" in a line without a newline: {quote_line(self._buffer)}"
        return f"the child {death}{after}"

    def _death(self) -> str:
        """Return how the process ended, with what it printed last."""
        if not self._has_reported("code", GRACE):
            return "closed its output"
        code, words = self._reports["code"], self._reports["printed"]
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if self._reports["exceeded"]:
            how = "was ended because it used too much memory"
        return f"{how} (it had printed: {words})" if words else how

    def _has_reported(self, name: str, seconds: float) -> bool:
        """Return whether the keeper reports something within a number of seconds."""
        deadline = time.monotonic() + seconds
        while name not in self._reports:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._status], [], [], left)[0]:
                return False
            lines = os.read(self._status, PAGE).splitlines()
            if not lines:
                return False
            for line in lines:
                self._reports |= json.loads(line)
        return True

    @property
    def process_number(self) -> int:
        """The process id."""
        self._has_reported("pid", PATIENCE)
        number: int = self._reports["pid"]
        return number

    @property
    def has_spoken(self) -> bool:
        """Whether there is something to read before a message was sent."""
        return bool(self._buffer) or bool(self._poll.poll(0))

    def dismiss(self, line: bytes) -> None:
        """Send a last line, and wait for the child to end."""
        with contextlib.suppress(ProtocolError):
            self.send(line, GRACE)
        self.end()

    def end(self) -> None:
        """Close the child's input, wait for it to end, and kill it if it does not."""
        with contextlib.suppress(OSError):
            os.close(self._input)
        self._input = -1
        self._has_reported("code", GRACE)
        self.kill()

    def kill(self) -> None:
        """Kill the process and all that it has started, and close the pipes."""
        if self._lease >= 0:
            os.close(self._lease)
            self._lease = -1
            self._has_reported("code", PATIENCE)
        self._close()

    def _close(self) -> None:
        for name in ("_input", "_output", "_status", "_lease"):
            descriptor = getattr(self, name)
            if descriptor >= 0:
                os.close(descriptor)
                setattr(self, name, -1)
