"""The order in which a set of items is published: it depends on their labels only.

The guarantee of a set covers which items are in it, and not how they are listed. Counts are often
stored best first, so an order that follows the source would publish the true order of the scores.

Numbers come first, by value, then texts, by code point. Then come bytes, dates and times, tuples,
and sets; tuples and sets are compared by the labels in them. All other labels are sorted by the
name of their type and their repr, without addresses in memory: these follow the order in which
objects were created. Labels that this rule does not distinguish are listed in random order.
"""

import math
import re
from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, Final, TypeAlias

import numpy as np

from privtopk.impl.randomness.generators import Randomness
from privtopk.impl.scores.column import is_missing

Key: TypeAlias = tuple[int, Any]
"""The group of a label, and a value that is comparable within the group."""

ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")
"""What the default repr says about the place of an object in memory."""

NUMBERS, TEXTS, BYTES, DATES, TUPLES, SETS, OTHERS = range(7)


def sort_by_label(labels: Sequence[object], coins: Randomness) -> tuple[object, ...]:
    """Return labels in an order that does not depend on the order in which they are given."""
    kinds = set(map(type, labels))
    if kinds in ({int}, {str}):
        return tuple(sorted(labels))  # type: ignore[type-var]
    keys = list(map(label_key, labels))
    if len(set(keys)) == len(keys):
        tickets = [0.0] * len(keys)
    else:
        tickets = coins.uniforms(len(keys)).tolist()
    places = sorted(range(len(keys)), key=lambda place: (keys[place], tickets[place]))
    return tuple(labels[place] for place in places)


def label_key(label: object) -> Key:
    """Return what a label is sorted by; equal for labels that are not distinguished."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, int | float | Rational | Decimal) and not is_missing(label):
        return NUMBERS, comparable_number(label)
    if isinstance(label, str):
        return TEXTS, str.__str__(label)
    if isinstance(label, bytes):
        return BYTES, label
    if isinstance(label, date | time):
        return DATES, label.isoformat()
    if isinstance(label, tuple):
        return TUPLES, tuple(map(label_key, label))
    if isinstance(label, frozenset):
        return SETS, tuple(sorted(map(label_key, label)))
    kind = type(label)
    return OTHERS, (f"{kind.__module__}.{kind.__qualname__}", ADDRESS.sub("", repr(label)))


def comparable_number(number: int | float | Rational | Decimal) -> int | float | Fraction:
    """Return the same value as a type that Python compares with the others without rounding."""
    if isinstance(number, int | float):
        return number
    if isinstance(number, Decimal) and number.is_infinite():
        return math.copysign(math.inf, number)
    return Fraction(number)
