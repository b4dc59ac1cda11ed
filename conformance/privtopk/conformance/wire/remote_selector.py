"""A selector in a child process: serves what it asks for, and returns what it answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from privtopk.conformance.subjects.calls import RemoteError
from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import Profile
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.wire.conversation import REFUSALS, require_answer
from privtopk.conformance.wire.messages import Message, decode_number, encode_number
from privtopk.conformance.wire.session import ChildSession
from privtopk.spec.model.errors import SelectionError

ASKS: Final = frozenset({"sorted", "random", "draw"})
"""The messages that a child may send before it answers."""

SOURCE_FAILED: Final = "source-failed"
"""The reason that is sent if a door fails, which is no fault of the child."""


def question_fields(question: Question) -> Message:
    """Return the fields of a question."""
    return {
        "k": question.k,
        "epsilon": encode_number(question.epsilon),
        "delta": encode_number(question.delta),
        "noise": question.noise.value,
        "relation": question.relation.value,
        "ranked": question.is_ranked,
    }


@dataclass(slots=True)
class _Served:
    """Serves what a child asks for during one selection."""

    session: ChildSession
    lists: Mapping[str, Doors]
    uniform: Callable[[], float] | None = None
    refusal: Exception | None = None
    """The last error that a door raised."""

    reason: str = ""
    """The reason that was sent for it."""

    def answer(self, ask: Message) -> Message:
        """Return what was asked for, or a refusal."""
        try:
            return self._reply(ask)
        except SelectionError as error:
            self.refusal, self.reason = error, error.reason.value
        except OSError as error:
            self.refusal, self.reason = error, SOURCE_FAILED
        return {"type": "refused", "reason": self.reason, "message": str(self.refusal)}

    def outcome(self, said: Message) -> Message:
        """Return the answer of a selection; an error that names a refusal has it as its cause."""
        try:
            return require_answer(said)
        except RemoteError as error:
            named = (said["reason"], said.get("cause"))
            raise error from (self.refusal if self.reason in named else None)

    def _reply(self, ask: Message) -> Message:
        if ask["type"] == "draw":
            if self.uniform is None:
                raise self.session.fault("the child asked for coins that are not served to it")
            uniforms = [self.uniform() for _ in range(ask["count"])]
            return {"type": "uniforms", "uniforms": uniforms}
        doors = self._list(ask.get("list", "scores"))
        if ask["type"] == "sorted":
            entries = [[item, encode_number(value)] for item, value in doors.top(ask["count"])]
            return {"type": "entries", "entries": entries}
        return {"type": "values", "values": [*map(encode_number, doors.values(ask["items"]))]}

    def _list(self, name: str) -> Doors:
        if name not in self.lists:
            raise self.session.fault(f"the child asked for the {name}, which are not served to it")
        return self.lists[name]


class RemoteSelector:
    """A selector in a child process."""

    def __init__(self, session: ChildSession, *, declares_rate: bool) -> None:
        """Take the session, and whether the selector declares the rate of its noise."""
        self._session = session
        self.rate = self._declared_rate if declares_rate else None

    def select(self, scores: Doors, question: Question) -> Sequence[int]:
        """Select with the coins of the child."""
        return self._run(
            Profile.OWN_RANDOMNESS, question, _Served(self._session, {"scores": scores})
        )

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> Sequence[int]:
        """Select with served coins."""
        return self._run(
            Profile.UNIFORMS_SERVED, question, _Served(self._session, {"scores": scores}, uniform)
        )

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> Sequence[int]:
        """Select with a served noise list."""
        served = _Served(self._session, {"scores": scores, "noises": noises})
        return self._run(Profile.NOISE_SERVED, question, served)

    def sample(
        self, histogram: Sequence[int], question: Question, trials: int
    ) -> Sequence[Sequence[int]]:
        """Return one selection per trial from a histogram that the child is shown."""
        message = {"type": "sample", "histogram": [*histogram], "trials": trials}
        answer = self._ask(message, question, "samples")
        return [[*map(int, selection)] for selection in answer["selections"]]

    def _declared_rate(self, question: Question, m: int) -> float:
        return decode_number(self._ask({"type": "rate", "m": m}, question, "declared")["rate"])

    def _ask(self, message: Message, question: Question, answer: str) -> Message:
        message["question"] = question_fields(question)
        with self._session.conversation():
            said = self._session.say(message, {answer} | REFUSALS)
        return require_answer(said)

    def _run(self, profile: Profile, question: Question, served: _Served) -> Sequence[int]:
        expected = ASKS | REFUSALS | {"items"}
        message = {
            "type": "run",
            "profile": profile.value,
            "m": served.lists["scores"].size,
            "question": question_fields(question),
        }
        with self._session.conversation():
            said = self._session.say(message, expected)
            while said["type"] in ASKS:
                said = self._session.say(served.answer(said), expected)
        return [*map(int, served.outcome(said)["items"])]
