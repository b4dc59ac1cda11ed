"""A child process that reads and writes lines, and how it ends.

The harness writes a line to a pipe, then waits for a line, without threads. The child's standard
error goes to a file; if the child fails, the error text repeats the end of that file.
"""

import contextlib
import os
import select
import shlex
import subprocess
import tempfile
from typing import Final

from privtopk.conformance.processor import share_a_processor
from privtopk.conformance.wire.faults import ProtocolError, quote_line

LONGEST_LINE: Final = 64 << 20
"""In bytes. A child that never ends its line must not fill the memory."""

PAGE: Final = 1 << 16
LAST_WORDS: Final = 400
"""If a child fails, the error text repeats this many characters of its standard error."""

GRACE: Final = 1.0
"""Seconds that a child has to end by itself before it is killed."""


class Child:
    """One child process."""

    def __init__(self, command: str) -> None:
        """Start a command; it is split into words as a shell does, and run without a shell."""
        self._buffer = b""
        self._errors, path = tempfile.mkstemp(prefix="privtopk-")
        os.unlink(path)
        share_a_processor()
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("the command is empty")
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            os.close(self._errors)
            raise ProtocolError(f"the child cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._input, self._output = self._stdin.fileno(), self._stdout.fileno()
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
            text = f"the child {self._death()} before it read {quote_line(line)}"
            raise ProtocolError(text) from error

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
        while True:
            end = self._buffer.find(b"\n", searched)
            if end >= 0:
                line, self._buffer = self._buffer[: end + 1], self._buffer[end + 1 :]
                return line
            searched = len(self._buffer)
            if searched > LONGEST_LINE:
                raise ProtocolError(
                    f"the child sent more than {LONGEST_LINE} bytes without a newline: "
                    f"{quote_line(self._buffer[:PAGE])}"
                )
            if not self._poll.poll(1000 * seconds):
                raise ProtocolError(self.silence(seconds))
            page = os.read(self._output, PAGE)
            if not page:
                raise ProtocolError(self._ending())
            self._buffer += page

    def silence(self, seconds: float) -> str:
        """Return the error text for a child that sends no line, with the line that it began."""
        text = f"the child said nothing for {seconds:.3g} s"
        return (
            f"{text} after {quote_line(self._buffer)} without a newline" if self._buffer else text
        )

    def _ending(self) -> str:
        """Return the error text for a child that closed its output."""
        if self._buffer:
            text = f"the child {self._death()} in a line without a newline"
            return f"{text}: {quote_line(self._buffer)}"
        return f"the child {self._death()} and gave no answer"

    def _death(self) -> str:
        """Return how the process ended, with the end of its standard error."""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        words = self.last_words()
        return f"{how} (it had printed: {words})" if words else how

    def last_words(self) -> str:
        """Return the end of the child's standard error, in one line."""
        start = max(0, os.fstat(self._errors).st_size - PAGE)
        text = os.pread(self._errors, PAGE, start).decode(errors="backslashreplace")
        return " ".join(text.split())[-LAST_WORDS:]

    @property
    def process_number(self) -> int:
        """The process id."""
        return self._process.pid

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
        """Close the child's streams, wait for it to end, and kill it if it does not."""
        for stream in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                stream.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        os.close(self._errors)

    def kill(self) -> None:
        """Kill the process at once."""
        self._process.kill()
        self._process.wait()
