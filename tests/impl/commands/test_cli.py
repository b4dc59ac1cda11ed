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
        (["-k", "1", "--epsilon", "0"], "epsilon must be positive and finite, got 0"),
        (["-k", "1", "--epsilon", "nan"], "epsilon must be a number, got nan"),
        (
            ["-k", "1", "--epsilon", "1", "--delta", "1"],
            "delta must be at least 0 and below 1, got 1",
        ),
        (
            ["-k", "1", "--epsilon", "1", "--random-cost", "-1"],
            "random_cost must be positive and finite, got -1",
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "1e99999999"], "epsilon must be positive and finite, got inf"),
        (["--epsilon", "1e-99999999"], "epsilon must be positive and finite, got 0"),
        (["--epsilon", "5e-324"], "total_epsilon=5e-324 is too small to be shared by k=2 items"),
        (["-m", "1" + "0" * 21], f"m must be between 1 and {2**62}, got {10**21}"),
        (["-k", "1" + "0" * 21], f"k must be between 1 and m=10, got {10**21}"),
        (
            ["-m", "1" + "0" * 18, "-k", "1" + "0" * 12],
            f"a plan needs k of at most 100000000, got {10**12}",
        ),
        (
            ["--random-cost", "1e300"],
            f"random_cost must be between 1e-100 and 1e+100, got {10**300}",
        ),
    ],
)
def test_huge_numbers_are_refused_at_once(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Numbers too large to plan with, or to write out, are refused with one line."""
    assert main(["plan", "-m", "10", "-k", "2", "--epsilon", "1", *arguments]) == 2
    assert capsys.readouterr() == ("", f"privtopk: {message}\n")


def test_a_plan_takes_exact_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """Budgets and prices may be fractions, as in `select`; the printed epsilon is rounded up."""
    arguments = ["-m", "1000", "-k", "5", "--epsilon", "1/3", "--sorted-cost", "1/7"]
    assert main(["plan", *arguments]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "guarantee        epsilon 0.333334, delta 0"
