"""Shared by the tests of predecessor indexes."""

from privtopk.spec.noise.predecessor import PredecessorIndex


def answers(index: PredecessorIndex, key: int) -> tuple[object, ...]:
    """Return every answer that an index gives about a key."""
    return (
        key in index,
        index.predecessor(key),
        index.successor(key),
        index.minimum(),
        index.maximum(),
    )
