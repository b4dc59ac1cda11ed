"""What a selection returns: items that may be published, and an audit that may not."""

from dataclasses import dataclass, field

from privtopk.spec.accounting.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class Audit:
    """What the selection cost. It depends on the scores and is NOT private: do not publish it."""

    engine: str
    """The engine that ran."""

    reason: str
    """Why this engine was chosen."""

    sorted_accesses: int
    random_accesses: int
    round_trips: int
    noise_draws: int
    seconds: float

    is_secure: bool
    """Whether the noise came from a cryptographic generator."""

    @property
    def accesses(self) -> int:
        """The access cost: both doors together."""
        return self.sorted_accesses + self.random_accesses


@dataclass(frozen=True, slots=True)
class Selection:
    """A private selection."""

    items: tuple[object, ...]
    """The selected items by the caller's own names: safe to publish."""

    is_ranked: bool
    """Whether the order of the items is that of the noisy ranking; if not, it says nothing."""

    guarantee: Guarantee
    """What the items reveal at most, under which relation, by which theorem: safe to publish."""

    audit: Audit = field(repr=False)
    """Costs that depend on the scores: NOT private, and so not part of the text of a selection."""
