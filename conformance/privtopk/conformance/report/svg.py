"""A small chart: two axes, and marks in the coordinates of the values.

A chart is about as wide as a phone, so that its text can be read there without scaling. Colours
come from the style sheet of the page.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from privtopk.conformance.report.markup import Markup, tag

WIDTH: Final = 340
HEIGHT: Final = 230
MARGINS: Final = (12, 14, 40, 56)
"""Top, right, bottom, left."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of numbers with its ticks."""

    label: str
    low: float
    high: float
    ticks: tuple[float, ...]
    tick_text: Callable[[float], str]
    """Returns the text of a tick."""

    def fraction(self, value: float) -> float:
        """Return where a value lies on the axis, from 0 at its start to 1 at its end."""
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


def axis(label: str, low: float, high: float, ticks: int = 5) -> Axis:
    """Return an axis of a range, with ticks at round numbers."""
    if high <= low:
        low, high = low - 1, high + 1
    step = round_step((high - low) / ticks)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return Axis(label, low, high, tuple(i * step for i in range(first, last + 1)), short)


def decades(label: str, low: float, high: float) -> Axis:
    """Return an axis of decimal logarithms, with ticks at powers of ten."""
    first, last = math.floor(low), math.ceil(high)
    step = max(1, math.ceil((last - first) / 5))
    ticks = tuple(float(power) for power in range(first, last + 1) if power % step == 0)
    return Axis(label, float(first), float(max(last, first + 1)), ticks, power_of_ten)


def round_step(step: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, ... (and 0.5, 0.2, ...) that is at least a step."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * (1 - 1e-9))


def short(value: float) -> str:
    """Return a number in few characters."""
    if abs(value) >= 10_000:
        return f"{value / 1000:g}k" if abs(value) < 1e6 else f"{value:.0e}"
    return f"{value:.4g}".replace("-", "−")


def power_of_ten(exponent: float) -> str:
    """Return a power of ten with a superscript exponent."""
    raised = str.maketrans("-0123456789.", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹·")
    return f"10{f'{exponent:g}'.translate(raised)}"


@dataclass(frozen=True, slots=True)
class Chart:
    """The plane between two axes."""

    x: Axis
    y: Axis
    height: int = HEIGHT
    left: int = MARGINS[3]

    def across(self, x: float) -> float:
        """Return where a value lies from the left, in pixels."""
        return self.left + self.x.fraction(x) * (WIDTH - self.left - MARGINS[1])

    def down(self, y: float) -> float:
        """Return where a value lies from the top, in pixels."""
        return MARGINS[0] + (1 - self.y.fraction(y)) * (self.height - MARGINS[0] - MARGINS[2])

    def line(self, points: Iterable[Point], style: str) -> Markup:
        """Return a line through points."""
        return tag("polyline", class_=style, points=self._coordinates(points))

    def area(self, lower: Sequence[Point], upper: Sequence[Point], style: str) -> Markup:
        """Return the area between two lines."""
        return tag("polygon", class_=style, points=self._coordinates([*lower, *reversed(upper)]))

    def dots(self, points: Iterable[Point], style: str, radius: float = 2) -> Markup:
        """Return a dot at each point."""
        return tag(
            "g",
            *(
                tag("circle", cx=f"{self.across(x):.1f}", cy=f"{self.down(y):.1f}", r=radius)
                for x, y in points
            ),
            class_=style,
        )

    def limit(self, y: float, text: str) -> Markup:
        """Return a horizontal line with its name above it."""
        words = tag(
            "text",
            text,
            class_="limit",
            x=self.left + 4,
            y=f"{self.down(y) - 5:.1f}",
        )
        return tag("g", self.line([(self.x.low, y), (self.x.high, y)], "limit"), words)

    def draw(self, title: str, description: str, *marks: Markup) -> Markup:
        """Return the whole picture, with a title and a description for screen readers."""
        return tag(
            "svg",
            tag("title", title),
            tag("desc", description),
            self._grid(),
            *marks,
            role="img",
            viewBox=f"0 0 {WIDTH} {self.height}",
            width=WIDTH,
            height=self.height,
        )

    def _coordinates(self, points: Iterable[Point]) -> str:
        return " ".join(f"{self.across(x):.1f},{self.down(y):.1f}" for x, y in points)

    def _grid(self) -> Markup:
        bottom, right = self.height - MARGINS[2], WIDTH - MARGINS[1]
        marks = [tag("line", class_="base", x1=self.left, x2=right, y1=bottom, y2=bottom)]
        for tick in self.x.ticks:
            at = f"{self.across(tick):.1f}"
            words = self.x.tick_text(tick)
            marks.append(tag("line", class_="grid", x1=at, x2=at, y1=MARGINS[0], y2=bottom))
            marks.append(tag("text", words, x=at, y=bottom + 15, text_anchor="middle"))
        for tick in self.y.ticks:
            at = f"{self.down(tick):.1f}"
            words = self.y.tick_text(tick)
            marks.append(tag("line", class_="grid", x1=self.left, x2=right, y1=at, y2=at))
            marks.append(tag("text", words, x=self.left - 6, y=at, dy="0.32em", text_anchor="end"))
        marks.append(self._names(bottom, right))
        return tag("g", *marks, class_="axes")

    def _names(self, bottom: int, right: int) -> Markup:
        middle = (MARGINS[0] + bottom) / 2
        beside = tag(
            "text",
            self.y.label,
            class_="name",
            text_anchor="middle",
            transform=f"translate(10 {middle:.1f}) rotate(-90)",
        )
        below = tag(
            "text", self.x.label, class_="name", x=right, y=self.height - 6, text_anchor="end"
        )
        return tag("g", below, beside)
