"""Small pictures as SVG: a card of its own ground, so that it is legible on any page.

The card follows what the reader's system prefers, light or dark; on a page of the other kind it is
still a card with enough contrast.
"""

from dataclasses import dataclass, field
from html import escape

STYLE = """
  .card { fill: #ffffff; stroke: #d5dae0 }
  text { font: 13px system-ui, sans-serif; fill: #1c2024 }
  .quiet { fill: #56606b } .small { font-size: 11.5px } .strong { font-weight: 600 }
  .box { fill: #eef1f4; stroke: #b3bcc6 } .rule { stroke: #8d98a4; fill: none }
  .tip { fill: #8d98a4 }
  .score { fill: #d9e7fb; stroke: #1f5fbf } .noise { fill: #fde4cf; stroke: #b4540a }
  .hit { fill: #d3f0e0; stroke: #1a7f4b } .bar { stroke: #b3261e; stroke-width: 2; fill: none }
  .curve { stroke: #b4540a; stroke-width: 1.5; fill: #fde4cf; fill-opacity: 0.7 }
  @media (prefers-color-scheme: dark) {
    .card { fill: #16191d; stroke: #3a424b }
    text { fill: #e8eaed } .quiet { fill: #a9b3be }
    .box { fill: #23282e; stroke: #5a6570 } .rule { stroke: #8d98a4 }
    .score { fill: #1b3252; stroke: #7db3ff } .noise { fill: #4a2c14; stroke: #ffb073 }
    .hit { fill: #153d2a; stroke: #5fd39a } .bar { stroke: #ff8a80 }
    .curve { stroke: #ffb073; fill: #4a2c14 }
  }
"""


@dataclass(slots=True)
class Drawing:
    """A picture that grows by shapes."""

    title: str
    height: int
    width: int = 480
    shapes: list[str] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float, kind: str = "box") -> None:
        """Draw a rounded box."""
        size = f'width="{width:g}" height="{height:g}"'
        self.shapes.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" {size} rx="4"/>')

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        """Write one line."""
        name = f' class="{kind}"' if kind else ""
        self.shapes.append(
            f'<text{name} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def line(self, points: list[tuple[float, float]], kind: str = "rule") -> None:
        """Draw a line through points."""
        path = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
        self.shapes.append(f'<polyline class="{kind}" points="{path}"/>')

    def arrow(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a line that ends in a tip; it runs along one axis."""
        (x0, y0), (x, y) = start, end
        self.line([start, end])
        across, down = (x > x0) - (x < x0), (y > y0) - (y < y0)
        left = (x - 7 * across - 4 * down, y - 7 * down - 4 * across)
        right = (x - 7 * across + 4 * down, y - 7 * down + 4 * across)
        points = " ".join(f"{a:g},{b:g}" for a, b in (end, left, right))
        self.shapes.append(f'<polygon class="tip" points="{points}"/>')

    def svg(self) -> str:
        """Return the picture as a file."""
        size = f'width="{self.width * 1.3:g}" viewBox="0 0 {self.width} {self.height}"'
        ground = (
            f'<rect class="card" x="0.5" y="0.5" width="{self.width - 1}" '
            f'height="{self.height - 1}" rx="8"/>'
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>'
        title = f"<title>{escape(self.title)}</title>"
        return "\n".join((head, title, f"<style>{STYLE}</style>", ground, *self.shapes, "</svg>\n"))
