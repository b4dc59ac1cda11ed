"""Test vectors: questions with their one right answer, for implementers in any language.

They are generated from the specification (`privtopk-conformance vectors FOLDER`) and shipped
beside this package in `data`; `vectors()` reads those.
"""

from privtopk.conformance.vectors.numbers import uniform
from privtopk.conformance.vectors.reader import NAMES, group_named, vectors
from privtopk.conformance.vectors.vector import Group, Tolerance, Vector

__all__ = ["NAMES", "Group", "Tolerance", "Vector", "group_named", "uniform", "vectors"]
