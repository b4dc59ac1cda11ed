"""The sizes that enumerations visit."""

from collections.abc import Iterator


def pairs_up_to(largest: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs (k, n) with 1 <= k <= n <= largest."""
    return ((k, n) for n in range(1, largest + 1) for k in range(1, n + 1))
