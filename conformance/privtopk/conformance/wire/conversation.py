"""The answers `error` and `skip`, which a child may send in place of any other."""

from enum import StrEnum
from typing import Final

from privtopk.conformance.subjects.calls import AdapterError, AnswerError, RemoteError
from privtopk.conformance.wire.messages import Message

REFUSALS: Final = frozenset({"error", "skip"})
"""The types of messages that may take the place of any answer."""


class Fault(StrEnum):
    """What is wrong if a child sends an error."""

    IMPLEMENTATION = "implementation"
    """It refuses or fails: what an error means if nothing else is said."""

    ANSWER = "answer"
    """It has answered, and the answer cannot be sent: it does not have the right form."""

    ADAPTER = "adapter"
    """It could not be called, because a package is missing for example: no verdict."""


def require_answer(message: Message) -> Message:
    """Return an answer, or raise the error or the skip that came in its place."""
    if message["type"] == "skip":
        raise NotImplementedError(message["reason"])
    if message["type"] == "error":
        raise failure(message)
    return message


def failure(error: Message) -> Exception:
    """Return the exception for the fields of an error."""
    match error.get("fault"):
        case Fault.ANSWER:
            return AnswerError(error["message"])
        case Fault.ADAPTER:
            return AdapterError(error["message"])
    reason, message = error["reason"], error["message"]
    return RemoteError(f"{reason}: {message}" if message else reason)
