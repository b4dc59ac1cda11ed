"""How a program ends: one line on the error stream and an exit code, never a traceback."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from privtopk.spec.console.escaping import printable

FAILED: Final = 2
INTERRUPTED: Final = 130
CLOSED_PIPE: Final = 141
"""What a shell reports for a program that SIGINT or SIGPIPE ended: 128 plus the signal."""


def run_program(name: str, command: Callable[[], int], *refusals: type[Exception]) -> int:
    """Run a command and return its exit code, or that of the error that ended it.

    A refusal is an exception whose text is meant for the user.
    """
    prepare_streams()
    expected: tuple[type[Exception], ...] = (OSError, MemoryError, *refusals)
    try:
        try:
            return command()
        finally:
            flush_output()
    except BrokenPipeError:
        _drop_output(sys.stdout)
        return CLOSED_PIPE
    except KeyboardInterrupt:
        print_error(name, "interrupted")
        return INTERRUPTED
    except expected as error:
        print_error(name, error_text(error))
        return FAILED


def prepare_streams() -> None:
    """Replace closed streams, and let the output escape what its encoding does not have.

    The output is buffered, also with PYTHONUNBUFFERED: argparse hides errors of direct writes.

    `print(..., file=None)` prints to the standard output. So with a closed error stream, what is
    not private would be published.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace", write_through=False)


def flush_output() -> None:
    """Write what is still in the buffer; an error names the standard output."""
    try:
        sys.stdout.flush()
    except OSError as error:
        error.filename = "standard output"
        _drop_output(sys.stdout)
        raise


def print_error(name: str, text: str) -> None:
    """Print one line to the error stream; if that is full, the exit code has to be enough."""
    try:
        print(f"{name}: {printable(text)}", file=sys.stderr, flush=True)
    except OSError:
        _drop_output(sys.stderr)


def error_text(error: Exception) -> str:
    """Return what happened, for people."""
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return "not enough memory" if isinstance(error, MemoryError) else str(error)


def _drop_output(stream: TextIO) -> None:
    """Connect a stream that failed with the null device: Python flushes it again at exit."""
    with suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
