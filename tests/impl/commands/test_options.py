"""Facts about options: numbers are exact, and errors are one line."""

from fractions import Fraction

import pytest

from privtopk.impl.commands.cli import main
from privtopk.impl.commands.options import number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        ("-2/4", Fraction(-1, 2)),
        ("1e-6", Fraction(1, 10**6)),
        ("inf", float("inf")),
        ("1e99999999", float("inf")),
    ],
)
def test_numbers_are_what_was_written(text: str, value: object) -> None:
    """Decimal and common fractions are exact; a huge exponent is not written out."""
    assert number(text) == value


@pytest.mark.parametrize("command", ["plan", "select"])
@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--epsilon", "1/0", "1/0 divides by 0"),
        ("--epsilon", "1/x", "a number such as 0.1, 1e-6 or 1/10 is required, got '1/x'"),
        ("--delta", "few", "a number such as 0.1, 1e-6 or 1/10 is required, got 'few'"),
        ("-k", "1e3", "invalid int value: '1e3'"),
    ],
)
def test_bad_numbers_are_refused_with_one_line(
    capsys: pytest.CaptureFixture[str], command: str, option: str, text: str, message: str
) -> None:
    """The error names the option and says what is allowed; the exit code is 2."""
    with pytest.raises(SystemExit) as caught:
        main([command, option, text])
    assert caught.value.code == 2
    assert capsys.readouterr() == (
        "",
        f"privtopk: argument {option}: {message}; see privtopk {command} --help\n",
    )
