"""A progress bar on standard error, so that standard output can be piped."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class ConsoleProgress:
    """Shows how many pieces of a run are done, unless it is quiet."""

    def __init__(self, title: str, is_quiet: bool = False) -> None:
        """Take the title of the bar, and whether to show nothing."""
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[at]}"),
            console=Console(stderr=True),
            transient=True,
            disable=is_quiet,
        )
        self._task = self._progress.add_task(title, total=None, at="")

    def __enter__(self) -> Self:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the bar."""
        self._progress.stop()

    def __call__(self, done: int, total: int, at: str) -> None:
        """Move the bar."""
        self._progress.update(self._task, completed=done, total=total, at=at)
