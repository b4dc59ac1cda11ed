"""Measures a page in a real browser: contrast, width and keyboard focus."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
Scheme: TypeAlias = Literal["light", "dark"]
PHONE = 390
ENOUGH = 4.5
"""The contrast that WCAG 2 demands of text (level AA); large text needs 3."""

FAINT = """
(enough) => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = new Map(), grounds = new Map();
  const parts = (colour) => {
    if (!known.has(colour)) known.set(colour, measured(colour));
    return known.get(colour);
  };
  const measured = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [x, y, z]) =>
    [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    if (!element) return [255, 255, 255, 1];
    if (!grounds.has(element)) {
      const colour = parts(getComputedStyle(element).backgroundColor);
      grounds.set(element, over(colour, ground(element.parentElement)));
    }
    return grounds.get(element);
  };
  const faint = [];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const element = words.currentNode.parentElement;
    const text = words.currentNode.textContent.trim();
    if (!text || element.closest('svg, script, style') || !element.checkVisibility(
        {opacityProperty: true, visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const behind = ground(element);
    const [a, b] = [luminance(over(parts(style.color), behind)), luminance(behind)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (contrast < (isLarge ? 3 : enough)) faint.push(`${contrast.toFixed(2)} ${text}`);
  }
  return [...new Set(faint)];
}
"""


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Yield a browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def faint_words(page: "Page") -> list[str]:
    """Return the words whose contrast with what is behind them is too small."""
    found: list[str] = page.evaluate(FAINT, ENOUGH)
    return found


def overflow(page: "Page") -> int:
    """Return by how many pixels a page is wider than the window."""
    across: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return across


def tab_stops(page: "Page", presses: int) -> list[str]:
    """Return what each press of Tab focuses: its tag, and whether the focus is visible."""
    seen = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                """() => {
                    const one = document.activeElement, style = getComputedStyle(one);
                    const isMarked = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
                    return `${one.tagName.toLowerCase()} ${isMarked ? 'marked' : 'unmarked'}`;
                }"""
            )
        )
    return seen
