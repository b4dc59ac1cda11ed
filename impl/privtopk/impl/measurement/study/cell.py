"""A unit of work: it has a name, is seeded by the name, and depends on no other.

The name consists of the parameters, so the same name means the same measurement. The store checks
that the code is the same too.
"""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import fields
from typing import ClassVar

import numpy as np

from privtopk.impl.measurement.rows import Row


class Cell(ABC):
    """One measurement, with its parameters as fields of a frozen dataclass."""

    topic: ClassVar[str]
    """The table that its rows belong to."""

    is_timed: ClassVar[bool] = False
    """Whether it measures time, and therefore runs alone."""

    @property
    def parameters(self) -> Row:
        """The parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        """The topic and all parameters."""
        return "-".join([self.topic, *(str(value) for value in self.parameters.values())])

    @property
    def generator(self) -> np.random.Generator:
        """A generator that only this cell uses."""
        seed = int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:16])
        return np.random.default_rng(seed)

    @abstractmethod
    def measure(self) -> list[Row]:
        """Return the rows of this cell, without its parameters."""

    def rows(self) -> list[Row]:
        """Return the rows of this cell, each with all parameters."""
        return [{**self.parameters, **row} for row in self.measure()]
