"""A subject of the scoreboard, and what is said of it beside the verdicts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreboardEntry:
    """A way to select, as a library documents it."""

    name: str
    address: str

    package: str
    """The distribution whose version is told."""

    call: str
    """What is called, and how it is made to select k items."""

    law: str
    """The law that is claimed."""

    neighbours: str
    """The neighbours that the documentation names."""

    calibration: str
    """Whose accounting turns epsilon and delta into a scale."""

    access: str
    """What it reads."""

    arithmetic: str
    """How exactly it computes, and where that ends."""

    environment: str | None = None
    """The environment of its own that it needs, if it cannot live with the others."""

    minimal: str = ""
    """The smallest program that shows what fails, if something is known to."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A library that was looked at and is not on the board."""

    package: str
    version: str
    reason: str
