"""All figures of the study."""

from pathlib import Path

import pytest

from privtopk.impl.measurement.rows import Table
from privtopk.impl.measurement.study.checks import tables_with_laws
from privtopk.impl.measurement.study.counting import AccessCell, PriceCell
from privtopk.impl.measurement.study.figures.registry import FIGURES, FigureOfStudy, draw_all
from privtopk.impl.measurement.study.figures.style import (
    ENGINE_LOOKS,
    empty_figure,
    house_style,
    save,
)
from privtopk.impl.measurement.study.promises import AccuracyCell, CertificateCell, PlanCell
from privtopk.impl.measurement.study.tables import write_csv

ENGINES = ("rank-free", "batched", "one-shot")
MEASURED: dict[str, Table] = {
    "accesses": [
        row
        for sweep in ("m", "k", "epsilon", "family")
        for engine in ENGINES
        for m in (200, 400)
        for row in AccessCell(sweep, engine, "worst", m, 2, 1.0, 2).rows()
    ],
    "prices": PriceCell("batched", "worst", 200, 2, 1.0, 1, 9, 3).rows(),
    "accuracy": AccuracyCell("batched", "gumbel", 100, 2, 0.5, 5).rows(),
    "plans": PlanCell("worst", 200, 2, 1.0, 1, 1, 3).rows(),
    "certificates": CertificateCell(2000, 3, 1.0).rows(),
    "times": [
        {"family": "worst", "m": m, "contender": name, "times_faster": 2.0}
        for m in (100, 1000)
        for name in ("block scan", *ENGINE_LOOKS)
    ],
    "exactness": [
        {
            "family": "worst",
            "times_slower": 2.0,
            "exact_accesses": 10.0,
            "default_accesses": 11.0,
            "exact_draws": 10.0,
            "default_draws": 5.0,
        }
    ],
    "sources": [
        {"database": "SQLite", "family": "plat1", "m": 10, "times_faster": 3.0, "rows_moved": 2},
        {"database": "Redis", "family": "plat1", "m": 10, "absent": "not there"},
    ],
}
TABLES = tables_with_laws(MEASURED)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_figures_are_labelled(figure: FigureOfStudy) -> None:
    """Every panel has a label on its horizontal axis, and the first one on the vertical axis."""
    with house_style():
        drawn = figure.draw(TABLES[figure.topic])
    for panel in drawn.axes:
        assert panel.get_xlabel()
    first = drawn.axes[0]
    assert first.get_ylabel() or any(label.get_text() for label in first.get_yticklabels())


def test_only_figures_with_data_are_drawn(tmp_path: Path) -> None:
    """A folder with one table gives its figures and no others."""
    write_csv(tmp_path / "certificates.csv", TABLES["certificates"])
    assert [figure.name for figure in draw_all(tmp_path)] == ["certificates"]
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".svg", ".png"}


def test_files_are_a_function_of_the_data(tmp_path: Path) -> None:
    """The same figure is the same file, white behind, with no date in it."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with house_style():
            figure, (panel,) = empty_figure()
            panel.plot([1, 2], [3, 4])
            save(figure, tmp_path / name, "line", "drawn from nothing")
    one, two = (tmp_path / name / "line.svg" for name in ("one", "two"))
    text = one.read_text()
    assert text == two.read_text()
    assert "dc:date" not in text
    assert "drawn from nothing" in text
    assert "fill: #ffffff" in text


def test_engines_have_distinct_looks() -> None:
    """No two engines share a colour or a marker."""
    for part in ("color", "marker"):
        assert len({look[part] for look in ENGINE_LOOKS.values()}) == len(ENGINE_LOOKS)
