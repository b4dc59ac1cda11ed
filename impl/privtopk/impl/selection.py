"""The result of a selection: items that may be published, and an audit that may not."""

from dataclasses import dataclass, field

from privtopk.spec.accounting.guarantee import Guarantee


@dataclass(frozen=True, slots=True)
class Audit:
    """The costs of a selection. They depend on the scores and are NOT private: do not publish."""

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
    """Whether the items are in the order of their noisy scores; if not, the order means nothing."""

    guarantee: Guarantee
    """The privacy guarantee, its neighbour relation and its theorem: safe to publish."""

    audit: Audit = field(repr=False)
    """Costs that depend on the scores: NOT private, and so not part of the repr."""
