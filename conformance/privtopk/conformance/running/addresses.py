"""Finds the subject at an address: a Python object, or one that a child process serves."""

from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.loading import command_of
from privtopk.conformance.subjects.subject import Subject, python_subject
from privtopk.conformance.wire.remote import remote_subject


def subject_at(address: str, kind: Kind | None = None) -> Subject:
    """Return the subject at an address `python:module:attribute` or `stdio:command`."""
    command = command_of(address)
    if command is not None:
        return Subject(*remote_subject(command, kind))
    return python_subject(address, kind)
