"""A subject of the scoreboard, with its description."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreboardEntry:
    """A way to select, as a library documents it."""

    name: str
    address: str

    package: str
    """The distribution whose version the scoreboard shows."""

    call: str
    """The function that is called, and how it selects k items."""

    law: str
    """The law that the library claims."""

    neighbours: str
    """The neighbours that the documentation names."""

    calibration: str
    """Whose accounting turns epsilon and delta into a scale."""

    access: str
    """The scores that it reads."""

    arithmetic: str
    """The arithmetic, and the limits of its exactness."""

    environment: str | None = None
    """The name of a separate environment, if it conflicts with the other libraries."""

    minimal: str = ""
    """The smallest program that shows a known failure, or empty."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A library that was examined and is not on the board."""

    package: str
    version: str
    reason: str
