"""The site and the report in a real browser, page by page: warnings, contrast, width and focus."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import CHROMIUM, PHONE, Scheme, chromium, faint_words, overflow, tab_stops
from pages import ROOT
from privtopk.conformance.report import write_reports
from sample_runs import certain_case, every_plot, run_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MISSING = [name for name in ("playwright", "sphinx", "furo") if not importlib.util.find_spec(name)]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.heavy,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


def build(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site as `make docs` does."""
    options = ("-W", "-n", "--keep-going", "-q", "-b", "html", "-d", f"{folder}-doctrees")
    command = [sys.executable, "-m", "sphinx", *options, str(source), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the site."""
    folder: Path = tmp_path_factory.mktemp("site") / "html"
    run = build(ROOT / "docs", folder)
    assert (run.returncode, run.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def addresses(site: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the addresses of all pages of the site, and of a report with every plot."""
    report: Path = tmp_path_factory.mktemp("report")
    pages = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    pages.append(write_reports([every_plot(), run_of(certain_case())], report)[0])
    return [path.as_uri() for path in sorted(pages)]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Return a browser without a window."""
    with chromium() as started:
        yield started


def test_there_is_a_page_for_every_markdown_file(site: Path) -> None:
    """The site has every page."""
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert [path for path in sources if not (site / path.with_suffix(".html")).is_file()] == []


def test_no_page_complains(browser: "Browser", addresses: list[str]) -> None:
    """A page causes no console message, no error, and no request that leaves the machine."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on("requestfailed", lambda request: complaints.append(f"{page.url}: {request.url}"))
    requests: set[str] = set()
    page.on("request", lambda request: requests.add(request.url.partition(":")[0]))
    for address in addresses:
        page.goto(address)
    assert (complaints, requests - {"file", "data"}) == ([], set())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_faint_or_wider_than_a_phone(
    browser: "Browser", addresses: list[str], scheme: Scheme
) -> None:
    """All words have enough contrast, and nothing but tables and code scrolls sideways."""
    page = browser.new_page(viewport={"width": PHONE, "height": 844}, color_scheme=scheme)
    found = {}
    for address in addresses:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        found[address] = (faint_words(page), overflow(page))
    assert {address: seen for address, seen in found.items() if seen != ([], 0)} == {}


def test_a_faint_word_and_a_wide_page_are_noticed(browser: "Browser") -> None:
    """The check of contrast and width finds both defects on a page that has them."""
    page = browser.new_page(viewport={"width": PHONE, "height": 844})
    page.set_content("<p style='color: #999'>pale</p><p style='width: 500px'>wide</p>")
    assert (faint_words(page), overflow(page)) == (["2.85 pale"], 118)


def test_a_keyboard_reaches_everything(browser: "Browser", addresses: list[str]) -> None:
    """Tab goes from link to link, and each shows that it has the focus."""
    page = browser.new_page()
    for address in (addresses[0], addresses[-1]):
        page.goto(address)
        seen = tab_stops(page, 12)
        assert [each for each in seen if not each.endswith(" marked")] == []


def test_pictures_are_shown_in_both_schemes(browser: "Browser", site: Path) -> None:
    """Every picture of the site is loaded, and has a size."""
    page = browser.new_page()
    for path in sorted((site / "explanation").glob("*.html")):
        page.goto(path.as_uri())
        widths = page.eval_on_selector_all("article img", "all => all.map(one => one.naturalWidth)")
        assert all(widths)


def test_a_broken_link_fails_the_build(tmp_path: Path) -> None:
    """A link to no page, or to no heading of a page, is an error."""
    (tmp_path / "conf.py").write_text((ROOT / "docs" / "conf.py").read_text())
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "site.css").write_text("")
    (tmp_path / "index.md").write_text("# A\n\n[x](none.md)\n[y](index.md#none)\n[z](#none)\n")
    run = build(tmp_path, tmp_path / "html")
    assert run.returncode == 1
    assert run.stderr.count("WARNING") == 3
