"""What an engine returns: the numbers of the selected items, and what they cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineRun:
    """The result of an engine, without the items' names and the guarantee."""

    items: tuple[int, ...]
    """The k items with the largest noisy scores, best first."""

    noise_draws: int
    """How many random numbers became noise or decided which items are read."""

    note: str = ""
    """What the audit adds to the reason for the engine."""
