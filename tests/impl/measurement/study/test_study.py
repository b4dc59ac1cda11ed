"""Facts about the cells of a study."""

from privtopk.impl.engines.choice import Engine
from privtopk.impl.measurement.inputs import FAMILIES, SHAPES, WORST
from privtopk.impl.measurement.study.counting import AccessCell, PriceCell
from privtopk.impl.measurement.study.figures.registry import FIGURES
from privtopk.impl.measurement.study.promises import CertificateCell
from privtopk.impl.measurement.study.study import quick_study, runs, whole_study

WHOLE = whole_study()
ACCESSES = [cell for cell in WHOLE if isinstance(cell, AccessCell)]


def test_names_are_unique() -> None:
    """No cell is measured twice."""
    for study in (WHOLE, quick_study()):
        assert len({cell.name for cell in study}) == len(study)


def test_both_studies_feed_every_figure() -> None:
    """Every figure has its table, in the quick study too."""
    topics = {figure.topic for figure in FIGURES}
    assert {cell.topic for cell in WHOLE} == {cell.topic for cell in quick_study()} == topics


def test_every_engine_meets_every_input() -> None:
    """All engines select from all families, all shapes and the worst input."""
    met = {(cell.engine, cell.family) for cell in ACCESSES if cell.sweep == "family"}
    engines = [engine.value for engine in Engine if engine is not Engine.AUTO]
    assert met == {(engine, name) for engine in engines for name in (WORST, *FAMILIES, *SHAPES)}


def test_prices_go_from_one_extreme_to_the_other() -> None:
    """The ratio of the prices goes from 1:1000 to 1000:1."""
    prices = {(cell.sorted_cost, cell.random_cost) for cell in WHOLE if isinstance(cell, PriceCell)}
    assert {(1, 1000), (1, 1), (1000, 1)} <= prices


def test_certificates_go_up_to_a_thousand() -> None:
    """The gap is computed for k from 1 to 1000."""
    counts = [cell.k for cell in WHOLE if isinstance(cell, CertificateCell)]
    assert (min(counts), max(counts)) == (1, 1000)


def test_slow_cells_have_fewer_runs() -> None:
    """An engine that makes one access at a time has fewer runs if it needs many accesses."""
    assert (runs("online", 10**6), runs("online", 10**7)) == (40, 20)
    assert runs("batched", 10**7) == 400
