"""What the command `privtopk` prints."""

import json

import pytest

from privtopk.impl.commands.cli import main


def test_plan_prints_text(capsys: pytest.CaptureFixture[str]) -> None:
    """`plan` prints a table of figures."""
    assert main(["plan", "-m", "1000", "-k", "5", "--epsilon", "1"]) == 0
    assert capsys.readouterr().out.startswith("items            5 of 1,000\n")


def test_plan_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`plan --json` prints the figures as JSON."""
    arguments = ["plan", "-m", "1000", "-k", "5", "--epsilon", "1", "--noise", "laplace", "--json"]
    assert main(arguments) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["m"], printed["noise"], printed["guarantee"]["epsilon"]) == (
        1000,
        "laplace",
        1.0,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-k", "11", "--epsilon", "1"], "k must be between 1 and m=10, got 11"),
        (["-k", "1", "--epsilon", "0"], "epsilon must be positive and finite, got 0.0"),
        (["-k", "1", "--epsilon", "nan"], "epsilon must be a number, got nan"),
        (
            ["-k", "1", "--epsilon", "1", "--delta", "1"],
            "delta must be at least 0 and below 1, got 1.0",
        ),
        (
            ["-k", "1", "--epsilon", "1", "--random-cost", "-1"],
            "random_cost must be positive and finite, got -1.0",
        ),
    ],
)
def test_bad_parameters_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """The error stream names an invalid parameter, and the exit code is 2."""
    assert main(["plan", "-m", "10", *arguments]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"privtopk: {message}\n")


def test_a_command_is_required() -> None:
    """A missing subcommand is an error."""
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
