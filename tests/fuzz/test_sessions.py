"""Whole sessions of the oracle with hostile child processes, from the corpus of sessions."""

import shlex
import sys
from pathlib import Path

import pytest

from fuzz.properties import require_line
from fuzz.targets import TARGETS
from fuzz.wire_targets import use
from privtopk.conformance.running.addresses import subject_at
from privtopk.conformance.subjects.calls import AdapterError, RemoteError

CHILD = Path(__file__).with_name("lines_child.py")
SESSIONS = sorted(TARGETS["wire_session"].corpus.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_a_session_with_a_process(path: Path) -> None:
    """A process that sends these lines is answered, or breaks the protocol; nothing hangs."""
    try:
        subject = subject_at("stdio:" + shlex.join([sys.executable, "-I", str(CHILD), str(path)]))
        use(subject.thing, subject.abilities)
    except AdapterError as error:
        require_line(str(error))
    except (RemoteError, NotImplementedError):
        pass
