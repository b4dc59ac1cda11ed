"""Conversations with a child: the harness and the child send messages in turn, from `start` on.

The harness numbers its messages, and the child repeats the number of the message it answers.
An extra or a missing line is thus noticed at once. A child that breaks the protocol or exceeds a
deadline is ended; the next conversation starts another one.
"""

import atexit
import contextlib
import signal
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator
from typing import Final

from privtopk.conformance.subjects.calls import AdapterError, CallTimeout, ChildFault
from privtopk.conformance.subjects.loading import AddressError
from privtopk.conformance.wire.child import Child
from privtopk.conformance.wire.faults import ProtocolError, quote_line, reproduction_command
from privtopk.conformance.wire.messages import PROTOCOL, Message, decode_message, encode_message
from privtopk.conformance.wire.origin import ChildOrigin

SILENCE: Final = 60.0
"""A child that sends no line for this many seconds is ended, if no call has a shorter deadline."""


class ChildSession:
    """A child process that is started on first use, and again after it was ended."""

    def __init__(self, origin: ChildOrigin) -> None:
        """Take where the child comes from."""
        self.origin = origin
        self.lock = threading.RLock()
        """Held during a conversation: a child takes part in one at a time."""

        self.generation = 0
        """The number of children started; a new child has none of the old one's objects."""

        self.round_trips = 0
        """The number of messages that were answered."""

        self._child: Child | None = None
        self._seq = 0
        self._said: list[bytes] = []
        self._introduction: Message = {}
        self._line = b""
        self._begun = self._heard = 0.0
        self._objects = 0
        self._forgotten: deque[int] = deque()

    @property
    def introduction(self) -> Message:
        """The `started` message of the child."""
        with self.lock:
            self._current_child()
            return self._introduction

    @contextlib.contextmanager
    def conversation(self) -> Iterator[None]:
        """Hold a conversation; an error ends the child, which would still wait for messages."""
        with self.lock:
            self._current_child()
            del self._said[1:]
            self._begun = self._heard = time.monotonic()
            try:
                yield
            except BaseException:
                self._drop()
                raise

    def say(self, message: Message, expected: Collection[str]) -> Message:
        """Send a message, and return the answer; its type must be an expected one."""
        assert self._child is not None
        try:
            return self._exchange(self._child, message, expected)
        except ProtocolError as fault:
            raise self._reproducible(str(fault)) from fault
        except CallTimeout:
            waited = time.monotonic() - self._heard
            # A child that has just sent a line is slow, which is no fault of the adapter.
            if self.origin.is_python or waited < (time.monotonic() - self._begun) / 2:
                raise
            raise self._reproducible(self._child.silence(waited)) from None

    def fault(self, what: str) -> BaseException:
        """End the child because of its last line, and return the error to raise."""
        self._drop()
        return self._reproducible(f"{what}: {quote_line(self._line)}")

    def _reproducible(self, what: str) -> BaseException:
        """Return the error for a fault: of the adapter, or of a Python subject if it is ours."""
        if self.origin.is_python:
            return ChildFault(what.removeprefix("the child "))
        return ProtocolError(what, reproduction_command(self.origin.command, self._said))

    def new_object(self) -> int:
        """Return the number of a new object in the child."""
        self._objects += 1
        return self._objects

    def forget_object(self, number: int) -> None:
        """Record that an object is no longer needed; the next message says so to the child."""
        self._forgotten.append(number)

    def forgotten_objects(self) -> list[int]:
        """Return the objects that were forgotten since the last call."""
        return [self._forgotten.popleft() for _ in range(len(self._forgotten))]

    def _exchange(self, child: Child, message: Message, expected: Collection[str]) -> Message:
        # A line that a child sends before `start` is taken for its answer to `start`.
        if self._seq and child.has_spoken:
            line = child.receive(longest_silence())
            raise ProtocolError(f"the child sent a line that nobody asked for: {quote_line(line)}")
        self._seq += 1
        said = encode_message({**message, "seq": self._seq})
        self._said.append(said)
        seconds = longest_silence()
        child.send(said, seconds)
        line = child.receive(seconds)
        self._heard, self._line = time.monotonic(), line
        self.round_trips += 1
        answer = decode_message(line)
        if answer["seq"] != self._seq:
            raise ProtocolError(
                f"the child answered message {answer['seq']}, but the harness had sent message "
                f"{self._seq}: {quote_line(line)}"
            )
        if answer["type"] not in expected:
            raise ProtocolError(
                f"the child sent {answer['type']} in answer to {message['type']}, which takes "
                f"{' or '.join(sorted(expected))}: {quote_line(line)}"
            )
        return answer

    def _current_child(self) -> None:
        if self._child is not None:
            return
        self._child = Child(self.origin)
        atexit.register(self.close)
        self.generation += 1
        self._seq = 0
        self._said.clear()
        self._begun = self._heard = time.monotonic()
        try:
            self._introduction = self.say(
                {"type": "start", "protocol": PROTOCOL}, {"started", "error"}
            )
            if self._introduction["type"] == "error":
                raise self._refused_start()
        except ChildFault as fault:
            self._drop()
            raise AdapterError(f"{self.origin.address}: the subject {fault}") from fault
        except BaseException:
            self._drop()
            raise

    def _refused_start(self) -> BaseException:
        if self.origin.is_python:
            return AddressError(self._introduction["message"])
        refusal = "{reason}: {message}".format_map(self._introduction)
        return self._reproducible(f"the child refuses to start: {refusal}")

    def _drop(self) -> None:
        """Kill the child."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def close(self) -> None:
        """Send `stop` and let the child end."""
        atexit.unregister(self.close)
        with self.lock:
            if self._child is not None:
                self._seq += 1
                self._child.dismiss(encode_message({"type": "stop", "seq": self._seq}))
                self._child = None


def longest_silence() -> float:
    """Return after how many seconds without a line a child is ended; a timer may be longer."""
    return max(SILENCE, signal.getitimer(signal.ITIMER_REAL)[0] + 1)
