"""Facts about what each plot draws and what its caption says."""

from xml.etree import ElementTree

import numpy as np
import pytest

from privtopk.conformance.evidence.e_process import (
    Categories,
    MeanAtMost,
    Null,
    SuperUniform,
    Uniform,
)
from privtopk.conformance.evidence.e_process import Observations as Values
from privtopk.conformance.report.plots import (
    CELLS,
    POINTS,
    Plot,
    evidence_path,
    scaling_plot,
    stream_plot,
    thin_out,
)
from sample_runs import breached_case, case_of, numbers, scaling_case

EVEN = (np.arange(1000) + 0.5) / 1000


def plot_of(null: Null, values: Values) -> Plot:
    """Return the plot of a stream."""
    plot = stream_plot(case_of({"stream": (null, values)}, pieces=1), 0, "stream")
    assert plot is not None
    assert plot.title == "h=(0, 2), stream"
    ElementTree.fromstring(plot.picture)
    return plot


def test_even_quantiles_stay_within_the_band() -> None:
    """For even quantiles the caption says that they stay within the band."""
    assert plot_of(Uniform(), EVEN).caption == (
        "QQ plot of 1,000 observations less the diagonal. "
        "It stays within the simultaneous 95 % band."
    )


def test_squared_quantiles_leave_the_band() -> None:
    """For squared quantiles, which deviate by up to 1/4, the caption says that they leave it."""
    assert plot_of(Uniform(), EVEN**2).caption.endswith("It leaves the simultaneous 95 % band.")


@pytest.mark.parametrize(("power", "word"), [(0.5, "stays below"), (2.0, "leaves")])
def test_p_values_stay_below_the_diagonal(power: float, word: str) -> None:
    """Large p-values stay below the diagonal, small ones leave it."""
    assert plot_of(SuperUniform(), EVEN**power).caption.endswith(f"It {word} it.")


def test_means_are_drawn_against_their_bound() -> None:
    """The caption of a mean has the last mean and its bound."""
    plot = plot_of(MeanAtMost(0.3), numbers([0, 1, 0, 0]))
    assert plot.caption == "The mean of 4 is 0.25; at most 0.3 is allowed."


def test_all_of_few_categories_are_drawn() -> None:
    """Each of a few categories has its name, an interval and an expected frequency."""
    plot = plot_of(Categories((0.5, 0.5), ("head", "<tail>")), numbers([0, 1, 1]))
    root = ElementTree.fromstring(plot.picture)
    assert {"head", "<tail>"} < {text.text for text in root.iter("text")}
    assert len([line for line in root.iter("line") if line.get("class") == "tick"]) == 2
    assert plot.caption == (
        "Shares among 3 observations, all 2 categories, the most deviating first: "
        "dots with 95 % intervals are observed, upright ticks expected."
    )


def test_only_the_most_deviating_of_many_categories_are_drawn() -> None:
    """Of many categories the most deviating are drawn, in order, and the caption says so."""
    law = Categories((1 / 40,) * 40, tuple(f"outcome {i}" for i in range(40)))
    plot = plot_of(law, numbers([*range(40), 7, 7]))
    root = ElementTree.fromstring(plot.picture)
    names = [text.text for text in root.iter("text") if (text.text or "").startswith("outcome")]
    assert (len(names), names[0]) == (CELLS, "outcome 7")
    assert "the 10 most deviating of 40 categories" in plot.caption


def test_long_and_missing_names_fit() -> None:
    """A long name is cut; a category without a name has its number."""
    plot = plot_of(Categories((0.5, 0.5), ("x" * 50,)), numbers([0, 1]))
    texts = {text.text for text in ElementTree.fromstring(plot.picture).iter("text")}
    assert {"x" * 15 + "…", "1"} < texts


def test_a_stream_that_saw_nothing_is_not_drawn() -> None:
    """A stream without observations has no plot."""
    case = case_of({"stream": (Uniform(), numbers([]))})
    assert stream_plot(case, 0, "stream") is None


def test_the_path_of_the_evidence() -> None:
    """The path ends at the evidence of the case, and has a line at 1/alpha."""
    case = case_of({"stream": (Uniform(), np.full(400, 0.3))})
    plot = evidence_path(case)
    assert plot is not None
    assert plot.caption == (
        f"After {case.trials:,} trials E is 10^{case.log_e / np.log(10):.1f}; "
        "at 10^7.0 the requirement fails."
    )
    assert 'class="limit"' in plot.picture


def test_infinite_evidence_is_drawn() -> None:
    """An impossible category ends the path at the upper edge."""
    case = case_of({"stream": (Categories((1.0, 0.0), ("a", "b")), numbers([0, 0, 1]))}, pieces=1)
    plot = evidence_path(case)
    assert plot is not None
    assert "inf" not in plot.picture.replace("10^inf", "")


def test_without_chance_there_is_no_path() -> None:
    """A case that failed by a violation has no path of evidence."""
    assert evidence_path(breached_case()) is None


def test_accesses_are_fitted() -> None:
    """The exponents of 2 sqrt(mk) are about 1/2, together and of each size."""
    plot = scaling_plot(scaling_case().measured)
    assert plot is not None
    caption = plot.caption
    assert caption.startswith("Medians of 20 selections, with the middle 90 %. Exponents: 0.5")
    assert caption.count("[") == 3
    assert caption.endswith(" in k.")


@pytest.mark.parametrize(
    "measured",
    [
        {},
        {"m": [1.0], "k": [1.0], "accesses": []},
        {"m": [1.0], "k": [1.0], "accesses": [0.0]},
    ],
)
def test_accesses_that_cannot_be_drawn(measured: dict[str, list[float]]) -> None:
    """There is no plot if nothing was measured, or if a number has no logarithm."""
    assert scaling_plot(measured) is None


def test_accesses_of_one_size_are_not_fitted() -> None:
    """Accesses of one size are drawn without a line."""
    plot = scaling_plot({"m": [9.0, 9.0], "k": [1.0, 1.0], "accesses": [5.0, 7.0]})
    assert plot is not None
    assert plot.caption.endswith("Exponents: no fit.")


def test_a_curve_is_thinned_but_keeps_its_extremes() -> None:
    """Thinning a curve keeps a peak between two kept points."""
    y = np.zeros(10_000)
    y[4321] = 1.0
    points = thin_out(np.arange(10_000), y)
    assert len(points) <= POINTS + 2
    assert (4321.0, 1.0) in points
