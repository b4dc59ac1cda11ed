"""A progress bar on standard error, so that standard output can be piped."""

import contextlib
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextlib.contextmanager
def show_progress(
    title: str, *, is_quiet: bool = False
) -> Iterator[Callable[[int, int, str], None]]:
    """Show a progress bar unless it is quiet, and yield the function that moves it.

    The function takes the number of pieces done, the number of all pieces, and the current one.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[at]}"),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=is_quiet
    ) as progress:
        task = progress.add_task(title, total=None, at="")

        def move(done: int, total: int, at: str) -> None:
            progress.update(task, completed=done, total=total, at=at)

        yield move
