"""Facts about charts: axes, ticks and marks."""

from xml.etree import ElementTree

import pytest

from privtopk.conformance.report.svg import (
    HEIGHT,
    MARGINS,
    WIDTH,
    Chart,
    axis,
    decades,
    power_of_ten,
    round_step,
    short,
)


@pytest.mark.parametrize(
    ("step", "rounded"), [(0.3, 0.5), (1.0, 1.0), (1.1, 2.0), (6.0, 10.0), (0.02, 0.02)]
)
def test_steps_are_round(step: float, rounded: float) -> None:
    """A step is 1, 2 or 5 times a power of ten."""
    assert round_step(step) == pytest.approx(rounded)


def test_ticks_lie_within_the_axis() -> None:
    """Ticks are multiples of a round step."""
    assert axis("x", 0, 1).ticks == pytest.approx((0, 0.2, 0.4, 0.6, 0.8, 1))
    assert axis("x", -0.03, 0.03, 3).ticks == pytest.approx((-0.02, 0, 0.02))


def test_an_axis_of_one_value_is_widened() -> None:
    """An axis of one value does not divide by 0."""
    assert axis("x", 5, 5).fraction(5) == 0.5


def test_decades_have_ticks_at_powers_of_ten() -> None:
    """If there are many powers, only some have ticks; 1 is among them."""
    assert decades("E", -0.3, 7.2).ticks == (0.0, 2.0, 4.0, 6.0, 8.0)
    assert decades("m", 2, 4).ticks == (2.0, 3.0, 4.0)
    assert decades("m", 3, 3).fraction(3) == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.05, "0.05"), (-2, "−2"), (20_000, "20k"), (3e7, "3e+07"), (9_999, "9999")],
)
def test_ticks_are_short(value: float, text: str) -> None:
    """The text of a tick has few characters."""
    assert short(value) == text


def test_powers_are_raised() -> None:
    """Exponents are superscripts, negative ones too."""
    assert power_of_ten(-12) == "10⁻¹²"


def test_values_are_placed_within_the_margins() -> None:
    """A value beyond an axis is drawn at its end."""
    chart = Chart(axis("x", 0, 1), axis("y", 0, 1))
    assert (chart.across(0), chart.across(2)) == (MARGINS[3], WIDTH - MARGINS[1])
    assert (chart.down(1), chart.down(-5)) == (MARGINS[0], HEIGHT - MARGINS[2])


def test_a_picture_is_an_image_with_words() -> None:
    """A picture has a description for screen readers, and its texts are escaped."""
    chart = Chart(axis("x", 0, 1), axis("y", 0, 1))
    marks = (
        chart.line([(0, 0), (1, 1)], "seen"),
        chart.dots([(0.5, 0.5)], "seen"),
        chart.area([(0, 0), (1, 0)], [(0, 1), (1, 1)], "band"),
        chart.limit(0.5, "bound <b>"),
    )
    root = ElementTree.fromstring(chart.draw("a <title>", "what it shows", *marks))
    assert (root.tag, root.get("role")) == ("svg", "img")
    assert [child.text for child in root[:2]] == ["a <title>", "what it shows"]
    assert len(list(root.iter("circle"))) == 1
    assert "bound <b>" in {text.text for text in root.iter("text")}
