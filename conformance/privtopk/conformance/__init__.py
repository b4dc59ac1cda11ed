"""The test oracle: decides whether an implementation of private top-k selection is right.

The names exported here are those that an adapter may need: the kinds of subjects, how they are
called, and what they are given. They need the standard library and the specification only. To
run the oracle (`privtopk.conformance.running.runner`) install `privtopk[conformance]`.
"""

from privtopk.conformance.subjects.doors import Doors
from privtopk.conformance.subjects.kinds import (
    BatchSource,
    Cost,
    Index,
    Kind,
    NoiseList,
    OrderedNoise,
    Profile,
    Selector,
)
from privtopk.conformance.subjects.question import Question, largest_allowed_rate

__all__ = [
    "BatchSource",
    "Cost",
    "Doors",
    "Index",
    "Kind",
    "NoiseList",
    "OrderedNoise",
    "Profile",
    "Question",
    "Selector",
    "largest_allowed_rate",
]
