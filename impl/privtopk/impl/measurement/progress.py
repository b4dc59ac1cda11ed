"""How far a long measurement is: one progress bar for the benchmark and the study."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class ShowProgress(Protocol):
    """Called with the number of finished pieces, their total, and the piece at work."""

    def __call__(self, done: int, total: int, at: str) -> None:
        """Show this state."""


def show_nothing(done: int, total: int, at: str) -> None:
    """Ignore the progress."""


@contextmanager
def progress_bar(title: str) -> Iterator[ShowProgress]:
    """Show a bar on the error stream if that is a terminal; yield the function that moves it."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[at]}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(title, total=None, at="")
        yield lambda done, total, at: progress.update(task, completed=done, total=total, at=at)
