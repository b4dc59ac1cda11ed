"""What the command `privtopk select` reads and prints."""

import json
import sqlite3
from argparse import Namespace
from contextlib import closing
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import pytest

from privtopk.impl.commands.cli import main
from privtopk.impl.commands.select import explain, number
from privtopk.impl.plan import plan
from privtopk.impl.scores.memory import SparseScores
from privtopk.spec.accounting.composition import zcdp_of_steps

COLUMNS = "(item TEXT PRIMARY KEY NOT NULL, score INTEGER NOT NULL) STRICT"
DOMAIN = ["apple", "banana, ripe", "cherry", "date", "elder"]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """Return a folder with a database of two leaders and the file of the domain."""
    with closing(sqlite3.connect(tmp_path / "votes.db")) as connection:
        connection.execute(f"CREATE TABLE votes {COLUMNS}")
        connection.execute("CREATE INDEX by_score ON votes (score, item)")
        connection.execute("INSERT INTO votes VALUES ('banana, ripe', 9000), ('date', 7000)")
        connection.commit()
    (tmp_path / "domain.txt").write_text("\n".join(DOMAIN))
    return tmp_path


def arguments(votes: Path, *more: str) -> list[str]:
    """Return a whole command line; later options override earlier ones."""
    where = [str(votes / "votes.db"), "--table", "votes", "--domain", str(votes / "domain.txt")]
    return ["select", *where, "-k", "2", "--epsilon", "1", *more]


def test_a_table_for_people(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`select` prints the items, best first, and the guarantee, and nothing else."""
    assert main(arguments(votes)) == 0
    assert capsys.readouterr() == (
        "   1  banana, ripe\n"
        "   2  date\n"
        "2 items, best first; epsilon 1, add-remove neighbours (ours:accounting-pure)\n",
        "",
    )


def test_a_set_has_no_order(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With Laplace noise the items are sorted by name."""
    assert main(arguments(votes, "--noise", "laplace", "--neighbours", "swap")) == 0
    assert capsys.readouterr().out == (
        "   -  banana, ripe\n"
        "   -  date\n"
        "2 items, in no order; epsilon 1, swap neighbours (ours:accounting-laplace)\n"
    )


def test_json_for_machines(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has items, mechanism, guarantee and version, and no score, count or time."""
    assert main(arguments(votes, "--format", "json", "--epsilon", "1/2")) == 0
    assert json.loads(capsys.readouterr().out) == {
        "items": ["banana, ripe", "date"],
        "is_ranked": True,
        "k": 2,
        "noise": {"kind": "gumbel", "scale": 4.0},
        "guarantee": {
            "epsilon": 0.5,
            "delta": 0.0,
            "relation": "add-remove",
            "theorem": "ours:accounting-pure",
            "rho": pytest.approx(zcdp_of_steps(0.25, 2)),
            "is_proved": True,
            "arithmetic": "floating point",
            "noise_source": "cryptographic",
            "domain": "declared",
        },
        "privtopk": version("privtopk"),
    }


def test_a_public_domain_is_an_assumption(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If the items are those of the table, the output repeats that they are assumed public."""
    assert main(arguments(votes, "--domain", "public")) == 0
    assert capsys.readouterr().out == (
        "   1  banana, ripe\n"
        "   2  date\n"
        "2 items, best first; epsilon 1, add-remove neighbours (ours:accounting-pure)\n"
        "it is assumed that everybody may know which items there are\n"
    )
    assert main(arguments(votes, "--domain", "public", "--format", "json")) == 0
    assert json.loads(capsys.readouterr().out)["guarantee"]["domain"] == "public"


@pytest.mark.parametrize("more", [[], ["--explain"]])
def test_the_size_of_a_public_domain_is_not_told(
    votes: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    """The refusal of k does not say how many items the table has, with or without a plan."""
    assert main(arguments(votes, "--domain", "public", "-k", "3", *more)) == 2
    message = "privtopk: k must be between 1 and the number of items, got 3\n"
    assert capsys.readouterr() == ("", message)


@pytest.mark.parametrize(
    ("noise", "printed"),
    [
        ("gumbel", 'rank,item\n1,"banana, ripe"\n2,date\n'),
        ("laplace", 'item\n"banana, ripe"\ndate\n'),
    ],
)
def test_csv_for_spreadsheets(
    votes: Path, capsys: pytest.CaptureFixture[str], noise: str, printed: str
) -> None:
    """CSV has one item per row, quoted if necessary, with a rank if the items are ranked."""
    assert main(arguments(votes, "--format", "csv", "--noise", noise)) == 0
    assert capsys.readouterr() == (printed, "")


def test_the_audit_goes_to_the_error_stream(
    votes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--audit` prints the costs on the error stream, after a warning."""
    assert main(arguments(votes, "--format", "csv", "--audit")) == 0
    captured = capsys.readouterr()
    assert captured.out == 'rank,item\n1,"banana, ripe"\n2,date\n'
    lines = captured.err.splitlines()
    assert lines[:3] == [
        "NOT PRIVATE: what follows depends on the votes, do not publish it",
        "engine           one-shot (a scan is faster below m=10000)",
        "sorted accesses  0",
    ]
    assert lines[3:6] == ["random accesses  5", "round trips      1", "noise draws      5"]


def test_the_plan_has_the_prices_of_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    """The plan uses the costs of the source, if it has its own."""

    class Priced(SparseScores):
        costs = (1, 3)

    options = Namespace(k=10, epsilon=1, delta=0, noise="gumbel", neighbours="add-remove")
    explain(options, Priced(10**6, {}))
    planned = plan(10**6, 10, epsilon=1, costs=(1, 3)).as_text()
    assert capsys.readouterr().err == f"{planned}\n"


def test_the_plan_is_printed_first(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plan goes to the error stream, also if reading then fails."""
    with closing(sqlite3.connect(votes / "votes.db")) as connection:
        connection.execute("INSERT INTO votes VALUES ('cherry', -1)")
        connection.commit()
    assert main(arguments(votes, "--explain")) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("items            2 of 5\nguarantee        epsilon 1,")
    assert captured.err.endswith("\nprivtopk: no score may be negative\n")


def test_an_engine_can_be_asked_for(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The audit names the chosen engine."""
    assert main(arguments(votes, "--engine", "rank-free", "--audit")) == 0
    assert "engine           rank-free (asked for)\n" in capsys.readouterr().err


def test_a_slow_table_causes_a_warning(votes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The warning about scans goes to the error stream, and the selection succeeds."""
    with closing(sqlite3.connect(votes / "votes.db")) as connection:
        connection.execute("DROP INDEX by_score")
        connection.commit()
    assert main(arguments(votes, "--format", "csv")) == 0
    assert capsys.readouterr() == (
        'rank,item\n1,"banana, ripe"\n2,date\n',
        "privtopk: warning: every query of 'votes' is a full scan; to avoid it, run: "
        'CREATE INDEX by_score ON "votes" ("score", "item")\n',
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-k", "6"], "k must be between 1 and m=5, got 6"),
        (["-k", "0"], "k must be between 1 and m=5, got 0"),
        (["--domain", "public", "-k", "0"], "k must be at least 1, got 0"),
        (["--epsilon", "0"], "epsilon must be positive and finite, got 0"),
        (["--epsilon", "inf"], "epsilon must be positive and finite, got inf"),
        (["--delta", "1"], "delta must be at least 0 and below 1, got 1"),
        (
            ["--domain", "5..1"],
            "a range must hold between 1 and 4611686018427387904 items, got 5..1",
        ),
    ],
)
def test_bad_parameters_are_refused_before_anything_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    """Parameters are checked first, before a missing file is noticed."""
    (tmp_path / "domain.txt").write_text("\n".join(DOMAIN))
    assert main(arguments(tmp_path, *more)) == 2
    assert capsys.readouterr() == ("", f"privtopk: {message}\n")


def test_a_domain_must_be_declared(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a domain, the command fails before it opens a file."""
    assert main(["select", "none.db", "-k", "1", "--epsilon", "1"]) == 2
    assert capsys.readouterr().err.startswith("privtopk: the domain must be declared: ")


def test_votes_and_scores_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    """`--score` and `--client` exclude each other."""
    with pytest.raises(SystemExit):
        main(["select", "a.csv", "--score", "n", "--client", "c", "-k", "1", "--epsilon", "1"])
    assert "argument --client: not allowed with argument --score" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "value"), [("0.1", Fraction(1, 10)), ("1/3", Fraction(1, 3)), ("inf", float("inf"))]
)
def test_numbers_are_what_was_written(text: str, value: object) -> None:
    """A decimal fraction is exact."""
    assert number(text) == value
