"""Structures in a child process: made there, called step by step, and dropped."""

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind
from privtopk.conformance.wire.conversation import REFUSALS, failure, require_answer
from privtopk.conformance.wire.faults import ProtocolError
from privtopk.conformance.wire.messages import Message, decode_number, encode_number
from privtopk.conformance.wire.session import ChildSession
from privtopk.spec.noise.distributions import NoiseKind


class RemoteObject:
    """A structure in a child process; its first step creates it there."""

    kind: Kind

    def __init__(self, session: ChildSession, make: Message) -> None:
        """Take the fields from which the child makes it."""
        self._session = session
        self._make: Message | None = make
        self._generation = 0
        self._number = session.new_object()
        weakref.finalize(self, session.forget_object, self._number)

    def step(self, *step: object) -> Any:
        """Send one step and return its answer."""
        answers = self._answers([step])
        if len(answers) != 1:
            raise self._session.fault(f"the child gave {len(answers)} answers to 1 step")
        (answer,) = answers
        if isinstance(answer, dict) and "error" in answer:
            raise failure(answer["error"])
        return answer

    def _answers(self, steps: list[Any]) -> list[Any]:
        message: Message = {
            "type": "oracle",
            "kind": self.kind.value,
            "object": self._number,
            "steps": steps,
            "drop": self._session.forgotten_objects(),
        }
        with self._session.conversation():
            if self._make is not None:
                message["make"] = self._make
            elif self._generation != self._session.generation:
                raise ProtocolError("the child that held this object has ended")
            said = self._session.say(message, {"answers"} | REFUSALS)
        self._make, self._generation = None, self._session.generation
        found: list[Any] = require_answer(said)["answers"]
        return found

    def pair(self, *step: object) -> tuple[int, float]:
        """Send a step whose answer is an item and its value."""
        answer = self.step(*step)
        if not (isinstance(answer, list) and len(answer) == 2):
            raise self._misfit(step, "[item, value]", answer)
        return self._integer(step, answer[0]), decode_number(answer[1])

    def number(self, *step: object) -> float:
        """Send a step whose answer is a number."""
        answer = self.step(*step)
        if isinstance(answer, list | dict | bool) or answer is None:
            raise self._misfit(step, "a number", answer)
        return decode_number(answer)

    def key(self, *step: object) -> int | None:
        """Send a step whose answer is a key or nothing."""
        answer = self.step(*step)
        return None if answer is None else self._integer(step, answer)

    def sequence(self, *step: object) -> list[Any]:
        """Send a step whose answer is a list."""
        answer = self.step(*step)
        if not isinstance(answer, list):
            raise self._misfit(step, "an array", answer)
        return answer

    def _integer(self, step: Sequence[object], value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self._misfit(step, "a whole number", value)
        return int(value)

    def _misfit(self, step: Sequence[object], wanted: str, answer: object) -> BaseException:
        """Return the error for an answer of the wrong type."""
        return self._session.fault(f"the child must answer {[*step]} with {wanted}, got {answer!r}")


class RemoteNoiseList(RemoteObject):
    """A noise list with both doors."""

    kind = Kind.NOISE_ORACLE

    def sorted_access(self) -> tuple[int, float]:
        """Return the next item by descending noise, with its noise."""
        return self.pair("sorted")

    def random_access(self, item: int) -> float:
        """Return the noise of an item."""
        return self.number("random", item)


class RemoteOrderedNoise(RemoteObject):
    """The order statistics of a noise list."""

    kind = Kind.ORDER_STATISTICS

    def value(self, position: int) -> float:
        """Return the noise at a position."""
        return self.number("value", position)


class RemoteSampler(RemoteObject):
    """A generator of noise."""

    kind = Kind.NOISE_SAMPLER

    def draw(self, n: int) -> list[float]:
        """Return n fresh values."""
        return [decode_number(value) for value in self.sequence("draw", n)]


class RemoteIndex(RemoteObject):
    """A growing set of integers."""

    kind = Kind.PREDECESSOR_INDEX

    def insert(self, key: int) -> None:
        """Add a key."""
        self.step("insert", key)

    def __contains__(self, key: int) -> bool:
        return bool(self.step("contains", key))

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        return self.key("predecessor", key)

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        return self.key("successor", key)

    def minimum(self) -> int | None:
        """Return the smallest member, or None."""
        return self.key("minimum")

    def maximum(self) -> int | None:
        """Return the largest member, or None."""
        return self.key("maximum")

    def check(self) -> None:
        """Raise if an invariant is broken."""
        self.step("check")


class RemoteSource(RemoteObject):
    """A score list of a database."""

    kind = Kind.SOURCE

    @property
    def size(self) -> int:
        """The number m of items."""
        return self._integer(("size",), self.step("size"))

    def top(self, start: int, count: int) -> list[tuple[int, int]]:
        """Return the entries at the ranks from start on."""
        step = ("top", start, count)
        entries = self.sequence(*step)
        if not all(isinstance(entry, list) for entry in entries):
            raise self._misfit(step, "an array of [item, score]", entries)
        return [(self._integer(step, item), score) for item, score in entries]

    def scores(self, items: Sequence[int]) -> list[int]:
        """Return the scores of the items, in their order."""
        return self.sequence("scores", [*items])

    def name(self, item: int) -> str | int:
        """Return the owner's name of an item."""
        answer = self.step("name", item)
        if not isinstance(answer, dict):
            raise self._misfit(("name", item), "an object with a name", answer)
        name: str | int = answer["name"]
        return name

    def rewrite(self, histogram: Sequence[int]) -> bool:
        """Store other scores, and return whether that was possible."""
        return self.step("rewrite", [*histogram]) is not False


class ClosableSource(RemoteSource):
    """A score list of a database that is closed after use."""

    def close(self) -> None:
        """End its use."""
        self.step("close")


@dataclass(frozen=True, slots=True)
class RemoteSources:
    """Makes sources in a child process."""

    session: ChildSession
    source: type[RemoteSource]

    def __call__(self, histogram: Sequence[int]) -> RemoteSource:
        """Return a fresh source."""
        return self.source(self.session, {"histogram": [*histogram]})

    def named(self, names: Sequence[str | int], histogram: Sequence[int]) -> RemoteSource:
        """Return a fresh source whose items have names."""
        return self.source(self.session, {"names": [*names], "histogram": [*histogram]})


def maker(session: ChildSession, abilities: Abilities) -> Callable[..., Any]:
    """Return a function that makes the offered structures; it is called like a Python subject."""

    def of_noise(made: Callable[[ChildSession, Message], Any]) -> Callable[..., Any]:
        return lambda m, rate, noise: made(
            session,
            {"m": encode_number(m), "rate": encode_number(rate), "noise": NoiseKind(noise).value},
        )

    def draw(rate: float, noise: NoiseKind, n: int) -> list[float]:
        make = {"rate": encode_number(rate), "noise": NoiseKind(noise).value}
        return RemoteSampler(session, make).draw(n)

    makers: dict[Kind, Callable[..., Any]] = {
        Kind.NOISE_ORACLE: of_noise(RemoteNoiseList),
        Kind.ORDER_STATISTICS: of_noise(RemoteOrderedNoise),
        Kind.NOISE_SAMPLER: draw,
        Kind.PREDECESSOR_INDEX: lambda universe: RemoteIndex(session, {"universe": universe}),
        Kind.SOURCE: RemoteSources(
            session, ClosableSource if Extra.CLOSE in abilities.extras else RemoteSource
        ),
    }
    return makers[abilities.kind]
