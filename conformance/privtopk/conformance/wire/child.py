"""A child process that speaks lines, and how it ends.

Lines go through pipes without a thread: the harness writes one, then waits for one. What the
child prints as errors goes to a file, of which the end is told when the child fails.
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
"""Bytes; a child that never ends its line must not fill the memory."""

PAGE: Final = 1 << 16
LAST_WORDS: Final = 400
"""Characters of what a child printed as errors that are told when it fails."""

GRACE: Final = 1.0
"""Seconds that a child has to end by itself."""


class Child:
    """One child process."""

    def __init__(self, command: str) -> None:
        """Start a command; it is split as a shell would, and run without one."""
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
        """Write a line, which the child has so many seconds to go on reading."""
        left = memoryview(line)
        try:
            while left:
                left = left[self._write_some(left, seconds) :]
        except BrokenPipeError as error:
            told = f"the child {self._death()} before it read {quote_line(line)}"
            raise ProtocolError(told) from error

    def _write_some(self, text: memoryview, seconds: float) -> int:
        """Write what the pipe takes, and return how much that is."""
        try:
            return os.write(self._input, text)
        except BlockingIOError:
            if not select.select([], [self._input], [], seconds)[1]:
                told = f"the child did not read its input for {seconds:.3g} s"
                raise ProtocolError(told) from None
            return 0

    def receive(self, seconds: float) -> bytes:
        """Return the next line, or say why there is none."""
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
        """Return that the child says nothing, and what it has begun to say."""
        text = f"the child said nothing for {seconds:.3g} s"
        return (
            f"{text} after {quote_line(self._buffer)} without a newline" if self._buffer else text
        )

    def _ending(self) -> str:
        """Return how the child closed its output."""
        if self._buffer:
            text = f"the child {self._death()} in a line without a newline"
            return f"{text}: {quote_line(self._buffer)}"
        return f"the child {self._death()} and gave no answer"

    def _death(self) -> str:
        """Return how the process ended, with its last words."""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        words = self.last_words()
        return f"{how} (it had printed: {words})" if words else how

    def last_words(self) -> str:
        """Return the end of what the child printed as errors, in one line."""
        start = max(0, os.fstat(self._errors).st_size - PAGE)
        text = os.pread(self._errors, PAGE, start).decode(errors="backslashreplace")
        return " ".join(text.split())[-LAST_WORDS:]

    @property
    def process_number(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def has_spoken(self) -> bool:
        """Whether there is something to read that nobody has asked for."""
        return bool(self._buffer) or bool(self._poll.poll(0))

    def dismiss(self, line: bytes) -> None:
        """Say a last line, and let the child end."""
        with contextlib.suppress(ProtocolError):
            self.send(line, GRACE)
        self.end()

    def end(self) -> None:
        """Let the child end when its input does, or end it."""
        for stream in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                stream.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        os.close(self._errors)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
