"""Our engines, noise lists, indexes and sources as subjects of the test oracle.

The address of each is `python:privtopk.impl.subjects:NAME`, with a name from `SUBJECTS`.
`python -m privtopk.impl.subjects` prints all addresses, and with `selectors` only the engines'.
"""

from typing import Final

from privtopk.impl.subjects.indexes import sorted_blocks, van_emde_boas
from privtopk.impl.subjects.noise import (
    count_tree_oracle,
    full_noise_list,
    noise_sampler,
    online_oracle,
    order_statistics,
    rank_free_oracle,
    tree_online_oracle,
)
from privtopk.impl.subjects.selectors import (
    automatic,
    batched,
    exact,
    one_shot,
    online,
    rank_free,
    threshold,
)
from privtopk.impl.subjects.sources import memory, sparse_memory, sqlite

SELECTORS: Final = (
    "batched",
    "automatic",
    "exact",
    "rank_free",
    "online",
    "threshold",
    "one_shot",
)
"""The engines, in the order of the reports."""

SUBJECTS: Final = (
    *SELECTORS,
    "rank_free_oracle",
    "count_tree_oracle",
    "online_oracle",
    "tree_online_oracle",
    "full_noise_list",
    "order_statistics",
    "noise_sampler",
    "van_emde_boas",
    "sorted_blocks",
    "memory",
    "sparse_memory",
    "sqlite",
)
"""All subjects of ours."""

__all__ = [
    "SELECTORS",
    "SUBJECTS",
    "automatic",
    "batched",
    "count_tree_oracle",
    "exact",
    "full_noise_list",
    "memory",
    "noise_sampler",
    "one_shot",
    "online",
    "online_oracle",
    "order_statistics",
    "rank_free",
    "rank_free_oracle",
    "sorted_blocks",
    "sparse_memory",
    "sqlite",
    "threshold",
    "tree_online_oracle",
    "van_emde_boas",
]
