"""Theorems about noise that is revealed on demand from a table of any three integers.

Ours: ours:batched-exact, ours:adaptive-stages.
"""

from privtopk.spec.model.values import Item, items_of
from privtopk.spec.proofs.instruments.premises import is_between
from privtopk.spec.proofs.instruments.served import CertainNoise

Noises = tuple[int, int, int]


def thm_above_reveals_what_exceeds_the_level(noises: Noises, level: int) -> bool:
    """All items whose noise exceeds the level are revealed, each with its noise, and no other.

    Claim: ours:batched-exact
    Seconds: 40
    post: _
    """
    found = {entry.item: entry.value for entry in CertainNoise(noises).above(level)}
    return all(
        found.get(item) == noises[item - 1] if noises[item - 1] > level else item not in found
        for item in items_of(3)
    )


def thm_a_revealed_item_is_no_candidate(noises: Noises, item: int, level: int) -> bool:
    """An item whose noise was read is not revealed again, whatever the level.

    Claim: ours:batched-exact
    Seconds: 40
    pre: is_between(item, 1, 3)
    post: _
    """
    field = CertainNoise(noises)
    return field.noise_of(Item(item)) == noises[item - 1] and all(
        entry.item != item for entry in field.above(level)
    )


def thm_stages_reveal_every_item_once(noises: Noises, first: int, second: int) -> bool:
    """Two stages reveal the same items as one stage down to the lower level, each item once.

    Claim: ours:adaptive-stages
    Seconds: 40
    post: _
    """
    staged, whole = CertainNoise(noises), CertainNoise(noises)
    revealed = [entry.item for entry in (*staged.above(first), *staged.above(second))]
    everything = [entry.item for entry in whole.above(min(first, second))]
    return sorted(revealed) == everything
