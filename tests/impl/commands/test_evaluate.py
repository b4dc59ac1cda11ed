"""The whole study on a few cells: its files, its page, and the report of an exceeded bound."""

import re
from pathlib import Path

import pytest

from privtopk.impl.commands import evaluate as command
from privtopk.impl.commands.cli import main
from privtopk.impl.commands.evaluate import evaluate_cells
from privtopk.impl.measurement.study import checks
from privtopk.impl.measurement.study.checks import checks_of
from privtopk.impl.measurement.study.counting import PriceCell
from privtopk.impl.measurement.study.figures.registry import FIGURES
from privtopk.impl.measurement.study.laws import ScanLaw
from privtopk.impl.measurement.study.page.page import Account, page_of
from privtopk.impl.measurement.study.promises import CertificateCell
from privtopk.impl.measurement.study.tables import digest, read_csv
from support_evaluation import AtOnce

ROOT = Path(__file__).parents[3]
CELLS = (
    *(PriceCell("batched", "worst", 300, 2, 1.0, *prices, 3) for prices in ((1, 9), (9, 1))),
    *(CertificateCell(2000, k, 1.0) for k in (1, 5)),
)
IMAGE = re.compile(r"!\[[^]]*\]\(evaluation/(?P<name>[^)]+)\)")
LINK = re.compile(r"\]\(evaluation/(?P<name>[^)]+\.csv)\)")
SOURCE = re.compile(r"drawn from (?P<table>[a-z]+\.csv), sha256 (?P<digest>[0-9a-f]{64})")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a small study once."""
    folder = tmp_path_factory.mktemp("study")
    assert evaluate_cells(CELLS, folder, folder / "pages", AtOnce()) == 0
    return folder


def check_page(pages: Path) -> None:
    """Assert that the figures of a page exist and match the data next to them."""
    text, beside = (pages / "evaluation.md").read_text(), pages / "evaluation"
    images = IMAGE.findall(text)
    assert sorted(images) == sorted(path.name for path in beside.glob("*.svg"))
    assert len(images) > 0
    tables = {*LINK.findall(text), "checks.csv"}
    assert tables == {path.name for path in beside.glob("*.csv")}
    for image in images:
        source = SOURCE.search((beside / image).read_text())
        assert source is not None
        assert source["digest"] == digest(beside / source["table"])


def test_the_page_shows_its_data(folder: Path) -> None:
    """Every image of the page exists and has the digest of the table next to it."""
    check_page(folder / "pages")


def test_the_published_page_shows_its_data() -> None:
    """The same holds for the page of the documentation."""
    check_page(ROOT / "docs" / "explanation")


def test_the_published_page_names_command_and_date() -> None:
    """The page has its command and the date of its data, and says that no bound was exceeded."""
    text = (ROOT / "docs" / "explanation" / "evaluation.md").read_text()
    assert "```sh\nmake evaluate" in text
    assert re.search(r"\nData of \d{4}-\d\d-\d\d.*, \d+ cells, Python 3", text)
    assert "**Nothing does.**" in text


@pytest.mark.slow
def test_the_published_page_is_that_of_its_tables() -> None:
    """The tables beside the published page give the same page, word for word."""
    pages = ROOT / "docs" / "explanation"
    text = (pages / "evaluation.md").read_text()
    names = {figure.topic for figure in FIGURES}
    tables = {name: read_csv(pages / "evaluation" / f"{name}.csv") for name in names}
    data = re.search(r"\nData of ([\d-]+)(?: to ([\d-]+))?, (\d+) cells, (.*)\.\n", text)
    assert data is not None
    account = Account(data[1], data[2] or data[1], int(data[3]), data[4])
    assert page_of(FIGURES, tables, checks_of(tables), account) == text


def test_every_table_and_figure_is_written_twice(folder: Path) -> None:
    """Tables are written as CSV and Parquet, figures as SVG and PNG."""
    names = {path.name for path in folder.iterdir()}
    for table in ("prices", "certificates", "checks"):
        assert {f"{table}.csv", f"{table}.parquet"} <= names
    for figure in ("prices", "certificates"):
        assert {f"{figure}.svg", f"{figure}.png"} <= names


def test_a_second_study_writes_the_same(folder: Path, tmp_path: Path) -> None:
    """Data and figures depend on the cells only: another folder gets the same bytes."""
    assert evaluate_cells(CELLS, tmp_path, None, AtOnce()) == 0
    for path in (*folder.glob("*.csv"), *folder.glob("*.svg")):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_an_exceedance_fails_the_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mean above its bound is reported, also on the page, and the exit code is 1."""
    monkeypatch.setattr(checks, "law_of", lambda *arguments: ScanLaw(2.0))
    monkeypatch.setattr(command, "draw_all", lambda folder: [])
    assert evaluate_cells(CELLS[:1], tmp_path, tmp_path / "pages", AtOnce()) == 1
    parameters = "m=300, k=2, epsilon=1.0, sorted_cost=1, random_cost=9"
    name = f"price of batched on worst, {parameters}"
    assert f"exceeded: {name}: " in capsys.readouterr().out
    assert f"- {name}: law of the worst input" in (tmp_path / "pages/evaluation.md").read_text()


def test_old_figures_are_removed(tmp_path: Path) -> None:
    """A figure of an earlier study that the page no longer shows is removed."""
    (tmp_path / "evaluation").mkdir()
    (tmp_path / "evaluation" / "old.svg").write_text("")
    evaluate_cells(CELLS[-2:], tmp_path, tmp_path, AtOnce())
    check_page(tmp_path)


def test_an_interrupt_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends the command with exit code 130 and a message."""

    def raise_interrupt(*arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "evaluate_cells", raise_interrupt)
    assert main(["evaluate", "--quick", "--folder", str(tmp_path)]) == 130
    assert capsys.readouterr().err.endswith("run the same command to continue\n")


def test_a_missing_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the extra the command says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "privtopk.impl.commands.evaluate", None)
    assert main(["evaluate"]) == 2
    assert "pip install 'privtopk[evaluate]'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.heavy
def test_the_quick_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`privtopk evaluate --quick` measures, draws all figures and exceeds nothing."""
    pages = tmp_path / "pages"
    assert main(["evaluate", "--quick", "--folder", str(tmp_path), "--pages", str(pages)]) == 0
    assert " checks, 0 exceeded; data and figures in " in capsys.readouterr().out
    check_page(pages)
