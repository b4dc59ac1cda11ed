"""Facts about the parser of command lines."""

import pytest

from privtopk.spec.console.arguments import CommandParser


def test_an_error_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """An argument that an error repeats is escaped, also in a subcommand."""
    parser = CommandParser(prog="try")
    parser.add_subparsers().add_parser("this")
    with pytest.raises(SystemExit, match=r"^2$"):
        parser.parse_args(["this", "\x1b[2J\nthat"])
    assert capsys.readouterr().err == (
        "try: unrecognized arguments: \\x1b[2J\\nthat; see try --help\n"
    )
