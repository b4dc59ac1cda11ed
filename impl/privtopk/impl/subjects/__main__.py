"""`python -m privtopk.impl.subjects [selectors]`: prints our subjects on one line."""

import sys

from privtopk.impl.subjects import SELECTORS, SUBJECTS

names = SELECTORS if sys.argv[1:] == ["selectors"] else SUBJECTS
print(*(f"python:privtopk.impl.subjects:{name}" for name in names))
