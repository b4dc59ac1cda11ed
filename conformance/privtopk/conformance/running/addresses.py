"""Finds the subject at an address: in a process of its own, or in this one if that is asked."""

from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.loading import command_of, parts_of
from privtopk.conformance.subjects.subject import Subject, python_subject
from privtopk.conformance.wire.origin import ChildOrigin
from privtopk.conformance.wire.remote import remote_subject


def origin_of(address: str, kind: Kind | None = None) -> ChildOrigin:
    """Return where the child of a subject comes from; a command tells the kinds that it offers."""
    if command_of(address) is not None:
        return ChildOrigin(address)
    parts_of(address)
    return ChildOrigin(address, kind)


def subject_at(address: str, kind: Kind | None = None, *, is_in_process: bool = False) -> Subject:
    """Return the subject at an address `python:module:attribute` or `stdio:command`.

    In process, a Python subject is imported into this process, where it can do what it likes.
    """
    origin = origin_of(address, kind)
    if is_in_process and origin.is_python:
        return python_subject(address, kind)
    return Subject(*remote_subject(origin, kind))
