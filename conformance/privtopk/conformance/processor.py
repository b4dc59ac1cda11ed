"""Keeps a worker process and the processes that it starts on one processor."""

import os
from typing import Final


class _ThisProcess:
    """What a worker process knows about itself."""

    number: int | None = None
    """Its number among the workers of its executor; None outside a worker."""


_this_process: Final = _ThisProcess()


def become_worker(number: int) -> None:
    """Record that this process is the worker with a number."""
    _this_process.number = number


def share_a_processor() -> None:
    """Keep this worker, and the processes it starts from now on, on one processor.

    The worker and its child take turns and never run at the same time. Waking one of them on an
    idle processor takes longer than most answers. Outside a worker nothing changes.
    """
    number = _this_process.number
    if number is not None and hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[number % len(processors)]})
