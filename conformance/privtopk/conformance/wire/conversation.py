"""What is common to all conversations: how a child refuses."""

from typing import Final

from privtopk.conformance.wire.messages import Message

REFUSALS: Final = frozenset({"error", "skip"})
"""What may stand in place of every answer."""


class RemoteError(Exception):
    """An error that the implementation answered with."""


def require_answer(message: Message) -> Message:
    """Return an answer, or raise what it says instead of one."""
    if message["type"] == "skip":
        raise NotImplementedError(message["reason"])
    if message["type"] == "error":
        raise failure(message)
    return message


def failure(error: Message) -> RemoteError:
    """Return the error that a message tells of."""
    return RemoteError(f"{error['reason']}: {error['message']}")
