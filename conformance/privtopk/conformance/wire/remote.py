"""The subjects that a child process offers."""

from functools import lru_cache
from typing import Any, Final

from privtopk.conformance.subjects.kinds import Abilities, Extra, Kind, Profile, abilities_from
from privtopk.conformance.wire.faults import ProtocolError
from privtopk.conformance.wire.messages import Message
from privtopk.conformance.wire.remote_objects import maker
from privtopk.conformance.wire.remote_selector import RemoteSelector
from privtopk.conformance.wire.session import ChildSession

DATA_SHOWN: Final = "data-shown"
"""The profile of a selector that answers `sample` in place of `run`."""


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


@lru_cache(maxsize=16)
def session_of(command: str) -> ChildSession:
    """Return the session with a command; each process has its own child."""
    return ChildSession(command)


def remote_subject(command: str, kind: Kind | None) -> tuple[Any, Abilities]:
    """Return the first subject of a kind that a child offers, or the first of all."""
    session = session_of(command)
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
