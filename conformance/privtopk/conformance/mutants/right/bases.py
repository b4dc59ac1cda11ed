"""The right subjects that the mutants deviate from: the oracle must accept every one of them."""

from typing import Final

from privtopk.conformance.mutants.right.listings import (
    AlternatingSelector,
    HashedSelector,
    ReversedSelector,
    ShuffledSelector,
)
from privtopk.conformance.mutants.right.lists import (
    LevelsByPosition,
    OnlineList,
    RankFreeList,
    inverse_transform,
)
from privtopk.conformance.mutants.right.selectors import (
    RandomScanSelector,
    ScanSelector,
    TapeSelector,
    ThresholdSelector,
    TwoPhaseSelector,
)
from privtopk.conformance.mutants.right.sources import (
    LockedSource,
    NamedSource,
    OptimisticSource,
    RowSource,
    SnapshotSource,
)
from privtopk.conformance.mutants.right.stores import BisectIndex, HistogramSource
from privtopk.conformance.subjects.loading import PYTHON

right_scan: Final = ScanSelector()
right_random_scan: Final = RandomScanSelector()
right_tape: Final = TapeSelector()
right_threshold: Final = ThresholdSelector()
right_two_phase: Final = TwoPhaseSelector()
right_reversed: Final = ReversedSelector()
right_hashed: Final = HashedSelector()
right_shuffled: Final = ShuffledSelector()
right_alternating: Final = AlternatingSelector()
right_noise_list: Final = RankFreeList
right_online_list: Final = OnlineList
right_order_statistics: Final = LevelsByPosition
right_noise_sampler: Final = inverse_transform
right_index: Final = BisectIndex
right_source: Final = HistogramSource
right_rows: Final = RowSource
right_snapshot: Final = SnapshotSource
right_optimist: Final = OptimisticSource
right_lock: Final = LockedSource
right_names: Final = NamedSource

RIGHT: Final = (
    "right_scan",
    "right_random_scan",
    "right_tape",
    "right_threshold",
    "right_two_phase",
    "right_reversed",
    "right_hashed",
    "right_shuffled",
    "right_alternating",
    "right_noise_list",
    "right_online_list",
    "right_order_statistics",
    "right_noise_sampler",
    "right_index",
    "right_source",
    "right_rows",
    "right_snapshot",
    "right_optimist",
    "right_lock",
    "right_names",
)


def address_of(name: str) -> str:
    """Return the address of a right subject."""
    return f"{PYTHON}{__name__}:{name}"
