"""The test oracle: decides whether an implementation of private top-k selection is right.

What is exported here is what an adapter may want to name: the kinds of subjects, how they
are called, and what they are given. It needs the standard library and the specification only;
to run the oracle (`privtopk.conformance.runner`) install `privtopk[conformance]`.
"""

from privtopk.conformance.doors import Doors
from privtopk.conformance.question import Question, smallest_allowed_noise
from privtopk.conformance.subjects import (
    BatchSource,
    Cost,
    Index,
    Kind,
    NoiseList,
    OrderedNoise,
    Profile,
    Selector,
)

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
    "smallest_allowed_noise",
]
