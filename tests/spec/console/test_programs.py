"""Facts about how a program ends."""

import io
import sys

import pytest

from privtopk.spec.console.programs import run_program


def ending(error: BaseException, *refusals: type[Exception]) -> int:
    """Return the exit code of a program that raises an error."""

    def fail() -> int:
        raise error

    return run_program("program", fail, *refusals)


class RefusedError(Exception):
    """An error whose text is for the user."""


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (RefusedError("k is \x1b[2J"), 2, "program: k is \\x1b[2J\n"),
        (
            PermissionError(13, "Permission denied", "a\nb"),
            2,
            "program: a\\nb: Permission denied\n",
        ),
        (OSError(28, "No space left on device"), 2, "program: No space left on device\n"),
        (OSError("one line only"), 2, "program: one line only\n"),
        (MemoryError(), 2, "program: not enough memory\n"),
        (KeyboardInterrupt(), 130, "program: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
    ],
)
def test_an_error_is_a_line_and_a_code(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, line: str
) -> None:
    """Each error has its exit code and its line on the error stream."""
    assert (ending(error, RefusedError), capsys.readouterr().err) == (code, line)


def test_a_defect_is_not_hidden() -> None:
    """An exception that nobody expects keeps its traceback."""
    with pytest.raises(ZeroDivisionError):
        ending(ZeroDivisionError(), RefusedError)


def test_a_closed_error_stream_prints_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is meant for a closed error stream does not go to the standard output."""
    monkeypatch.setattr(sys, "stderr", None)

    def leak() -> int:
        print("secret", file=sys.stderr)
        return 0

    assert (run_program("program", leak), capsys.readouterr().out) == (0, "")
    sys.stderr.close()


def test_the_output_escapes_what_it_cannot_encode(monkeypatch: pytest.MonkeyPatch) -> None:
    """On an ASCII terminal a letter that ASCII lacks is printed as an escape."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))

    def greet() -> int:
        print("café")
        return 0

    assert (run_program("program", greet), raw.getvalue()) == (0, b"caf\\xe9\n")
