"""The result of a selection: items that may be published, and an audit that may not."""

import math
from dataclasses import asdict, dataclass, field
from importlib.metadata import version

from privtopk.spec.accounting.guarantee import Guarantee
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind


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

    @property
    def accesses(self) -> int:
        """The access cost: both doors together."""
        return self.sorted_accesses + self.random_accesses


@dataclass(frozen=True, slots=True)
class Selection:
    """A private selection, unless its guarantee says that the noise was seeded."""

    items: tuple[object, ...]
    """The selected items by the caller's own names: safe to publish."""

    is_ranked: bool
    """Whether the items are in the order of their noisy scores; if not, they are sorted by name."""

    noise: NoiseKind
    """The kind of the noise: safe to publish."""

    noise_scale: float
    """The scale of the noise of one item, in votes: safe to publish."""

    guarantee: Guarantee
    """The privacy guarantee, with its theorem and its assumptions: safe to publish."""

    audit: Audit = field(repr=False)
    """Costs that depend on the scores: NOT private, and so not part of the repr."""

    def as_json(self) -> dict[str, object]:
        """Return what may be published, as plain data; the items are the caller's own objects."""
        promise = asdict(self.guarantee)
        scale = self.noise_scale if math.isfinite(self.noise_scale) else None
        return {
            "items": list(self.items),
            "is_ranked": self.is_ranked,
            "k": len(self.items),
            "noise": {"kind": self.noise, "scale": scale},
            "guarantee": {**promise, "epsilon": float_at_least(self.guarantee.epsilon)},
            "privtopk": version("privtopk"),
        }


def float_at_least(number: Number) -> float:
    """Return the smallest double that is not below a number: no epsilon is understated."""
    nearest = float(number)
    return nearest if nearest >= number else math.nextafter(nearest, math.inf)
