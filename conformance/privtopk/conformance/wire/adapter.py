"""The child's end of the wire: serves any Python subject by the protocol.

An adapter in another language does the same. It reads a line, calls its implementation, and
writes a line. During a selection it asks the harness for what the implementation reads.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from privtopk.conformance.subjects.answers import plain_items
from privtopk.conformance.subjects.calls import describe_error, error_text
from privtopk.conformance.subjects.doors import Doors, require_integer
from privtopk.conformance.subjects.kinds import (
    DECLARABLE,
    Abilities,
    Extra,
    Kind,
    Profile,
    close,
)
from privtopk.conformance.subjects.loading import AddressError
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.subject import Subject, python_subject
from privtopk.conformance.wire.messages import (
    PROTOCOL,
    Message,
    decode_message,
    decode_number,
    encode_message,
    encode_number,
)
from privtopk.conformance.wire.steps import error_fields, make_structure, step_answer
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind

VERSION: Final = "1"


WRONG_ADDRESS: Final = "wrong-address"
"""The reason of a child whose address leads to no subject."""


class SourceFailedError(OSError):
    """The list that the harness holds failed, or refused for a reason that has no name here."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def refusal_of(reason: str, message: str) -> SelectionError | SourceFailedError:
    """Return the error that a door of the harness would have raised in this process."""
    if reason in set(Reason):
        return SelectionError(Reason(reason), message)
    return SourceFailedError(reason, message)


def serve_address(address: str, kind: Kind | None, input: BinaryIO, output: BinaryIO) -> None:
    """Load a Python subject and serve it; if there is none, the answer to `start` says why."""
    try:
        subject = python_subject(address, kind)
    except AddressError as error:
        refuse_start(input, output, str(error))
    except (Exception, SystemExit) as error:
        refuse_start(input, output, f"{address}: {describe_error(error)}")
    else:
        Adapter(subject, input, output).serve()


def refuse_start(input: BinaryIO, output: BinaryIO, message: str) -> None:
    """Answer the first message with an error."""
    seq = decode_message(input.readline())["seq"]
    error = {"type": "error", "seq": seq, "reason": WRONG_ADDRESS, "message": message}
    output.write(encode_message(error))
    output.flush()


@dataclass(slots=True)
class Adapter:
    """A subject at the child's end of a wire."""

    subject: Subject
    input: BinaryIO
    output: BinaryIO
    _seq: int = 0
    _refusal: Exception | None = None
    """The last refusal of the harness during a selection."""

    _objects: dict[int, Any] = field(default_factory=dict)

    def serve(self) -> None:
        """Answer messages until `stop`, or until the input ends."""
        for message in self._messages():
            if message["type"] == "stop":
                break
            self._say(self._answer(message))
        self._forget([*self._objects])

    def _messages(self) -> Iterator[Message]:
        while line := self.input.readline():
            message = decode_message(line)
            self._seq = message["seq"]
            yield message

    def _say(self, message: Message) -> None:
        self.output.write(encode_message({**message, "seq": self._seq}))
        self.output.flush()

    def ask(self, message: Message) -> Message:
        """Ask the harness for something and return its answer."""
        self._say(message)
        answer = next(self._messages())
        if answer["type"] == "refused":
            self._refusal = refusal_of(answer["reason"], answer["message"])
            raise self._refusal
        return answer

    def _answer(self, message: Message) -> Message:
        answers: dict[str, Callable[[Message], Message]] = {
            "start": self._start,
            "run": self._run,
            "sample": self._sample,
            "rate": self._rate,
            "oracle": self._oracle,
        }
        self._refusal = None
        try:
            return answers[message["type"]](message)
        except NotImplementedError as error:
            return {"type": "skip", "reason": error_text(error)}
        except Exception as error:
            return {"type": "error", **error_fields(error), **self._cause_fields(error)}

    def _cause_fields(self, error: BaseException | None) -> Message:
        """Return the reason of the harness's refusal that caused an error, if one did."""
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            if error is self._refusal:
                return {"cause": str(getattr(error, "reason", ""))}
            seen.add(id(error))
            error = error.__cause__ or error.__context__
        return {}

    def _start(self, message: Message) -> Message:
        return {
            "type": "started",
            "protocol": PROTOCOL,
            "name": type(self.subject.thing).__name__,
            "version": VERSION,
            "language": "Python",
            "subjects": [offer_of(self.subject.abilities, self.subject.thing)],
        }

    def _run(self, message: Message) -> Message:
        question, thing = question_in(message["question"]), self.subject.thing
        scores = self._doors("scores", message["m"])
        match Profile(message["profile"]):
            case Profile.OWN_RANDOMNESS:
                items = self.subject.select(scores, question)
            case Profile.UNIFORMS_SERVED:
                items = thing.select_with_uniforms(scores, self._uniform, question)
            case Profile.NOISE_SERVED:
                noises = self._doors("noises", message["m"])
                items = thing.select_with_noise(scores, noises, question)
        return {"type": "items", "items": plain_items(items, question.k)}

    def _doors(self, name: str, size: int) -> Doors:
        def read_sorted(count: int) -> list[tuple[int, float]]:
            asked = {"type": "sorted", "list": name, "count": require_integer("count", count, 0)}
            return [(item, decode_number(value)) for item, value in self.ask(asked)["entries"]]

        def read_random(items: Sequence[int]) -> list[float]:
            wanted = [require_integer("item", item, -(2**63)) for item in items]
            asked = {"type": "random", "list": name, "items": wanted}
            return [decode_number(value) for value in self.ask(asked)["values"]]

        return Doors(size, read_sorted, read_random)

    def _uniform(self) -> float:
        uniforms: list[float] = self.ask({"type": "draw", "count": 1})["uniforms"]
        return uniforms[0]

    def _sample(self, message: Message) -> Message:
        question = question_in(message["question"])
        found = self.subject.sample(message["histogram"], question, message["trials"])
        return {
            "type": "samples",
            "selections": [plain_items(items, question.k) for items in found],
        }

    def _rate(self, message: Message) -> Message:
        rate = self.subject.rate(question_in(message["question"]), message["m"])
        return {"type": "declared", "rate": encode_number(rate)}

    def _oracle(self, message: Message) -> Message:
        self._forget(message.get("drop", ()))
        number, steps = message["object"], message["steps"]
        if "make" in message:
            kind = Kind(message["kind"])
            self._objects[number] = make_structure(self.subject.thing, kind, message["make"])
        structure = self._objects[number]
        answers = [step_answer(structure, *step) for step in steps]
        if [Extra.CLOSE] in steps:
            del self._objects[number]
        return {"type": "answers", "answers": answers}

    def _forget(self, numbers: Sequence[int]) -> None:
        """Drop structures and close those that are still open, whatever errors that raises."""
        for number in numbers:
            structure = self._objects.pop(number, None)
            with contextlib.suppress(Exception):
                close(structure)


def offer_of(abilities: Abilities, thing: object) -> Message:
    """Return the fields that describe a subject in the `started` message."""
    profiles = [profile.value for profile in abilities.profiles]
    if abilities.is_sampler:
        profiles[profiles.index(Profile.OWN_RANDOMNESS)] = "data-shown"
    declared = {name: getattr(abilities, name) for name in DECLARABLE}
    return {**declared, "profiles": profiles, "declares_rate": hasattr(thing, "rate")}


def question_in(fields: Message) -> Question:
    """Return the question of a message."""
    return Question(
        k=fields["k"],
        epsilon=decode_number(fields["epsilon"]),
        delta=decode_number(fields["delta"]),
        noise=NoiseKind(fields["noise"]),
        relation=Relation(fields["relation"]),
        is_ranked=fields["ranked"],
    )
