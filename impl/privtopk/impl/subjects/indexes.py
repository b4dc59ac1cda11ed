"""Our predecessor indexes as subjects of the test oracle."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from privtopk.impl.noise.index.sorted_blocks import SortedBlocksIndex
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex


@dataclass(frozen=True, slots=True)
class IndexSubject:
    """Creates predecessor indexes."""

    index: Callable[[int], VanEmdeBoasIndex | SortedBlocksIndex]
    kind: str = "predecessor-index"
    extras: tuple[str, ...] = ("minimum", "maximum", "check")

    def __call__(self, universe: int) -> VanEmdeBoasIndex | SortedBlocksIndex:
        """Return an empty index for the numbers below `universe`."""
        return self.index(universe)


van_emde_boas: Final = IndexSubject(VanEmdeBoasIndex)
sorted_blocks: Final = IndexSubject(lambda universe: SortedBlocksIndex())
