"""What an engine hands back: the selected items by their numbers, and what it cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineRun:
    """The result of an engine, before names and guarantee are put to it."""

    items: tuple[int, ...]
    """The k items with the largest noisy scores, best first."""

    noise_draws: int
    """How many random numbers became noise or decided who is read."""

    note: str = ""
    """What the engine wants the audit to say."""
