"""Bytes of true entropy, all of them or none: no noise is better than bad noise."""

from collections.abc import Callable
from typing import TypeAlias

from privtopk.spec.model.errors import Reason, SelectionError

ByteSource: TypeAlias = Callable[[int], bytes]
"""Returns the given number of bytes."""


def entropy_of(entropy: ByteSource, count: int) -> bytes:
    """Return `count` bytes of entropy, or raise if the generator fails or returns fewer."""
    try:
        drawn = entropy(count)
    except (OSError, NotImplementedError) as error:  # an error of OpenSSL is an OSError
        says = error.args[-1] if error.args else None
        words = str(error) if says else type(error).__name__
        raise no_entropy(f"the operating system gives no entropy: {words}") from error
    if len(drawn) != count:
        raise no_entropy(f"the operating system must give {count} bytes, got {len(drawn)}")
    return drawn


def no_entropy(message: str) -> SelectionError:
    """Return the error of bits that are missing or cannot be random."""
    return SelectionError(Reason.NO_ENTROPY, message)
