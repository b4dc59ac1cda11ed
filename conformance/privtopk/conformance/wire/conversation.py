"""The answers `error` and `skip`, which a child may send in place of any other."""

from typing import Final

from privtopk.conformance.wire.messages import Message

REFUSALS: Final = frozenset({"error", "skip"})
"""The types of messages that may take the place of any answer."""


class RemoteError(Exception):
    """The implementation answered with an error."""


def require_answer(message: Message) -> Message:
    """Return an answer, or raise the error or the skip that came in its place."""
    if message["type"] == "skip":
        raise NotImplementedError(message["reason"])
    if message["type"] == "error":
        raise failure(message)
    return message


def failure(error: Message) -> RemoteError:
    """Return the exception for the fields of an error."""
    return RemoteError(f"{error['reason']}: {error['message']}")
