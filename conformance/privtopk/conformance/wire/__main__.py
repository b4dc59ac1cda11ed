"""`python -m privtopk.conformance.wire SUBJECT [KIND]`: a Python subject as a child process."""

import os
import sys
from collections.abc import Sequence

from privtopk.conformance.subjects.extras import installation_advice
from privtopk.conformance.subjects.kinds import Kind
from privtopk.conformance.subjects.loading import AddressError


def main(arguments: Sequence[str]) -> int:
    """Serve a Python subject over the standard streams, and return the exit code."""
    if len(arguments) not in (1, 2):
        print("usage: python -m privtopk.conformance.wire SUBJECT [KIND]", file=sys.stderr)
        return 2
    try:
        from privtopk.conformance.subjects.subject import python_subject
        from privtopk.conformance.wire.adapter import Adapter
    except ModuleNotFoundError as error:
        print(installation_advice(error, "conformance"), file=sys.stderr)
        return 2
    address, *kind = arguments
    # What the subject prints must not reach the wire.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        subject = python_subject(address, Kind(kind[0]) if kind else None)
    except (AddressError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    Adapter(subject, sys.stdin.buffer, output).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
