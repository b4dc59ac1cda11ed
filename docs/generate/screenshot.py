"""The picture of a report: the example of the README judged by the oracle, in a real browser.

`python docs/generate/screenshot.py README.md FOLDER` writes it for light and for dark pages.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Browser, sync_playwright

EXAMPLE = re.compile(r"Save it as `mine\.py`:\n\n```python\n(?P<code>.*?)```", re.DOTALL)
Scheme = Literal["light", "dark"]
WIDTH = 760


def report(readme: Path, folder: Path) -> Path:
    """Return the page that the oracle writes on the example."""
    example = EXAMPLE.search(readme.read_text("utf-8"))
    if example is None:
        raise SystemExit(f"{readme} has no example to test")
    (folder / "mine.py").write_text(example["code"], "utf-8")
    command = Path(sys.executable).parent / "privtopk-conformance"
    arguments = ["run", "python:mine:select", "--reports", "report", "--quiet"]
    subprocess.run([command, *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    return folder / "report" / "conformance.html"


def photograph(browser: Browser, page: Path, scheme: Scheme, path: Path) -> None:
    """Write a picture of the first requirement that failed, down to its first two plots."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme=scheme)
    tab.goto(page.as_uri())
    title = tab.locator("section.subject h2").first.bounding_box()
    plot = tab.locator("section.subject details[open] figure").nth(1).bounding_box()
    if title is None or plot is None:
        raise SystemExit("the report shows no failure with two plots")
    top, bottom = title["y"] - 16, plot["y"] + plot["height"] + 16
    tab.screenshot(
        path=path,
        clip={"x": 0, "y": top, "width": WIDTH, "height": bottom - top},
        full_page=True,
    )


def main() -> None:
    """Write both pictures."""
    readme, folder = map(Path, sys.argv[1:3])
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        page = report(readme, Path(place))
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in get_args(Scheme):
            photograph(browser, page, scheme, folder / f"report-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
