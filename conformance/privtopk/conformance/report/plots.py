"""The plots of a requirement: the growth of its evidence, and the observations of its streams."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from statsmodels.stats.proportion import proportion_confint

from privtopk.conformance.evidence.decision import Case
from privtopk.conformance.evidence.e_process import (
    Categories,
    MeanAtMost,
    Observations,
    SuperUniform,
    Uniform,
)
from privtopk.conformance.report.classical_tests import Slope, cells, fit_slope
from privtopk.conformance.report.markup import Markup, tag
from privtopk.conformance.report.svg import MARGINS, Axis, Chart, Point, axis, decades, short
from privtopk.conformance.requirements.selector.access_cost import exponents
from privtopk.conformance.writing import printable_lines

POINTS: Final = 160
"""The most points of a curve; more cannot be seen at this size."""

CELLS: Final = 10
"""The most categories that are drawn; those that deviate most come first."""

ROW: Final = 20
LABEL: Final = 16
"""The longest name of a category that fits, in characters."""

CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture with its title and caption."""

    title: str
    caption: str
    picture: Markup


def evidence_path(case: Case) -> Plot | None:
    """Return the plot of the evidence against the trials, with the limit at which it fails."""
    if not case.path:
        return None
    needed = -math.log10(case.alpha)
    path = [(0.0, 0.0), *((float(n), evidence / math.log(10)) for n, evidence in case.path)]
    top = max(needed * 1.15, min(2 * needed, max(evidence for _, evidence in path)))
    bottom = min(-1.0, *(max(-needed, evidence) for _, evidence in path))
    chart = Chart(axis("trials", 0, path[-1][0], 4), decades("evidence E", bottom, top))
    title = "Evidence against the subject"
    caption = (
        f"After {case.trials:,} trials E is 10^{path[-1][1]:.1f}; "
        f"at 10^{needed:.1f} the requirement fails."
    )
    marks = chart.limit(needed, "fails"), chart.line(path, "seen")
    end = chart.dots(path[-1:], "seen", 3)
    return Plot(title, caption, chart.draw(title, caption, *marks, end))


def stream_plot(case: Case, index: int, name: str) -> Plot | None:
    """Return the plot of one stream, of the type that fits its null hypothesis."""
    experiment = case.experiments[index]
    values = case.observations_of(index).get(name)
    if values is None or not len(values):
        return None
    title = printable_lines(f"{experiment.name}, {name}")
    draw = _PLOTS.get(type(experiment.streams[name]))
    return draw(title, experiment.streams[name], values) if draw else None


def quantile_plot(title: str, null: Uniform, values: Observations) -> Plot:
    """Return the observed minus the uniform quantiles, with a simultaneous 95 % band.

    By Dvoretzky, Kiefer and Wolfowitz, with Massart's constant, the whole curve of a right
    subject stays within the band with probability 0.95.
    """
    n = len(values)
    band = math.sqrt(math.log(2 / (1 - CONFIDENCE)) / (2 * n)) - 0.5 / n
    expected = (np.arange(n) + 0.5) / n
    deviations = np.sort(values) - expected
    reach = max(1.25 * band, float(np.abs(deviations).max()) * 1.1)
    chart = Chart(axis("uniform quantile", 0, 1), axis("observed − uniform", -reach, reach))
    is_outside = bool((np.abs(deviations) > band).any())
    caption = (
        f"QQ plot of {n:,} observations less the diagonal. "
        f"It {'leaves' if is_outside else 'stays within'} the simultaneous 95 % band."
    )
    ends = (0.0, 1.0)
    marks = (
        chart.area([(x, -band) for x in ends], [(x, band) for x in ends], "band"),
        chart.line([(x, 0.0) for x in ends], "due"),
        chart.line(thin_out(expected, deviations), "seen"),
    )
    return Plot(title, caption, chart.draw(title, caption, *marks))


def distribution_plot(title: str, null: SuperUniform, values: Observations) -> Plot:
    """Return the distribution of p-values, which is below the diagonal for a right subject."""
    n = len(values)
    band = math.sqrt(-math.log(1 - CONFIDENCE) / (2 * n))
    ordered, heights = np.sort(values), np.arange(1, n + 1) / n
    is_outside = bool((heights > ordered + band).any())
    chart = Chart(axis("u", 0, 1), axis("share of values ≤ u", 0, 1))
    caption = (
        f"Distribution of {n:,} p-values of the exact law; that of a right subject stays below "
        f"the band with probability 0.95. It {'leaves' if is_outside else 'stays below'} it."
    )
    steps = [(0.0, 0.0), *thin_out(ordered, heights), (1.0, 1.0)]
    marks = (
        chart.area([(0, 0), (1, 1)], [(0, band), (1 - band, 1), (1, 1)], "band"),
        chart.line([(0, 0), (1, 1)], "due"),
        chart.line(steps, "seen"),
    )
    return Plot(title, caption, chart.draw(title, caption, *marks))


def mean_plot(title: str, null: MeanAtMost, values: Observations) -> Plot:
    """Return the running mean and its upper bound."""
    counts = np.arange(1, len(values) + 1)
    means = np.cumsum(values) / counts
    top = max(null.bound, float(means.max())) * 1.2
    chart = Chart(axis("observations", 0, len(values), 4), axis("running mean", 0, top))
    caption = (
        f"The mean of {len(values):,} is {means[-1]:.3g}; at most {null.bound:.3g} is allowed."
    )
    marks = chart.limit(null.bound, "bound"), chart.line(thin_out(counts, means), "seen")
    return Plot(title, caption, chart.draw(title, caption, *marks))


def cell_plot(title: str, null: Categories, values: Observations) -> Plot:
    """Return the observed shares with 95 % intervals, beside the expected ones."""
    counts, expected = cells(null, values)
    n = len(values)
    strain = np.abs(counts - expected) / np.sqrt(np.maximum(expected, 1e-12))
    order = np.argsort(-strain, kind="stable")[:CELLS]
    intervals = np.transpose(proportion_confint(counts[order], n, 1 - CONFIDENCE, "wilson"))
    names = [printable_lines(null.labels[i]) if i < len(null.labels) else str(i) for i in order]
    chart = _rows(names, max(float(intervals.max()), float(expected[order].max()) / n))
    marks = [
        tag(
            "g",
            _row_name(chart, y, name),
            chart.line([(low, y), (high, y)], "seen"),
            _expected_tick(chart, expected[i] / n, y),
            chart.dots([(counts[i] / n, y)], "seen", 3),
        )
        for y, i, name, (low, high) in zip(
            np.arange(len(order), 0, -1) - 0.5, order, names, intervals, strict=True
        )
    ]
    caption = _cell_caption(n, len(order), len(counts))
    return Plot(title, caption, chart.draw(title, caption, *marks))


def _rows(names: Sequence[str], widest: float) -> Chart:
    """Return a chart of relative frequencies with one row per name."""
    left = 22 + min(LABEL, max(map(len, names))) * 7
    height = MARGINS[0] + MARGINS[2] + ROW * len(names)
    shares = axis("share", 0, widest * 1.08, 4)
    return Chart(shares, Axis("", 0, len(names), (), short), height, left)


def _cell_caption(n: int, drawn: int, cells: int) -> str:
    which = f"the {drawn} most deviating of {cells}" if drawn < cells else f"all {cells}"
    return (
        f"Shares among {n:,} observations, {which} categories, the most deviating first: "
        "dots with 95 % intervals are observed, upright ticks expected."
    )


def _row_name(chart: Chart, y: float, text: str) -> Markup:
    cut = text if len(text) <= LABEL else f"{text[: LABEL - 1]}…"
    at = f"{chart.down(y):.1f}"
    return tag("text", cut, x=chart.left - 8, y=at, dy="0.32em", text_anchor="end")


def _expected_tick(chart: Chart, share: float, y: float) -> Markup:
    at, middle = f"{chart.across(share):.1f}", chart.down(y)
    return tag("line", class_="tick", x1=at, x2=at, y1=f"{middle - 7:.1f}", y2=f"{middle + 7:.1f}")


def scaling_plot(measured: Mapping[str, Sequence[float]]) -> Plot | None:
    """Return accesses against m k on logarithmic axes, with the fitted exponent."""
    m, k, accesses = (measured.get(name, ()) for name in ("m", "k", "accesses"))
    if not len(m) == len(k) == len(accesses) > 0 or min(*m, *k, *accesses) <= 0:
        return None
    sizes = np.array(m) * np.array(k)
    x, y = np.log10(sizes), np.log10(accesses)
    chart = Chart(decades("m k", x.min(), x.max()), decades("accesses", y.min(), y.max()))
    marks = [
        chart.line([(size, low), (size, high)], "seen")
        for size in np.unique(x)
        for low, high in [np.quantile(y[x == size], [0.05, 0.95])]
    ]
    marks.append(
        chart.dots([(size, float(np.median(y[x == size]))) for size in np.unique(x)], "seen", 3)
    )
    fit = fit_slope(sizes.tolist(), accesses)
    if fit:
        marks.append(chart.line(_fitted_line(fit, x.min(), x.max()), "due"))
    title = "Accesses against m k"
    fits = "; ".join([_exponent(fit), *_own_exponents(m, k, accesses)]) if fit else "no fit"
    caption = f"Medians of {len(x):,} selections, with the middle 90 %. Exponents: {fits}."
    return Plot(title, caption, chart.draw(title, caption, *marks))


def _exponent(fit: Slope) -> str:
    return f"{fit.slope:.3f} [{fit.low:.3f}, {fit.high:.3f}] in m k"


def _own_exponents(
    m: Sequence[float], k: Sequence[float], accesses: Sequence[float]
) -> Iterator[str]:
    """Yield the exponents in m and in k, each with a 95 % confidence interval."""
    with np.errstate(divide="ignore", invalid="ignore"):
        fits = exponents(m, k, accesses)
    if len(fits) > 1:
        for fit in fits:
            yield f"{fit.estimate:.3f} [{fit.low:.3f}, {fit.high:.3f}] in {fit.size}"


def _fitted_line(fit: Slope, low: float, high: float) -> list[Point]:
    return [(x, fit.intercept / math.log(10) + fit.slope * x) for x in (low, high)]


def thin_out(x: np.ndarray, y: np.ndarray) -> list[Point]:
    """Return some points of a curve: evenly spaced points, both ends, and the extremes."""
    chosen = np.unique(np.linspace(0, len(x) - 1, min(POINTS, len(x))).round().astype(int))
    extremes = [int(np.argmin(y)), int(np.argmax(y))]
    return [(float(x[i]), float(y[i])) for i in sorted({*chosen.tolist(), *extremes})]


_PLOTS: Final[Mapping[type, Callable[[str, Any, Observations], Plot]]] = {
    Uniform: quantile_plot,
    SuperUniform: distribution_plot,
    MeanAtMost: mean_plot,
    Categories: cell_plot,
}
