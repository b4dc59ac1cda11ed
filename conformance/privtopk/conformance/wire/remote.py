"""The subjects that a child process offers."""

import threading
from typing import Any, Final

from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind, Profile, abilities_from
from privtopk.conformance.wire.faults import ProtocolError
from privtopk.conformance.wire.messages import Message
from privtopk.conformance.wire.origin import ChildOrigin
from privtopk.conformance.wire.remote_objects import maker
from privtopk.conformance.wire.remote_selector import RemoteSelector
from privtopk.conformance.wire.session import ChildSession

DATA_SHOWN: Final = "data-shown"
"""The profile of a selector that answers `sample` in place of `run`."""

KEPT: Final = 4
"""The number of children that a process keeps; one that is needed again is started again."""


def abilities_in(offer: Message) -> Abilities:
    """Return what a child declares about one of its subjects; unknown names are ignored."""
    named = offer.get("profiles", [Profile.OWN_RANDOMNESS.value])
    known = [profile for profile in Profile if profile.value in named]
    is_sampler = DATA_SHOWN in named and Profile.OWN_RANDOMNESS not in known
    if is_sampler:
        known.append(Profile.OWN_RANDOMNESS)
    if not known:
        raise ProtocolError(f"the child offers no profile that is known here: {', '.join(named)}")
    extras = [extra for extra in Extra if extra.value in offer.get("extras", ())]
    return abilities_from({**offer, "extras": extras}, known, is_sampler=is_sampler)


class _Sessions:
    """The sessions of this process, the one used last at the end; each has its own child."""

    def __init__(self) -> None:
        self._sessions: dict[ChildOrigin, ChildSession] = {}
        self._lock = threading.Lock()

    def session_of(self, origin: ChildOrigin) -> ChildSession:
        """Return the session of an origin; the child of one that was not used for long ends."""
        with self._lock:
            session = self._sessions.pop(origin, None) or ChildSession(origin)
            self._sessions[origin] = session
        self.close(KEPT)
        return session

    def close(self, kept: int) -> None:
        """End the children of all sessions but some that were used last."""
        with self._lock:
            old = [*self._sessions][: max(0, len(self._sessions) - kept)]
            ended = [self._sessions.pop(one) for one in old]
        for one in ended:
            one.close()


_sessions: Final = _Sessions()


def session_of(origin: ChildOrigin) -> ChildSession:
    """Return the session with a child of an origin."""
    return _sessions.session_of(origin)


def close_sessions() -> None:
    """Let all children of this process end."""
    _sessions.close(0)


def remote_subject(origin: ChildOrigin, kind: Kind | None) -> tuple[Any, Abilities]:
    """Return the first subject of a kind that a child offers, or the first of all."""
    session = session_of(origin)
    offers = session.introduction["subjects"]
    chosen = next((offer for offer in offers if kind in (None, offer["kind"])), None)
    if chosen is None:
        offered = ", ".join(offer["kind"] for offer in offers)
        raise ProtocolError(f"the child offers no {kind}; it offers {offered}")
    abilities = abilities_in(chosen)
    if abilities.kind is Kind.SELECTOR:
        declares = chosen.get("declares_rate", False)
        return RemoteSelector(session, declares_rate=declares), abilities
    return maker(session, abilities), abilities
