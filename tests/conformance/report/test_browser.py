"""The page in a real browser: Chromium, if it is installed."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import CHROMIUM, PHONE, Scheme, chromium
from privtopk.conformance.report import write_reports
from sample_runs import certain_case, every_plot, run_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)
WIDTHS = [PHONE, 1280]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a page with every plot."""
    folder: Path = tmp_path_factory.mktemp("report")
    return write_reports([every_plot(), run_of(certain_case())], folder)[0].as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Return a browser without a window."""
    with chromium() as started:
        yield started


def open_page(
    browser: "Browser", address: str, width: int = 1280, scheme: Scheme = "light"
) -> "Page":
    """Open a page, unfold everything, and return it."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    return page


def test_the_page_loads_without_complaint(browser: "Browser", address: str) -> None:
    """The page causes no console message, no error, and no request besides its own."""
    page = browser.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address, wait_until="networkidle")
    assert complaints == []
    assert requests == [address]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_plot_is_drawn(browser: "Browser", address: str, width: int) -> None:
    """Each plot has a size on the screen and marks for the observations."""
    page = open_page(browser, address, width)
    sizes = page.eval_on_selector_all(
        "svg", "all => all.map(one => [one.getBoundingClientRect().width, one.getBBox().height])"
    )
    assert len(sizes) == 7
    assert all(across > 250 and down > 60 for across, down in sizes)
    marks = page.eval_on_selector_all(
        "svg", "all => all.map(one => one.querySelectorAll('.seen').length)"
    )
    assert all(marks)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(browser: "Browser", address: str, width: int) -> None:
    """No page is wider than the screen; wide tables scroll inside their own box."""
    page = open_page(browser, address, width)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_plots_can_be_read_on_a_phone(browser: "Browser", address: str) -> None:
    """The text of a plot is at least 10 pixels high on a phone."""
    page = open_page(browser, address, 390)
    scales = page.eval_on_selector_all("svg", "all => all.map(one => one.getScreenCTM().a)")
    assert min(scales) * 11 >= 10


def test_words_in_plots_stay_within_them(browser: "Browser", address: str) -> None:
    """No text in a plot is cut off at an edge."""
    page = open_page(browser, address)
    cut = page.eval_on_selector_all(
        "svg text",
        """all => all.filter(one => {
            const word = one.getBoundingClientRect();
            const picture = one.ownerSVGElement.getBoundingClientRect();
            return word.left < picture.left - 1 || word.right > picture.right + 1
                || word.top < picture.top - 1 || word.bottom > picture.bottom + 1;
        }).map(one => one.textContent)""",
    )
    assert cut == []


def test_dark_and_light_differ(browser: "Browser", address: str) -> None:
    """The page has a light and a dark scheme, and follows the reader's preference."""
    colour = "getComputedStyle(document.body).backgroundColor"
    light = open_page(browser, address, 390, "light").evaluate(colour)
    dark = open_page(browser, address, 390, "dark").evaluate(colour)
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(20, 23, 26)")


def test_a_keyboard_unfolds_a_requirement(browser: "Browser", address: str) -> None:
    """A passed requirement opens with the Enter key."""
    page = browser.new_page()
    page.goto(address)
    passed = page.locator("details", has_text="selector.right").first
    assert passed.get_attribute("open") is None
    passed.locator("summary").focus()
    page.keyboard.press("Enter")
    assert passed.get_attribute("open") == ""
