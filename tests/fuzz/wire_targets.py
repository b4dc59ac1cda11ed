"""The wire protocol: lines, whole sessions with a hostile child, and the adapter."""

import atexit
import io
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from fuzz.properties import require_line
from privtopk.conformance.subjects.calls import AdapterError, RemoteError
from privtopk.conformance.subjects.doors import Doors, open_doors
from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind, Profile, abilities_of
from privtopk.conformance.subjects.question import Question
from privtopk.conformance.subjects.scores import ListedScores
from privtopk.conformance.subjects.subject import Subject
from privtopk.conformance.wire import remote, session
from privtopk.conformance.wire.adapter import Adapter
from privtopk.conformance.wire.faults import ProtocolError
from privtopk.conformance.wire.messages import decode_message, encode_message
from privtopk.conformance.wire.origin import ChildOrigin
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind

QUESTION = Question(2, 1.0, 0.0, NoiseKind.GUMBEL, Relation.ADD_REMOVE, True)
SCORES = (5, 3, 3, 0)
ORIGIN = ChildOrigin("stdio:a child")


def wire_message(data: bytes) -> None:
    """A line is a message that can be sent again, or breaks the protocol."""
    try:
        message = decode_message(data)
    except ProtocolError as error:
        require_line(str(error))
        return
    assert decode_message(encode_message(message)) == message


class ScriptedChild:
    """A child that sends given lines, whatever it hears."""

    lines: list[bytes]

    def __init__(self, command: str) -> None:
        self.has_spoken = False

    def send(self, line: bytes, seconds: float) -> None:
        """Hear a line."""
        decode_message(line)

    def receive(self, seconds: float) -> bytes:
        """Say the next line, or end."""
        if not self.lines:
            raise ProtocolError("the child ended with exit code 0 and gave no answer")
        return self.lines.pop(0) + b"\n"

    def kill(self) -> None:
        """End."""

    end = kill

    def dismiss(self, line: bytes) -> None:
        """Hear the last line."""
        decode_message(line)


def wire_session(data: bytes) -> None:
    """A child that sends any lines is answered, or breaks the protocol; no other error occurs."""
    ScriptedChild.lines = data.split(b"\n")
    with patch.object(session, "Child", ScriptedChild):
        talk = session.ChildSession(ORIGIN)
        try:
            with patch.object(remote, "session_of", lambda command: talk):
                use(*remote.remote_subject(ORIGIN, None))
        except (AdapterError, RemoteError) as error:
            require_text(error)
        except NotImplementedError:
            pass
        finally:
            talk.close()
            atexit.unregister(talk.close)


def require_text(error: Exception) -> None:
    """Require that an error has a text; one of the implementation may have any."""
    if isinstance(error, AdapterError):
        require_line(str(error))


def use(thing: Any, abilities: Abilities) -> None:
    """Call everything that a child offers, as the requirements do."""
    uses: dict[Kind, Callable[..., None]] = {
        Kind.SELECTOR: use_selector,
        Kind.NOISE_ORACLE: use_noise_list,
        Kind.ORDER_STATISTICS: use_order_statistics,
        Kind.NOISE_SAMPLER: use_sampler,
        Kind.PREDECESSOR_INDEX: use_index,
        Kind.SOURCE: use_source,
    }
    uses[abilities.kind](thing, abilities)


def doors() -> Doors:
    """Return the doors of a small list."""
    return open_doors(ListedScores(SCORES))[0]


def use_selector(thing: Any, abilities: Abilities) -> None:
    """Select by every profile, and ask for the rate."""
    if abilities.is_sampler:
        thing.sample(SCORES, QUESTION, 2)
        return
    if thing.rate is not None:
        thing.rate(QUESTION, len(SCORES))
    thing.select(doors(), QUESTION)
    if Profile.UNIFORMS_SERVED in abilities.profiles:
        thing.select_with_uniforms(doors(), lambda: 0.5, QUESTION)
    if Profile.NOISE_SERVED in abilities.profiles:
        thing.select_with_noise(doors(), doors(), QUESTION)


def use_noise_list(make: Any, abilities: Abilities) -> None:
    """Read a noise list through both doors."""
    noises = make(4, 1.0, NoiseKind.GUMBEL)
    noises.sorted_access()
    noises.random_access(1)


def use_order_statistics(make: Any, abilities: Abilities) -> None:
    """Ask for one position."""
    make(4, 1.0, NoiseKind.GUMBEL).value(1)


def use_sampler(draw: Any, abilities: Abilities) -> None:
    """Draw some noise."""
    draw(1.0, NoiseKind.LAPLACE, 3)


def use_index(make: Any, abilities: Abilities) -> None:
    """Add a key and look for neighbours."""
    index = make(16)
    index.insert(3)
    assert isinstance(3 in index, bool)
    index.predecessor(5)
    index.successor(2)


def use_source(make: Any, abilities: Abilities) -> None:
    """Read a source through both doors, with every extra that it offers."""
    source = make(SCORES)
    assert isinstance(source.size, int)
    source.top(0, 3)
    source.scores([1, 2])
    if Extra.NAME in abilities.extras:
        source.name(1)
    if Extra.REWRITE in abilities.extras:
        source.rewrite(SCORES)
    if Extra.CLOSE in abilities.extras:
        source.close()


class Obliging:
    """A selector that answers everything at once."""

    def select(self, scores: Doors, question: Question) -> list[int]:
        """Read a little through both doors."""
        scores.top(2)
        scores.values([1])
        return [1, 2]

    def select_with_uniforms(
        self, scores: Doors, uniform: Callable[[], float], question: Question
    ) -> list[int]:
        """Ask for a coin."""
        uniform()
        return [1]

    def select_with_noise(self, scores: Doors, noises: Doors, question: Question) -> list[int]:
        """Read the noises."""
        return [item for item, _ in noises.top(1)]

    def sample(
        self, histogram: tuple[int, ...], question: Question, trials: int
    ) -> list[list[int]]:
        """Return no selection."""
        return []


def wire_adapter(data: bytes) -> None:
    """Any lines from a harness are answered with messages, or break the protocol."""
    output = io.BytesIO()
    try:
        Adapter(Subject(Obliging(), abilities_of(Obliging())), io.BytesIO(data), output).serve()
    except ProtocolError as error:
        require_line(str(error))
    for line in output.getvalue().splitlines(keepends=True):
        decode_message(line)
