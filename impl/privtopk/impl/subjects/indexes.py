"""Our predecessor indexes as a test oracle calls them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from privtopk.impl.noise.index.sorted_blocks import SortedBlocksIndex
from privtopk.impl.noise.index.van_emde_boas import VanEmdeBoasIndex


@dataclass(frozen=True, slots=True)
class IndexSubject:
    """A predecessor index for a universe."""

    index: Callable[[int], VanEmdeBoasIndex | SortedBlocksIndex]
    kind: str = "predecessor-index"

    def __call__(self, universe: int) -> VanEmdeBoasIndex | SortedBlocksIndex:
        """Return an empty index."""
        return self.index(universe)


van_emde_boas: Final = IndexSubject(VanEmdeBoasIndex)
sorted_blocks: Final = IndexSubject(lambda universe: SortedBlocksIndex())
