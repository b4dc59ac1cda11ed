"""How a command ends: each error that is not a bug of ours is one line and an exit code."""

import contextlib
import os
import sys
from collections.abc import Callable
from typing import Final

from privtopk.conformance.subjects.calls import AdapterError
from privtopk.conformance.subjects.loading import AddressError
from privtopk.conformance.writing import printable

UNDECIDED: Final = 2
INTERRUPTED: Final = 130
"""What a shell reports of a command that an interrupt has ended."""

CLOSED_PIPE: Final = 141
"""What a shell reports of a command whose reader has gone away."""


def exit_code_of(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; errors are printed on the error stream."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that knows ASCII only shows other characters by their numbers.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = command()
        sys.stdout.flush()
    except (AddressError, AdapterError) as error:
        return report_end(UNDECIDED, str(error))
    except KeyboardInterrupt:
        return report_end(INTERRUPTED, "interrupted")
    except BrokenPipeError:
        discard_output()
        return CLOSED_PIPE
    except OSError as error:
        discard_output()
        return report_end(UNDECIDED, str(error))
    return code


def report_end(code: int, text: str) -> int:
    """Print why a command ends, in one line, and return its exit code."""
    line = " ".join(printable(text).split("\n"))
    with contextlib.suppress(OSError):
        print(f"privtopk-conformance: {line}", file=sys.stderr, flush=True)
    return code


def discard_output() -> None:
    """Send what is left to print nowhere, so that the interpreter can end without an error."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
