"""What the command `privtopk-conformance` prints, writes and returns."""

import json
from pathlib import Path

import pytest

from privtopk.conformance.commands.cli import main

SHAPE = ["--only", "selector.shape", "--quiet"]


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run the command and return its exit code and what it prints."""
    code = main(arguments)
    return code, capsys.readouterr().out


def test_a_conforming_subject_returns_0(capsys: pytest.CaptureFixture[str]) -> None:
    """`run` prints the verdicts, and returns 0 for a conforming subject."""
    code, text = run_command(capsys, "run", "python:wrong_subjects:right", *SHAPE)
    assert code == 0
    assert "selector.shape" in text


def test_a_wrong_subject_returns_1(capsys: pytest.CaptureFixture[str]) -> None:
    """`run` prints the failure with the command that replays it, and returns 1."""
    code, text = run_command(capsys, "run", "python:wrong_subjects:stringy", *SHAPE)
    assert code == 1
    assert "must return a sequence of items, got str" in text
    replay = "privtopk-conformance replay python:wrong_subjects:stringy selector.shape --seed 0"
    assert replay in " ".join(text.split())


def test_a_replay_comes_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """`replay` runs one requirement again, and fails with the same message."""
    subject = "python:wrong_subjects:stringy"
    code, text = run_command(capsys, "replay", subject, "selector.shape", "--seed", "0", "--quiet")
    assert code == 1
    assert "must return a sequence of items, got str" in text


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("right", "a subject is given as python:module:attribute or stdio:command, got 'right'"),
        (
            "python:wrong_subjects:no",
            "python:wrong_subjects:no: wrong_subjects has no attribute no",
        ),
    ],
)
def test_a_wrong_address_returns_2(
    capsys: pytest.CaptureFixture[str], address: str, message: str
) -> None:
    """Standard error says what is wrong with the address."""
    assert main(["run", address, *SHAPE]) == 2
    assert capsys.readouterr().err == f"privtopk-conformance: {message}\n"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--jobs", "0", "must be at least 1, got 0"),
        ("--budget", "0", "must be positive and finite, got 0"),
        ("--alarm", "1", "must be strictly between 0 and 1, got 1"),
        ("--timeout", "inf", "must be positive and finite, got inf"),
    ],
)
def test_a_wrong_option_returns_2(
    capsys: pytest.CaptureFixture[str], option: str, value: str, message: str
) -> None:
    """The error names the option and the allowed values."""
    with pytest.raises(SystemExit) as caught:
        main(["run", "python:wrong_subjects:right", option, value])
    assert caught.value.code == 2
    run = "privtopk-conformance run"
    assert capsys.readouterr().err == f"{run}: argument {option}: {message}; see {run} --help\n"


def test_reports_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`--reports` writes an HTML page, a JSON Lines file and a JUnit file."""
    subjects = ["python:wrong_subjects:right", "python:wrong_subjects:stringy"]
    assert main(["run", *subjects, *SHAPE, "--reports", str(tmp_path / "new")]) == 1
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["conformance.html", "conformance.jsonl", "conformance.xml"]
    lines = (tmp_path / "new" / "conformance.jsonl").read_text().splitlines()
    assert [json.loads(line)["address"] for line in lines if '"address"' in line] == subjects


def test_smoke_accepts_what_can_be_called(capsys: pytest.CaptureFixture[str]) -> None:
    """`smoke` prints what the subject declares, and its first answer."""
    code, text = run_command(capsys, "smoke", "python:wrong_subjects:right")
    lines = text.splitlines()
    assert (code, lines[0]) == (0, "loaded python:wrong_subjects:right")
    assert lines[-3].startswith("answers   (")
    assert lines[-2].endswith(" round trips per second")
    assert (
        lines[-1]
        == "again     privtopk-conformance smoke python:wrong_subjects:right --kind selector"
    )


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("no", 2, "adapter fault: python:wrong_subjects:no: wrong_subjects has no attribute no"),
        ("raising", 2, "adapter fault: the simplest call raised RuntimeError: <script>no & no"),
        ("hanging", 2, "adapter fault: the simplest call gave no answer within 0.5 s"),
        ("dying", 2, "adapter fault: the simplest call ended with exit code 7"),
        (
            "Unclosable",
            2,
            "adapter fault: the simplest call raised RuntimeError: the door is stuck",
        ),
        ("Unclosable", 2, "\nextras    close\n"),
        ("stringy", 0, "implementation fault: it answers, but must return a sequence of items"),
    ],
)
def test_smoke_separates_adapters_from_implementations(
    capsys: pytest.CaptureFixture[str], name: str, code: int, message: str
) -> None:
    """A subject that cannot be called is an adapter fault; one that answers wrongly is not."""
    result = run_command(capsys, "smoke", f"python:wrong_subjects:{name}", "--timeout", "0.5")
    assert result[0] == code
    assert message in result[1]


def test_the_catalogue_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`list` prints one line per requirement."""
    code, text = run_command(capsys, "list", "--kind", "selector")
    assert code == 0
    assert text.splitlines()[0].split()[0] == "selector.shape"


CHEAP = "python:privtopk.conformance.mutants.cheap_players"
SMALL_GAMES = ["--game", "S1:m=200", "--game", "S2:m=200", "--quiet"]


def test_a_too_cheap_selector_loses(capsys: pytest.CaptureFixture[str]) -> None:
    """`play` returns 1 and names the game and the broken promise."""
    code, text = run_command(capsys, "play", f"{CHEAP}:ExactTopK", *SMALL_GAMES)
    assert code == 1
    lines = text.splitlines()
    assert lines[0].rstrip() == f"{CHEAP}:ExactTopK"
    assert [line.split()[0] for line in lines[2:4]] == ["S1", "S2"]
    assert "declined  S1: it needs sorted access" in lines
    assert lines[-1].startswith("ExactTopK is refuted by S2 (privacy); 1 declined, ")


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one line per game and subject; one refuted subject makes the exit code 1."""
    right = "python:privtopk.conformance.mutants.right.bases:right_random_scan"
    options = ["--game", "S1:m=200", "--json", "--quiet"]
    code, text = run_command(capsys, "play", right, f"{CHEAP}:RandomSubset", *options)
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["subject"], line["game"], line["verdict"]) for line in lines] == [
        ("right_random_scan", "S1", "within bounds"),
        ("RandomSubset", "S1", "refuted"),
    ]
    assert code == 1
    assert lines[0]["level"] == 1e-6 / 2 / 2


def test_games_are_repeated_by_their_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same game, another seed another one."""
    options = ["--game", "S2:m=200", "--json", "--quiet", "--seed"]
    lines = []
    for seed in ("3", "3", "4"):
        _, text = run_command(capsys, "play", f"{CHEAP}:ExactTopK", *options, seed)
        line = json.loads(text)
        lines.append(line["seen"]["base_hits"]["count"])
    assert lines[0] == lines[1] != lines[2]


def test_an_unknown_game_returns_2(capsys: pytest.CaptureFixture[str]) -> None:
    """The error about an unknown game lists the games."""
    assert main(["play", f"{CHEAP}:ExactTopK", "--game", "chess"]) == 2
    assert capsys.readouterr().err == (
        "privtopk-conformance: there is no game 'chess'; there are S1, S2, S3, thm-5.1, thm-5.3, "
        "thm-5.4\n"
    )
